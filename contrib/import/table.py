#!/usr/bin/env python3
"""Turns a table of users (CSV with a header) into lines for `entitlctl import`.

    table.py users.csv > users.jsonl

Columns, of which only userId is needed; an empty field is left out, and a user may have several rows:

    userId  token  credits  freeCreditsGiven  transactionId  signedTransaction  receiptData
    purchaseToken  productId  checkoutSession  stripeSubscription  plan  expiresAt

freeCreditsGiven is true or false.
"""

import json
import re
import sys

from rows import rows_of

PROOFS = ("transactionId", "signedTransaction", "receiptData", "purchaseToken", "checkoutSession",
          "stripeSubscription")
KNOWN = {"userId", "token", "credits", "freeCreditsGiven", "productId", "plan", "expiresAt", *PROOFS}


def add(user, row):
    """Adds what the row says to the user; ValueError where it cannot be said."""
    def one_more(kind, value):
        if value not in user.setdefault(kind, []):
            user[kind].append(value)

    if "token" in row:
        one_more("tokens", row["token"])
    if "credits" in row:
        if not re.fullmatch("[0-9]+", row["credits"]):
            raise ValueError(f"credits is a whole number, not {row['credits']}")
        credits = int(row["credits"])
        if user.setdefault("credits", credits) != credits:
            raise ValueError(f"{user['userId']} has {user['credits']} credits, and {credits}")
    if "freeCreditsGiven" in row:
        text = row["freeCreditsGiven"].lower()
        if text not in ("true", "false"):
            raise ValueError(f"freeCreditsGiven is true or false, not {row['freeCreditsGiven']}")
        if user.setdefault("freeCreditsGiven", text == "true") != (text == "true"):
            raise ValueError(f"freeCreditsGiven of {user['userId']} is both true and false")
    for proof in PROOFS:
        if proof in row:
            purchase = {proof: row[proof]}
            if proof == "purchaseToken" and "productId" in row:
                purchase["productId"] = row["productId"]
            one_more("purchases", purchase)
    if "plan" in row:
        end = {"expiresAt": row["expiresAt"]} if "expiresAt" in row else {}
        one_more("grants", {"plan": row["plan"], **end})


def main():
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        raise SystemExit(__doc__)
    users = {}
    for line, row in rows_of(sys.argv[1], ["userId"], KNOWN):
        row = {column: field for column, field in row.items() if field}
        try:
            name = row["userId"]
            add(users.setdefault(name, {"userId": name}), row)
        except KeyError:
            raise SystemExit(f"{sys.argv[1]}:{line}: no userId") from None
        except ValueError as error:
            raise SystemExit(f"{sys.argv[1]}:{line}: {error}") from None
    for user in users.values():
        print(json.dumps(user, ensure_ascii=False))


if __name__ == "__main__":
    main()
