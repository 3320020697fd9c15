#!/usr/bin/env python3
"""Turns a table of users (CSV with a header) into lines for `entitlctl import`.

    table.py users.csv > users.jsonl

Columns, of which only userId is needed; an empty field is left out, and a user may have several rows:

    userId  token  credits  transactionId  signedTransaction  receiptData  purchaseToken  productId
    stripeSubscription  plan  expiresAt
"""

import csv
import json
import sys

PROOFS = ("transactionId", "signedTransaction", "receiptData", "purchaseToken", "stripeSubscription")
KNOWN = {"userId", "token", "credits", "productId", "plan", "expiresAt", *PROOFS}


def main():
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    users = {}
    with open(sys.argv[1], newline="", encoding="utf-8") as file:
        reader = csv.DictReader(file)
        unknown = set(reader.fieldnames or []) - KNOWN
        if unknown or "userId" not in (reader.fieldnames or []):
            raise SystemExit(f"columns that are not known: {', '.join(sorted(unknown)) or 'no userId'}")
        for row in reader:
            row = {key: value.strip() for key, value in row.items() if value and value.strip()}
            user = users.setdefault(row["userId"], {"userId": row["userId"]})
            if "token" in row and row["token"] not in user.setdefault("tokens", []):
                user["tokens"].append(row["token"])
            if "credits" in row:
                user["credits"] = int(row["credits"])
            for proof in PROOFS:
                if proof in row:
                    purchase = {proof: row[proof]}
                    if proof == "purchaseToken" and "productId" in row:
                        purchase["productId"] = row["productId"]
                    user.setdefault("purchases", []).append(purchase)
            if "plan" in row:
                grant = {"plan": row["plan"]}
                if "expiresAt" in row:
                    grant["expiresAt"] = row["expiresAt"]
                user.setdefault("grants", []).append(grant)
    for user in users.values():
        print(json.dumps(user, ensure_ascii=False))


if __name__ == "__main__":
    main()
