#!/usr/bin/env python3
"""Turns RevenueCat's export of transactions into lines for `entitlctl import`.

    revenuecat.py transactions.csv > users.jsonl

The export is the Transactions feed of Scheduled Data Exports, as CSV
(https://www.revenuecat.com/docs/integrations/scheduled-data-exports). It needs the columns
rc_original_app_user_id, store, is_sandbox, store_transaction_id, product_identifier and, for
promotional grants, end_time.

RevenueCat's export has Apple's transaction ids, which entitld asks Apple about. Of Google Play it has
order ids, of which Google tells nothing: those customers are linked by the tokens that your app sends
at its next start, or by their account ids. What cannot be brought over is said on standard error.
"""

import argparse
import csv
import json
import sys
from collections import Counter

APPLE = {"app_store", "mac_app_store"}
PLAN_HELP = "the plan of the catalog that promotional grants become"


def rows_of(path):
    with open(path, newline="", encoding="utf-8") as file:
        yield from csv.DictReader(file)


def is_sandbox(row):
    return row.get("is_sandbox", "").strip().lower() in {"true", "t", "1"}


def moment(text):
    """`2026-03-01 10:00:00` and what has a zone, as ISO 8601 in UTC."""
    text = text.strip().replace(" ", "T", 1)
    return text if text.endswith("Z") or "+" in text else text + "Z"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("file")
    parser.add_argument("--promotional-plan", help=PLAN_HELP)
    parser.add_argument("--sandbox", action="store_true", help="bring over sandbox purchases alone")
    arguments = parser.parse_args()
    users, left_out = {}, Counter()
    for row in rows_of(arguments.file):
        user = users.setdefault(row["rc_original_app_user_id"], {"purchases": {}, "grants": {}})
        store, name = row["store"], row.get("store_transaction_id", "")
        if is_sandbox(row) != arguments.sandbox:
            left_out["of the other environment"] += 1
        elif store in APPLE and name:
            # One transaction of a subscription leads to all of them.
            key = row.get("original_store_transaction_id") or row["product_identifier"]
            user["purchases"][key] = {"transactionId": name}
        elif store == "stripe" and name.startswith("sub_"):
            user["purchases"][name] = {"stripeSubscription": name}
        elif store == "promotional" and arguments.promotional_plan:
            grant = {"plan": arguments.promotional_plan, "reason": "RevenueCat"}
            if row.get("end_time"):
                grant["expiresAt"] = moment(row["end_time"])
            user["grants"][name or row.get("start_time", "")] = grant
        else:
            left_out[f"of {store}, which the export does not prove"] += 1
    for name, user in users.items():
        line = {"userId": name, "purchases": list(user["purchases"].values())}
        if user["grants"]:
            line["grants"] = list(user["grants"].values())
        print(json.dumps(line, ensure_ascii=False))
    for reason, count in left_out.items():
        print(f"{count} transactions left out: {reason}", file=sys.stderr)


if __name__ == "__main__":
    main()
