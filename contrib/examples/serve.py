"""What the examples in Python share: a small HTTP server. Your framework takes its place."""

import base64
import hashlib
import hmac
import json
import os
import time
import traceback
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

BODY_BYTES_MAX = 4 << 20


class Refusal(Exception):
    def __init__(self, status, error):
        super().__init__(error)
        self.status, self.error = status, error


def serve(routes, refused):
    """Serves `routes`, {"POST /path": function(request)}.

    `refused` makes (status, reply) of an error, and None of one that nobody foresaw.
    """

    class Request(BaseHTTPRequestHandler):
        def bearer(self):
            return (self.headers["authorization"] or "").removeprefix("Bearer ")

        def user(self):
            """Whose session it is. Here the token is the user's name; yours asks your own sessions."""
            if not self.bearer():
                raise Refusal(401, "unauthorized")
            return self.bearer()

        def answer(self):
            try:
                status, reply = 200, self.routed()
            except Exception as error:
                said = refused(error)
                if said is None:
                    traceback.print_exc()
                status, reply = said or (500, {"error": "internal_error"})
            text = json.dumps(reply).encode()
            self.send_response(status)
            for name, value in (("content-type", "application/json"), ("content-length", str(len(text)))):
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(text)

        def routed(self):
            length = self.headers["content-length"] or "0"
            if not length.isdecimal() or int(length) > BODY_BYTES_MAX:
                raise Refusal(413, "too_large")
            self.raw = self.rfile.read(int(length))
            route = routes.get(f"{self.command} {self.path}")
            if route is None:
                raise Refusal(404, "not_found")
            try:
                self.body = json.loads(self.raw or b"{}")
            except (ValueError, RecursionError):
                self.body = None
            if not isinstance(self.body, dict):
                raise Refusal(400, "malformed")
            return route(self)

        do_GET = do_POST = answer

        def log_message(self, *_):
            pass

    ThreadingHTTPServer(("127.0.0.1", int(os.environ["PORT"])), Request).serve_forever()


def outbox_post(request):
    """The change that the daemon's outbox posts, once its signature holds (https://www.standardwebhooks.com).

    A message of another type, such as that of `entitlctl outbox test`, is no change: None.
    """
    headers = request.headers
    timestamp = headers["webhook-timestamp"] or "0"
    signed = f"{headers['webhook-id']}.{timestamp}.".encode() + request.raw
    key = base64.b64decode(os.environ["OUTBOX_SECRET"].removeprefix("whsec_"))
    own = b"v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())
    signatures = (headers["webhook-signature"] or "").encode().split()
    is_fresh = timestamp.isdecimal() and abs(time.time() - int(timestamp)) < 300
    if not is_fresh or not any(hmac.compare_digest(own, one) for one in signatures):
        raise Refusal(401, "unauthorized")
    return request.body["data"] if request.body.get("type") == "entitlement.changed" else None
