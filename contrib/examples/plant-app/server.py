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

# The door's certificate is the daemon's own here; without `ca` one of a public authority is expected.
entitlements = Client(
    url=os.environ["ENTITLD_URL"], token=os.environ["ENTITLD_TOKEN"], ca=os.environ.get("ENTITLD_CA"), timeout=2)
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
    """The app knows one answer, a 200: what is refused is an `error` in it, beside the product that was asked for."""
    user, product_id = request.user(), request.body.get("product_id")
    try:
        if not isinstance(product_id, str):
            raise Refusal(400, "product_id is missing")
        transaction = transaction_in(request.body)
        status = entitlements.verify_purchase(user, transactionId=transaction, productId=product_id)["status"]
    except (Refusal, EntitldError, TypeError) as error:
        word = word_for(error)
        # Who is a member stays one where nobody can be asked; what does not hold makes nobody one.
        kept = row_of(user)["status"] if word == "try_again" else "inactive"
        return {"status": kept, "product_id": product_id, "error": word}
    keep(status)
    # Of a grant there is no transaction, and no product but the one that was asked for.
    subscription = status["subscription"] or {"productId": product_id}
    reply = {
        "status": "active" if status["isSubscriber"] else "inactive",
        "product_id": subscription["productId"],
        "current_period_end": status["expiresAt"],
        "transaction_id": subscription.get("transactionId"),
        "original_transaction_id": subscription.get("originalTransactionId"),
    }
    return {name: value for name, value in reply.items() if value is not None}


def transaction_in(body):
    """Nothing in StoreKit's jsonRepresentation is signed: its transaction's number leads to what is."""
    if body.get("provider") != "apple":
        raise Refusal(400, "provider is not apple")
    try:
        transaction = str(json.loads(body["receipt_or_token"])["transactionId"])
    except (KeyError, TypeError, ValueError, RecursionError):
        transaction = ""
    if not (transaction.isascii() and transaction.isdigit()):
        raise Refusal(400, "receipt_or_token is no transaction")
    return transaction


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
    if data is None:
        return {}
    if data["cause"] == "erased":
        with table_lock, table:
            table.execute("delete from club_memberships where user_id = ?", (data["userId"],))
    else:
        keep(data["status"])
    return {}


def row_of(user):
    with table_lock:
        row = table.execute("select * from club_memberships where user_id = ?", (user,)).fetchone()
    names = ("user_id", "status", "apple_transaction_id", "apple_original_transaction_id", "current_period_end")
    return dict(zip(names, row)) if row else {"status": "inactive"}


def membership(request):
    """What the app's screens read: the table alone."""
    return row_of(request.user())


ROUTES = {"POST /functions/v1/verify-subscription": verify, "POST /functions/v1/refresh-subscriptions": refresh,
          "POST /outbox": told, "GET /club_memberships": membership}


def word_for(error):
    """The table of README.md: how a purchase that is refused is called in `error`."""
    if isinstance(error, Refusal):
        return error.error
    if isinstance(error, TypeError):
        return "invalid_params"  # the client refused an argument
    return "try_again" if isinstance(error, Unavailable) or error.retryable else error.name


def refused(error):
    """What an error is over HTTP; None for one that nobody foresaw."""
    return (error.status, {"error": error.error}) if isinstance(error, Refusal) else None


serve(ROUTES, refused)
