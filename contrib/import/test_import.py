"""What the converters make of exports, and of files that are none: `python3 -m unittest`."""

import gzip
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
COLUMNS = ("rc_original_app_user_id;rc_last_seen_app_user_id_alias;country;product_identifier;start_time;end_time;"
           "effective_end_time;store;is_auto_renewable;is_sandbox;store_transaction_id;original_store_transaction_id")
ANONYMOUS = "$RCAnonymousID:87c6049c58069238dce29853916d624c"


def transaction(original="alice", alias="", store="app_store", sandbox="false", id="", first="", end="", effective="",
                renews="true"):
    return (f"{original};{alias};GB;monthly;2026-01-01 08:27:06;{end};{effective};{store};{renews};{sandbox};"
            f"{id};{first}")


class Converter(unittest.TestCase):
    def run_on(self, program, content, *options):
        """(the lines as JSON, standard error, the exit code)"""
        with tempfile.NamedTemporaryFile() as file:
            file.write(content if isinstance(content, bytes) else content.encode())
            file.flush()
            ran = subprocess.run([sys.executable, HERE / program, file.name, *options],
                                 capture_output=True, text=True)
            said = ran.stderr.replace(file.name, "FILE")
        return [json.loads(line) for line in ran.stdout.splitlines()], said, ran.returncode


class RevenueCatTests(Converter):
    def convert(self, *rows, options=(), columns=COLUMNS):
        return self.run_on("revenuecat.py", "\n".join([columns, *rows, ""]), *options)

    def test_a_subscription_of_apple_comes_once_by_its_newest_transaction(self):
        users, said, code = self.convert(
            transaction(id="100", first="100"), transaction(id="101", first="100"), transaction(id="300", first="300"))
        self.assertEqual(users, [{"userId": "alice", "purchases": [{"transactionId": "101"}, {"transactionId": "300"}]}])
        self.assertEqual((said, code), ("", 0))

    def test_a_user_is_called_as_the_app_calls_them(self):
        users, said, _ = self.convert(
            transaction(ANONYMOUS, "bob", id="1"), transaction("carol", ANONYMOUS, id="2"),
            transaction("dave", "david", id="3"), transaction(ANONYMOUS, ANONYMOUS, id="4"))
        self.assertEqual([user["userId"] for user in users], ["bob", "carol", "david"])
        self.assertEqual(said, "1 transactions left out: of customers whom your app never named\n")

    def test_anonymous_customers_can_be_kept(self):
        users, said, _ = self.convert(transaction(ANONYMOUS, ANONYMOUS, id="4"), options=["--anonymous"])
        self.assertEqual([user["userId"] for user in users], [ANONYMOUS])
        self.assertEqual(said, "")

    def test_stripe_is_named_by_the_subscription_wherever_it_stands(self):
        users, said, _ = self.convert(
            transaction(store="stripe", id="in_1", first="sub_1"), transaction(store="stripe", id="sub_2"),
            transaction(store="stripe", id="in_2", first="sub_1"), transaction(store="stripe", id="pi_3", first="pi_3"))
        self.assertEqual(users[0]["purchases"], [{"stripeSubscription": "sub_1"}, {"stripeSubscription": "sub_2"}])
        self.assertEqual(said, "1 transactions left out: of stripe, which the export does not prove\n")

    def test_promotional_grants_become_grants_with_a_key_that_stays(self):
        row = transaction(store="promotional", id="rc_promo_1", end="2027-01-01 00:00:00",
                          effective="2026-06-01 00:00:00", renews="false")
        users, _, _ = self.convert(row, transaction(store="promotional", id="rc_promo_2"),
                                   options=["--promotional-plan", "premium"])
        self.assertEqual(users[0]["grants"], [
            {"plan": "premium", "reason": "RevenueCat", "idempotencyKey": "revenuecat:rc_promo_1",
             "expiresAt": "2026-06-01T00:00:00Z"},
            {"plan": "premium", "reason": "RevenueCat", "idempotencyKey": "revenuecat:rc_promo_2"},
        ])
        users, said, _ = self.convert(row)
        self.assertEqual(users, [])
        self.assertIn("of promotional", said)

    def test_one_time_purchases_are_left_out_unless_asked_for(self):
        rows = (transaction(id="1", first="1"), transaction(id="7", first="7", renews="false"),
                transaction("bob", id="8", renews="false"), transaction(store="play_store", id="GPA.1", renews="false"))
        users, said, code = self.convert(*rows)
        self.assertEqual(users, [{"userId": "alice", "purchases": [{"transactionId": "1"}]}])
        self.assertEqual((said, code), (
            "3 transactions left out: of one-time purchases: bring what is left of them as `credits`\n", 0))
        users, said, _ = self.convert(*rows, options=["--one-time"])
        self.assertEqual(users, [{"userId": "alice", "purchases": [{"transactionId": "1"}, {"transactionId": "7"}]},
                                 {"userId": "bob", "purchases": [{"transactionId": "8"}]}])
        self.assertEqual(said, "1 transactions left out: of play_store, which the export does not prove\n")

    def test_free_credits_are_not_given_again_to_anybody_where_that_is_said(self):
        rows = (transaction(id="1"), transaction("bob", id="8", renews="false"),
                transaction("carol", store="play_store", id="GPA.1"), transaction(ANONYMOUS, id="4"),
                transaction("dave", sandbox="true", id="5"))
        users, _, _ = self.convert(*rows, options=["--no-free-credits"])
        self.assertEqual(users, [
            {"userId": "alice", "freeCreditsGiven": True, "purchases": [{"transactionId": "1"}]},
            {"userId": "bob", "freeCreditsGiven": True}, {"userId": "carol", "freeCreditsGiven": True}])
        self.assertNotIn("freeCreditsGiven", self.convert(*rows)[0][0])

    def test_the_sandbox_is_apart(self):
        rows = transaction("prod", id="1"), transaction("test", id="2", sandbox="true")
        self.assertEqual([user["userId"] for user in self.convert(*rows)[0]], ["prod"])
        users, said, _ = self.convert(*rows, options=["--sandbox"])
        self.assertEqual([user["userId"] for user in users], ["test"])
        self.assertEqual(said, "1 transactions left out: of the other environment\n")

    def test_google_play_is_left_out_and_said(self):
        users, said, code = self.convert(transaction(store="play_store", id="GPA.1"))
        self.assertEqual((users, code), ([], 0))
        self.assertEqual(said, "1 transactions left out: of play_store, which the export does not prove\n")

    def test_the_export_may_be_packed_or_have_commas(self):
        plain = "\n".join([COLUMNS, transaction(id="1"), ""])
        wanted = [{"userId": "alice", "purchases": [{"transactionId": "1"}]}]
        for content in (gzip.compress(plain.encode()), plain.replace(";", ","), "\ufeff" + plain, plain.replace("\n", "\r\n")):
            self.assertEqual(self.run_on("revenuecat.py", content)[0], wanted)

    def test_another_table_is_refused(self):
        users, said, code = self.convert("1;2", columns="a;b")
        self.assertEqual((users, code), ([], 1))
        self.assertIn("columns that are missing: rc_original_app_user_id, store, is_auto_renewable, is_sandbox, "
                      "store_transaction_id", said)

    def test_a_broken_file_is_refused_with_its_line(self):
        users, said, code = self.convert(transaction(id="1"), "alice;bob")
        self.assertEqual((users, said, code), ([], "FILE:3: 2 fields, but 12 columns\n", 1))
        packed = gzip.compress("\n".join([COLUMNS, *[transaction(id="1")] * 9]).encode())
        for content in (packed[:-12], (COLUMNS + "\n").encode() + b"\xff"):
            users, said, code = self.run_on("revenuecat.py", content)
            self.assertEqual((users, code), ([], 1))
            self.assertIn("not CSV in UTF-8", said)


class TableTests(Converter):
    def convert(self, *rows):
        return self.run_on("table.py", "\n".join([*rows, ""]))

    def test_rows_of_a_user_are_one_line(self):
        users, said, code = self.convert(
            "userId,token,credits,transactionId,purchaseToken,productId,plan,expiresAt",
            "alice, t1 ,12,100,,,,", "bob,,,,,,premium,2027-01-01T00:00:00Z", "alice,t2,12,,p,pack,,", "alice,t1,,100,,,,")
        self.assertEqual((said, code), ("", 0))
        self.assertEqual(users, [
            {"userId": "alice", "tokens": ["t1", "t2"], "credits": 12,
             "purchases": [{"transactionId": "100"}, {"purchaseToken": "p", "productId": "pack"}]},
            {"userId": "bob", "grants": [{"plan": "premium", "expiresAt": "2027-01-01T00:00:00Z"}]},
        ])

    def test_every_proof_has_a_column(self):
        users, _, _ = self.convert("userId,signedTransaction,receiptData,checkoutSession,stripeSubscription",
                                   'a,x.y.z,"MII,=",cs_1,sub_1')
        self.assertEqual(users[0]["purchases"], [
            {"signedTransaction": "x.y.z"}, {"receiptData": "MII,="}, {"checkoutSession": "cs_1"},
            {"stripeSubscription": "sub_1"}])

    def test_free_credits_were_given_or_not(self):
        users, said, _ = self.convert("userId,freeCreditsGiven", "alice,true", "bob,False", "carol,", "alice,TRUE")
        self.assertEqual(said, "")
        self.assertEqual(users, [{"userId": "alice", "freeCreditsGiven": True},
                                 {"userId": "bob", "freeCreditsGiven": False}, {"userId": "carol"}])

    def test_what_cannot_be_said_is_refused_with_its_line(self):
        for rows, complaint in (
            (["userId,credits", "alice,many"], "FILE:2: credits is a whole number"),
            (["userId,credits", "alice,1", "alice,2"], "FILE:3: alice has 1 credits, and 2"),
            (["userId,credits", ",1"], "FILE:2: no userId"),
            (["userId,freeCreditsGiven", "alice,yes"], "FILE:2: freeCreditsGiven is true or false, not yes"),
            (["userId,freeCreditsGiven", "alice,true", "alice,false"],
             "FILE:3: freeCreditsGiven of alice is both true and false"),
            (["userId,credit", "alice,1"], "columns that are not known: credit"),
            (["name", "alice"], "columns that are missing: userId"),
            ([""], "columns that are missing: userId"),
            (["userId,credits", "alice,1,2"], "FILE:2: 3 fields, but 2 columns"),
        ):
            users, said, code = self.convert(*rows)
            self.assertEqual((users, code), ([], 1))
            self.assertIn(complaint, said)
            self.assertNotIn("Traceback", said)


if __name__ == "__main__":
    unittest.main()
