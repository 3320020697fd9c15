import json
import pathlib
import re
import struct
import threading
import time
import unittest

from entitld import Client, EntitldError, Unavailable, UnknownOutcome
from entitld.methods import usual_seconds
from fake_daemon import DaemonCase, framed


class ClientTests(DaemonCase):
    def test_every_call_sends_its_method_and_named_parameters(self):
        results = {
            "getEntitlement": {"entitlement": {"isActive": True}},
            "getManagementURL": {"url": None},
            "getHistory": {"events": []},
            "getSubscriptions": {"subscriptions": []},
            "get": {"value": 1},
            "getOutboxes": {"outboxes": []},
        }
        daemon = self.daemon(lambda method, *_: {"result": results.get(method, {"method": method})})
        with self.client(daemon) as client:
            self.assertEqual(client.can_render("alice", cost=2), {"method": "canRender"})
            self.assertEqual(client.entitlement("alice"), {"isActive": True})
            self.assertIsNone(client.management_url("alice", platform="ios"))
            client.status("alice")
            client.ping()
            client.version()
            client.register_account("alice")
            client.verify_purchase("alice", "a.b.c", productId="p")
            client.grant_entitlement("alice", "premium", "k", reason="gift")
            client.revoke_grant("alice", "g")
            client.credits("alice")
            client.restore_purchases("alice", ["a.b.c"])
            client.verify_receipt("alice", "AAAA")
            client.consume_credit("alice", 2, "k")
            client.reserve_credits("alice", 3, 60, "r", release_on_disconnect=True)
            client.commit_reservation("r1", 2)
            client.release_reservation("r1")
            client.reconcile("alice")
            client.test_notification(5)
            client.sign_offer("alice", "p", "o", application_username="")
            client.sign_introductory_offer("alice", "p", False, "1")
            client.sign_offer("alice", "p", "o", min_seq=4)
            client.sign_introductory_offer("alice", "p", min_seq=4)
            client.dump("accounts", limit=7, min_seq=4)
            self.assertEqual(client.get("accounts", "alice", min_seq=4), 1)
            client.stats(min_seq=4)
            client.export_user("alice", min_seq=4)
            self.assertEqual(client.outboxes(min_seq=4), [])
            client.send_consumption("1", True, "DELIVERED", False)
            client.extend_renewal("1", 7, 0, "r")
            client.reverse_credits("alice", "k", "b")
            client.merge_accounts("guest", "alice", "m")
            client.can("alice", "export", cost=2)
            client.move_purchase("7", "bob", "asked")
            client.grant_credits("alice", 5, "g", reason="gift")
            self.assertEqual(client.history("alice", after_seq=7), [])
            self.assertEqual(client.subscriptions("alice"), [])
        # The second is for what the store is asked.
        self.assertEqual(daemon.connections, 2)
        self.assertEqual(daemon.requests, [
            ("canRender", {"userId": "alice", "cost": 2}),
            ("getEntitlement", {"userId": "alice"}),
            ("getManagementURL", {"userId": "alice", "platform": "ios"}),
            ("getStatus", {"userId": "alice"}),
            ("ping", {}),
            ("version", {}),
            ("registerAccount", {"userId": "alice"}),
            ("verifyPurchase", {"userId": "alice", "signedTransaction": "a.b.c", "productId": "p"}),
            ("grantEntitlement",
             {"userId": "alice", "plan": "premium", "idempotencyKey": "k", "reason": "gift"}),
            ("revokeGrant", {"userId": "alice", "grant": "g"}),
            ("getCredits", {"userId": "alice"}),
            ("restorePurchases", {"userId": "alice", "signedTransactions": ["a.b.c"]}),
            ("verifyReceipt", {"userId": "alice", "receiptData": "AAAA"}),
            ("consumeCredit", {"userId": "alice", "amount": 2, "idempotencyKey": "k"}),
            ("reserveCredits",
             {"userId": "alice", "amount": 3, "ttlSeconds": 60, "releaseOnDisconnect": True,
              "idempotencyKey": "r"}),
            ("commitReservation", {"reservation": "r1", "amount": 2}),
            ("releaseReservation", {"reservation": "r1"}),
            ("reconcile", {"userId": "alice"}),
            ("testNotification", {"timeoutSeconds": 5}),
            ("signOffer", {"userId": "alice", "productId": "p", "offerId": "o",
                           "applicationUsername": ""}),
            ("signIntroductoryOffer",
             {"userId": "alice", "productId": "p", "allowIntroductoryOffer": False,
              "transactionId": "1"}),
            ("signOffer", {"userId": "alice", "productId": "p", "offerId": "o", "minSeq": 4}),
            ("signIntroductoryOffer",
             {"userId": "alice", "productId": "p", "allowIntroductoryOffer": True, "minSeq": 4}),
            ("dump", {"table": "accounts", "limit": 7, "minSeq": 4}),
            ("get", {"table": "accounts", "key": "alice", "minSeq": 4}),
            ("stats", {"minSeq": 4}),
            ("exportUser", {"userId": "alice", "minSeq": 4}),
            ("getOutboxes", {"minSeq": 4}),
            ("sendConsumption",
             {"transactionId": "1", "customerConsented": True, "deliveryStatus": "DELIVERED",
              "sampleContentProvided": False}),
            ("extendRenewal",
             {"transactionId": "1", "extendByDays": 7, "extendReasonCode": 0,
              "requestIdentifier": "r"}),
            ("reverseCredits", {"userId": "alice", "consumeKey": "k", "idempotencyKey": "b"}),
            ("mergeAccounts",
             {"fromUserId": "guest", "intoUserId": "alice", "idempotencyKey": "m"}),
            ("can", {"userId": "alice", "feature": "export", "cost": 2}),
            ("movePurchase",
             {"store": "app_store", "originalTransactionId": "7", "toUserId": "bob",
              "reason": "asked"}),
            ("grantCredits",
             {"userId": "alice", "amount": 5, "reason": "gift", "idempotencyKey": "g"}),
            ("getHistory", {"userId": "alice", "afterSeq": 7}),
            ("getSubscriptions", {"userId": "alice"}),
        ])

    def test_an_error_object_is_raised_and_the_connection_goes_on(self):
        error = {"code": -32029, "message": "too much",
                 "data": {"code": "overloaded", "retryable": True, "retryAfterMs": 100}}
        replies = {"getStatus": {"error": error}, "ping": {"result": {}}}
        daemon = self.daemon(lambda method, *_: replies[method])
        client = self.client(daemon)
        with self.assertRaises(EntitldError) as caught:
            client.status("alice")
        self.assertNotIsInstance(caught.exception, Unavailable)
        self.assertEqual((caught.exception.code, caught.exception.name), (-32029, "overloaded"))
        self.assertTrue(caught.exception.retryable)
        self.assertEqual(caught.exception.data["retryAfterMs"], 100)
        client.ping()
        self.assertEqual(daemon.connections, 1)

    def test_an_error_names_the_key_of_its_call(self):
        refusal = {"error": {"code": -32020, "message": "no", "data": {"code": "verification_failed"}}}
        acts = {"consumeCredit": refusal, "getStatus": refusal, "grantCredits": b"\0\0\0\0"}
        daemon = self.daemon(lambda method, *_: acts.get(method))
        client, away = self.client(daemon), Client("/tmp/entitld-nobody-here", write_timeout=0.02)

        def key(call, *arguments, **options):
            with self.assertRaises(EntitldError) as caught:
                call(*arguments, **options)
            return caught.exception.idempotency_key

        self.assertEqual(key(client.consume_credit, "alice", idempotency_key="mine"), "mine")
        self.assertEqual(key(client.write, "consumeCredit", {"idempotencyKey": "mine"}), "mine")
        for made_up in (
            key(client.consume_credit, "alice"), key(client.grant_credits, "alice", 1),
            key(client.reserve_credits, "alice", 1, 60, timeout=0.05),
        ):
            self.assertIn(made_up, [params.get("idempotencyKey") for _, params in daemon.requests])
        self.assertEqual(key(away.consume_credit, "alice", idempotency_key="mine"), "mine")
        self.assertEqual(key(client.consume_credit, "\ud83d", idempotency_key="mine"), "mine")
        self.assertIsNone(key(client.status, "alice"))
        self.assertIsNone(key(client.revoke_grant, "alice", "g"))

    def test_silence_times_out_and_the_next_call_has_a_new_connection(self):
        daemon = self.daemon(lambda _, __, connection: b"" if connection == 1 else {"result": {}})
        client = self.client(daemon)
        with self.assertRaises(Unavailable) as caught:
            client.ping(timeout=0.05)
        self.assertEqual(caught.exception.name, "timed_out")
        client.ping()
        self.assertEqual(daemon.connections, 2)

    def test_a_reply_over_the_limit_is_refused_by_its_length(self):
        daemon = self.daemon(lambda *_: struct.pack(">I", 1025))
        with self.assertRaises(Unavailable) as caught:
            self.client(daemon, frame_bytes_max=1024).ping()
        self.assertEqual(caught.exception.name, "malformed_reply")

    def test_a_large_reply_comes_in_pieces(self):
        daemon = self.daemon(lambda _, params, __: {"result": params})
        large = "x" * 500_000
        self.assertEqual(self.client(daemon).read("echo", {"large": large}), {"large": large})

    def test_a_watch_goes_on_after_its_last_position_on_a_new_connection(self):
        def script(method, params, connection):
            self.assertEqual(method, "watch")
            seq = 10 + connection
            frames = b""
            for message in (
                {"id": 1, "result": {"seq": 10}},
                {"method": "heartbeat", "params": {"seq": seq - 1}},
                {"method": "entitlementChanged", "params": {"seq": seq, "userId": "alice"}},
                {"method": "entitlementChanged", "params": {"seq": seq, "userId": "bob"}},
            ):
                body = json.dumps({"jsonrpc": "2.0", **message}).encode()
                frames += struct.pack(">I", len(body)) + body
            return (frames, None) if connection == 1 else frames

        daemon = self.daemon(script)
        feed = self.client(daemon).watch(["alice"])
        self.addCleanup(feed.close)
        told = [next(feed)[1] for _ in range(4)]
        self.assertEqual(
            [(change["seq"], change["userId"]) for change in told],
            [(11, "alice"), (11, "bob"), (12, "alice"), (12, "bob")],
        )
        self.assertEqual(
            [params.get("fromSeq") for _, params in daemon.requests], [None, 10]
        )

    def test_a_watch_from_no_position_needs_its_first_connection(self):
        with self.assertRaises(Unavailable):
            next(Client("/tmp/entitld-nobody-here", write_timeout=0.05).watch())

    def test_a_watch_from_a_position_waits_for_the_daemon(self):
        told = framed({"jsonrpc": "2.0", "id": 1, "result": {"seq": 10}}) + framed(
            {"jsonrpc": "2.0", "method": "entitlementChanged", "params": {"seq": 8, "userId": "a"}})
        daemon = self.daemon(lambda *_: told, listens=False)
        feed = self.client(daemon).watch(from_seq=7)
        self.addCleanup(feed.close)
        starting = threading.Timer(0.1, daemon.listen)
        starting.start()
        self.addCleanup(starting.join)
        self.assertEqual(next(feed)[1]["seq"], 8)

    def test_the_users_of_a_watch_may_come_from_anything_that_gives_them_once(self):
        joined = framed({"jsonrpc": "2.0", "id": 1, "result": {"seq": 10}})
        change = framed({"jsonrpc": "2.0", "method": "catalogChanged", "params": {"seq": 11}})
        daemon = self.daemon(lambda *_: (joined + change, None))
        feed = self.client(daemon).watch(user for user in ("alice", "bob"))
        self.addCleanup(feed.close)
        for _ in range(2):
            next(feed)
        self.assertEqual([params["userIds"] for _, params in daemon.requests], [["alice", "bob"]] * 2)
        next(self.client(daemon).watch({"alice"}))
        for wrong in ("alice", ["alice", 7], 7):
            with self.assertRaises(TypeError):
                next(self.client(daemon).watch(wrong))

    def test_a_watch_of_nobody_is_refused(self):
        daemon = self.daemon(lambda *_: {"result": {"seq": 1}})
        for client in (self.client(daemon), Client(url="http://127.0.0.1:1", token="t")):
            with self.assertRaises(EntitldError) as caught:
                next(client.watch([]))
            failure = caught.exception
            self.assertEqual((failure.code, failure.name), (0, "invalid_params"))
            self.assertFalse(failure.retryable)
        self.assertEqual(daemon.requests, [])

    def test_threads_share_a_client(self):
        daemon = self.daemon(lambda _, params, __: {"result": params})
        client, matched = self.client(daemon), []

        def ask(user):
            matched.append(client.status(user)["userId"] == user)

        threads = [threading.Thread(target=ask, args=(f"u{number}",)) for number in range(32)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(matched, [True] * 32)


def deep(levels):
    return 1 if levels == 0 else {"deeper": deep(levels - 1)}


class ArgumentTests(DaemonCase):
    def test_what_cannot_be_sent_fails_before_it_is_sent(self):
        daemon = self.daemon(lambda _, params, __: {"result": params})
        client = self.client(daemon)
        client.ping()
        for params in (
            {"userId": "u\ud83d"},
            {"\ud83d": 1},
            {"a": [{"b": ["fine", "\udc00"]}]},
            {"a": float("nan")},
            {"a": {1: 2}},
            deep(32),
            {str(number): 1 for number in range(20_001)},
        ):
            with self.assertRaises(EntitldError) as caught:
                client.write("x", {**params, "idempotencyKey": "k"} if len(params) < 9 else params)
            self.assertEqual(caught.exception.name, "malformed_request")
        for params in (deep(31), {str(number): 1 for number in range(20_000)}, {"a": "\\ud83d"}):
            self.assertEqual(client.read("echo", params), params)
        self.assertEqual((len(daemon.requests), daemon.connections), (4, 1))

    def test_a_wrong_argument_is_a_type_error_and_nothing_is_sent(self):
        daemon = self.daemon(lambda *_: {"result": {}})
        client = self.client(daemon)
        for call in (
            lambda: client.consume_credit("alice", None),
            lambda: client.consume_credit("alice", "2"),
            lambda: client.consume_credit("alice", 1.5),
            lambda: client.consume_credit("alice", True),
            lambda: client.consume_credit("alice", 0),
            lambda: client.consume_credit("alice", idempotency_key=""),
            lambda: client.consume_credit("alice", ammount=2),
            lambda: client.can_render(None),
            lambda: client.can_render(815),
            lambda: client.can_render("alice", cost=None),
            lambda: client.reserve_credits("alice", 1, None),
            lambda: client.reserve_credits("alice", 1, 60, release_on_disconnect="no"),
            lambda: client.restore_purchases("alice", "a.b.c"),
            lambda: client.grant_credits("alice", "5"),
            lambda: client.grant_entitlement("alice", None),
            lambda: client.revoke_grant("alice", None),
            lambda: client.commit_reservation(None),
        ):
            with self.assertRaises(TypeError):
                call()
        self.assertEqual(daemon.requests, [])

    def test_what_the_store_may_be_asked_for_gets_the_time_that_a_store_needs(self):
        results = {"getHistory": {"events": []}, "getManagementURL": {"url": None}, "load": {"loaded": 0}}

        def script(method, *_):
            time.sleep(0.1)
            return {"result": results.get(method, {})}

        daemon = self.daemon(script)
        client = self.client(daemon, timeout=0.02, write_timeout=0.05)
        client.verify_purchase("alice", transactionId="1")
        client.restore_purchases("alice", ["a.b.c"])
        client.verify_receipt("alice", "AAAA")
        client.reconcile("alice")
        client.test_notification()
        client.management_url("alice")
        client.test_outbox("crm")
        client.preview_catalog("plans: {}")
        client.load([])
        client.backup("/b")
        with self.assertRaises(UnknownOutcome):
            client.consume_credit("alice")
        past = self.client(daemon, timeout=0.02)
        past.history("alice")
        past.read("getStatus", {"userId": "alice", "at": "2027-01-01T00:00:00.000Z"})
        past.dump()
        past.export_user("alice")

    def test_a_backup_has_an_hour(self):
        self.assertEqual(usual_seconds("backup", {}, True, (0.25, 2, 30)), 3_600)
        self.assertEqual(usual_seconds("testNotification", {}, True, (0.25, 2, 30)), 90)


class PackageTests(unittest.TestCase):
    def test_it_brings_its_types(self):
        here = pathlib.Path(__file__).parent
        listed = re.search(r"^entitld = \[(.*)\]$", (here / "pyproject.toml").read_text(), re.M)[1]
        patterns = re.findall('"([^"]+)"', listed)
        others = [file for file in (here / "entitld").iterdir() if file.is_file() and file.suffix != ".py"]
        self.assertEqual({file.name for file in others}, {"py.typed", "aio.pyi"})
        for file in others:
            self.assertTrue(any(file.match(pattern) for pattern in patterns), file.name)


if __name__ == "__main__":
    unittest.main()
