"""A plant app's edge functions, which run elsewhere: they ask over HTTPS, and the outbox keeps their table.

`verify-subscription` and `refresh-subscriptions` are the app's own; `/outbox` is what the daemon tells.
"""

import base64
import hashlib
import hmac
import json
import os
import pathlib
import sqlite3
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "clients/python"))
from entitld import Client, EntitldError, Unavailable  # noqa: E402

BODY_BYTES_MAX = 4 << 20
# The table of README.md: what an error of the daemon is over HTTP.
STATUSES = {"invalid_params": 400, "verification_failed": 400, "claim_mismatch": 400, "ownership_conflict": 409, "not_found": 404}

entitlements = Client(url=os.environ["ENTITLD_URL"], token=os.environ["ENTITLD_TOKEN"], timeout=2)
table = sqlite3.connect(os.environ["MEMBERSHIPS"], check_same_thread=False)
table_lock = threading.Lock()
table.execute(
    "create table if not exists club_memberships (user_id text primary key, status text not null,"
    " apple_transaction_id text, apple_original_transaction_id text, current_period_end text, seq integer not null)")


class Refusal(Exception):
    def __init__(self, status, error):
        super().__init__(error)
        self.status, self.error = status, error


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
    except (KeyError, TypeError, ValueError):
        raise Refusal(400, "receipt_or_token is no transaction") from None
    answer = entitlements.verify_purchase(request.user(), transactionId=transaction, productId=body.get("product_id"))
    status = answer["status"]
    keep(status)
    subscription = status["subscription"] or {}
    return {"status": "active" if status["isSubscriber"] else "inactive", "product_id": subscription.get("productId"),
            "current_period_end": status["expiresAt"], "transaction_id": subscription.get("transactionId"),
            "original_transaction_id": subscription.get("originalTransactionId")}


def refresh(request):
    """Daily: every active membership is asked again, of the store itself."""
    if not hmac.compare_digest(request.bearer(), os.environ["SERVICE_KEY"]):
        raise Refusal(401, "unauthorized")
    with table_lock:
        users = [user for (user,) in table.execute("select user_id from club_memberships where status = 'active'")]
    for user in users:
        keep(entitlements.reconcile(user)["status"])
    with table_lock:
        (active,) = table.execute("select count(*) from club_memberships where status = 'active'").fetchone()
    return {"refreshed": len(users), "active": active}


def told(request):
    """A change, from the daemon's outbox (https://www.standardwebhooks.com)."""
    headers = request.headers
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + request.raw
    key = base64.b64decode(os.environ["OUTBOX_SECRET"].removeprefix("whsec_"))
    own = "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    is_fresh = abs(time.time() - float(headers["webhook-timestamp"] or 0)) < 300
    if not is_fresh or not any(hmac.compare_digest(own, one) for one in (headers["webhook-signature"] or "").split()):
        raise Refusal(401, "unauthorized")
    keep(request.body["data"]["status"])
    return {}


def membership(request):
    """What the app's screens read: the table alone."""
    with table_lock:
        row = table.execute("select * from club_memberships where user_id = ?", (request.user(),)).fetchone()
    names = ("user_id", "status", "apple_transaction_id", "apple_original_transaction_id", "current_period_end")
    return dict(zip(names, row)) if row else {"status": "inactive"}


ROUTES = {"POST /functions/v1/verify-subscription": verify, "POST /functions/v1/refresh-subscriptions": refresh,
          "POST /outbox": told, "GET /club_memberships": membership}


class Request(BaseHTTPRequestHandler):
    def bearer(self):
        return (self.headers["authorization"] or "").removeprefix("Bearer ")

    def user(self):
        """Whose session it is. Here the token is the user's name; yours asks your own sessions."""
        if not self.bearer():
            raise Refusal(401, "unauthorized")
        return self.bearer()

    def answer(self):
        status, reply = 200, None
        try:
            self.raw = self.rfile.read(min(int(self.headers["content-length"] or 0), BODY_BYTES_MAX))
            self.body = json.loads(self.raw or b"{}")
            route = ROUTES.get(f"{self.command} {self.path}")
            if route is None or not isinstance(self.body, dict):
                raise Refusal(404 if route is None else 400, "not_found" if route is None else "malformed")
            reply = route(self)
        except Refusal as error:
            status, reply = error.status, {"status": "inactive", "error": error.error}
        except (TypeError, ValueError) as error:
            status, reply = 400, {"status": "inactive", "error": str(error)}
        except EntitldError as error:
            is_away = isinstance(error, Unavailable) or error.retryable
            status = 503 if is_away else STATUSES.get(error.name, 500)
            reply = {"status": "inactive", "error": "try_again" if is_away else error.name}
        text = json.dumps(reply).encode()
        self.send_response(status)
        for name, value in (("content-type", "application/json"), ("content-length", str(len(text)))):
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(text)

    do_GET = do_POST = answer

    def log_message(self, *_):
        pass


ThreadingHTTPServer(("127.0.0.1", int(os.environ["PORT"])), Request).serve_forever()
