#!/usr/bin/env python3
"""Turns RevenueCat's export of transactions into lines for `entitlctl import`.

    revenuecat.py transactions.csv.gz > users.jsonl

The export is that of Scheduled Data Exports, as it comes, packed or not
(https://www.revenuecat.com/docs/integrations/scheduled-data-exports). A user is called as your app calls
them: by rc_last_seen_app_user_id_alias, or rc_original_app_user_id where that is an anonymous id of
RevenueCat's own.

The export has Apple's transaction ids and Stripe's subscription ids, which entitld asks those stores
about. Of Google Play it has order ids, of which Google tells nothing: those customers are linked by the
tokens that your app sends at its next start, or by their account ids. What cannot be brought over is
counted on standard error.

The export does not say what was spent. So one-time purchases (rows that do not renew) are left out: every
credit pack ever bought would be credited again. Bring what is left of them as `credits`. With --one-time
they are written like subscriptions, for products that give access; where packs are among them, import each
user's `credits` afterwards, which takes what the packs gave. New accounts get the free credits of the
catalog: with --no-free-credits every user whom the app named has a line that says they had theirs.
"""

import argparse
import json
import sys
from collections import Counter

from rows import rows_of

APPLE = {"app_store", "mac_app_store"}
ANONYMOUS = "$RCAnonymousID:"
NEEDED = ("rc_original_app_user_id", "store", "is_auto_renewable", "is_sandbox", "store_transaction_id")


def is_true(text):
    return text.lower() in {"true", "t", "1"}


def moment(text):
    """`2026-03-01 10:00:00`, which is UTC, and what has a zone, as ISO 8601."""
    text = text.replace(" ", "T", 1)
    has_zone = text.endswith("Z") or "+" in text or "-" in text.partition("T")[2]
    return text if has_zone else text + "Z"


def user_of(row, keeps_anonymous):
    """The user's id; None for a customer whom the app never named."""
    names = [row.get("rc_last_seen_app_user_id_alias"), row["rc_original_app_user_id"]]
    named = [name for name in names if name and not name.startswith(ANONYMOUS)]
    return named[0] if named else names[1] if keeps_anonymous else None


def subscription_of(row):
    """Stripe's id of the subscription; None where the row names a payment alone."""
    ids = (row.get("original_store_transaction_id", ""), row["store_transaction_id"])
    return next((name for name in ids if name.startswith("sub_")), None)


def grant_of(row, plan):
    begin = row["store_transaction_id"] or row.get("start_time", "")
    grant = {"plan": plan, "reason": "RevenueCat", "idempotencyKey": f"revenuecat:{begin}"}
    end = row.get("effective_end_time") or row.get("end_time")
    return {**grant, "expiresAt": moment(end)} if end else grant


class Users:
    """Each user's purchases and grants, once each, and what was left out."""

    def __init__(self, options):
        self.options, self.users, self.left_out = options, {}, Counter()

    def take(self, row):
        name = user_of(row, self.options.anonymous)
        store, transaction = row["store"], row["store_transaction_id"]
        if is_true(row["is_sandbox"]) != self.options.sandbox:
            return self.leave("of the other environment")
        if name is None:
            return self.leave("of customers whom your app never named")
        if self.options.no_free_credits:
            self.users.setdefault(name, {})
        # A promotional grant does not renew, and is no purchase.
        is_one_time = store != "promotional" and not is_true(row["is_auto_renewable"])
        if is_one_time and not self.options.one_time:
            return self.leave("of one-time purchases: bring what is left of them as `credits`")
        if store in APPLE and transaction:
            # One transaction of a subscription leads to all of them.
            key = row.get("original_store_transaction_id") or transaction
            self.add(name, "purchases", key, {"transactionId": transaction})
        elif store == "stripe" and subscription_of(row):
            key = subscription_of(row)
            self.add(name, "purchases", key, {"stripeSubscription": key})
        elif store == "promotional" and self.options.promotional_plan:
            grant = grant_of(row, self.options.promotional_plan)
            self.add(name, "grants", grant["idempotencyKey"], grant)
        else:
            self.leave(f"of {store}, which the export does not prove")

    def add(self, name, kind, key, value):
        self.users.setdefault(name, {}).setdefault(kind, {})[key] = value

    def leave(self, reason):
        self.left_out[reason] += 1


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("file")
    parser.add_argument("--promotional-plan", help="the plan of the catalog that promotional grants become")
    parser.add_argument("--sandbox", action="store_true", help="bring over sandbox purchases alone")
    parser.add_argument("--anonymous", action="store_true",
                        help="call customers whom your app never named by RevenueCat's anonymous id")
    parser.add_argument("--one-time", action="store_true",
                        help="bring over one-time purchases, too: packs are credited again unless `credits` follow")
    parser.add_argument("--no-free-credits", action="store_true",
                        help="say of every user that they had the free credits of a new account")
    options = parser.parse_args()
    users = Users(options)
    for _, row in rows_of(options.file, NEEDED):
        users.take(row)
    for name, kinds in users.users.items():
        given = {"freeCreditsGiven": True} if options.no_free_credits else {}
        line = {"userId": name, **given, **{kind: list(values.values()) for kind, values in kinds.items()}}
        print(json.dumps(line, ensure_ascii=False))
    for reason, count in users.left_out.items():
        print(f"{count} transactions left out: {reason}", file=sys.stderr)


if __name__ == "__main__":
    main()
