"""A plant app's edge functions, which run elsewhere: they ask over HTTPS, and the outbox keeps their table.

`verify-subscription` and `refresh-subscriptions` are the app's own; `/outbox` is what the daemon tells.
"""

import hmac
import json
import os
import pathlib
import sqlite3
import sys
import threading

sys.path[:0] = [str(pathlib.Path(__file__).parents[2] / "clients/python"), str(pathlib.Path(__file__).parents[1])]
from entitld import Client, EntitldError, Unavailable  # noqa: E402
from serve import Refusal, outbox_post, serve  # noqa: E402

# What an error of the daemon is over HTTP.
STATUSES = {"invalid_params": 400, "malformed_request": 400, "verification_failed": 400, "claim_mismatch": 400,
            "ownership_conflict": 409, "not_found": 404}

entitlements = Client(url=os.environ["ENTITLD_URL"], token=os.environ["ENTITLD_TOKEN"], timeout=2)
table = sqlite3.connect(os.environ["MEMBERSHIPS"], check_same_thread=False)
table_lock = threading.Lock()
table.execute(
    "create table if not exists club_memberships (user_id text primary key, status text not null,"
    " apple_transaction_id text, apple_original_transaction_id text, current_period_end text, seq integer not null)")


def keep(status):
    """Writes a status of the daemon to the table, unless a newer one is there: answers overtake posts."""
    subscription = status["subscription"] or {}
    with table_lock, table:
        table.execute(
            "insert into club_memberships values (?, ?, ?, ?, ?, ?) on conflict (user_id) do update set"
            " status = excluded.status, apple_transaction_id = excluded.apple_transaction_id,"
            " apple_original_transaction_id = excluded.apple_original_transaction_id,"
            " current_period_end = excluded.current_period_end, seq = excluded.seq where excluded.seq >= seq",
            (status["userId"], "active" if status["isSubscriber"] else "inactive", subscription.get("transactionId"),
             subscription.get("originalTransactionId"), status["expiresAt"], status["seq"]))


def verify(request):
    """Nothing in StoreKit's jsonRepresentation is signed: its transaction's number leads to what is."""
    body = request.body
    if body.get("provider") != "apple":
        raise Refusal(400, "provider is not apple")
    try:
        transaction = str(json.loads(body["receipt_or_token"])["transactionId"])
    except (KeyError, TypeError, ValueError, RecursionError):
        transaction = ""
    if not (transaction.isascii() and transaction.isdigit()):
        raise Refusal(400, "receipt_or_token is no transaction")
    answer = entitlements.verify_purchase(request.user(), transactionId=transaction, productId=body.get("product_id"))
    status = answer["status"]
    keep(status)
    subscription = status["subscription"] or {}
    return {"status": "active" if status["isSubscriber"] else "inactive", "product_id": subscription.get("productId"),
            "current_period_end": status["expiresAt"], "transaction_id": subscription.get("transactionId"),
            "original_transaction_id": subscription.get("originalTransactionId")}


def refresh(request):
    """Daily: every active membership is asked again, of the store itself."""
    if not hmac.compare_digest(request.bearer().encode(), os.environ["SERVICE_KEY"].encode()):
        raise Refusal(401, "unauthorized")
    with table_lock:
        users = [user for (user,) in table.execute("select user_id from club_memberships where status = 'active'")]
    failed = 0
    for user in users:
        try:
            keep(entitlements.reconcile(user)["status"])
        except EntitldError:
            failed += 1  # the others are asked all the same; tomorrow again
    return {"refreshed": len(users) - failed, "failed": failed}


def told(request):
    """A change, from the daemon's outbox."""
    data = outbox_post(request)
    if data["cause"] == "erased":
        with table_lock, table:
            table.execute("delete from club_memberships where user_id = ?", (data["userId"],))
    else:
        keep(data["status"])
    return {}


def membership(request):
    """What the app's screens read: the table alone."""
    with table_lock:
        row = table.execute("select * from club_memberships where user_id = ?", (request.user(),)).fetchone()
    names = ("user_id", "status", "apple_transaction_id", "apple_original_transaction_id", "current_period_end")
    return dict(zip(names, row)) if row else {"status": "inactive"}


ROUTES = {"POST /functions/v1/verify-subscription": verify, "POST /functions/v1/refresh-subscriptions": refresh,
          "POST /outbox": told, "GET /club_memberships": membership}


def refused(error):
    """The table of README.md: what an error is over HTTP."""
    if isinstance(error, Refusal):
        return error.status, {"status": "inactive", "error": error.error}
    if isinstance(error, (TypeError, ValueError, KeyError, RecursionError)):
        return 400, {"status": "inactive", "error": str(error)}
    if not isinstance(error, EntitldError):
        raise error
    is_away = isinstance(error, Unavailable) or error.retryable
    status = 503 if is_away else STATUSES.get(error.name, 500)
    return status, {"status": "inactive", "error": "try_again" if is_away else error.name}


serve(ROUTES, refused)
