"""Drives stripesim with Stripe's own library.

Makes an account, lets a few customers buy, has `construct_event` verify every event that comes, and
asks for everything that the daemon asks for, through the library's own calls.
"""

import http.server
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

import stripe

from ports import free_port

SECRETS = ["whsec_old", "whsec_new"]
checks = 0


def check(condition, what):
    global checks
    checks += 1
    if not condition:
        raise SystemExit(f"stripe clients: {what}")


class Receiver(http.server.BaseHTTPRequestHandler):
    """An endpoint that says yes to everything, and remembers it."""

    posts = []

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.posts.append((self.headers["Stripe-Signature"], body))
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_):
        pass


def is_genuine(body, header, secret):
    try:
        stripe.Webhook.construct_event(body, header, secret)
    except stripe.SignatureVerificationError:
        return False
    return True


def main(program):
    directory = Path(tempfile.mkdtemp()) / "stripe"
    port = free_port()
    receiver = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
    threading.Thread(target=receiver.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{receiver.server_port}/webhooks/stripe"

    def sim(*words):
        run = subprocess.run(
            [program, words[0], str(directory), *words[1:]],
            check=True, capture_output=True, text=True,
        )
        return run.stdout.splitlines()

    secrets = [word for secret in SECRETS for word in ("--secret", secret)]
    sim("mint", "--port", str(port), "--url", url, "--month", "30d", *secrets)
    key = (directory / "api-key").read_text()
    server = subprocess.Popen(
        [program, "serve", str(directory), "--port", str(port)], stdout=subprocess.PIPE, text=True
    )
    try:
        base = server.stdout.readline().strip()
        check(base == f"http://127.0.0.1:{port}", "it does not listen where it was told")
        ask(stripe.StripeClient(key, base_addresses={"api": base}), sim)
        refused = stripe.StripeClient("rk_test_other", base_addresses={"api": base})
        try:
            refused.v1.subscriptions.list()
            check(False, "another key opens it")
        except stripe.AuthenticationError:
            check(True, "")
    finally:
        server.terminate()
        server.wait()

    check(len(Receiver.posts) >= 12, f"{len(Receiver.posts)} events came")
    for header, body in Receiver.posts:
        for secret in SECRETS:
            check(is_genuine(body, header, secret), f"not genuine under {secret}: {body[:80]}")
        check(not is_genuine(body, header, "whsec_other"), "genuine under any secret")
        check(not is_genuine(body + b" ", header, SECRETS[0]), "genuine whatever it says")
    print(f"stripesim: {checks} checks with stripe-python {stripe.VERSION}")


def ask(client, sim):
    v1 = client.v1
    anna = sim("act", "anna", "subscribe", "--user", "anna-of-the-app")[0]
    found = v1.subscriptions.retrieve(anna)
    check(found.status == "active" and found["metadata"]["user_id"] == "anna-of-the-app", "active")
    item = found["items"]["data"][0]
    check(item["current_period_end"] - item["current_period_start"] == 30 * 86_400, "a period")
    check(item["price"]["lookup_key"] == "monthly", "its price")
    sim("act", "anna", "cancel")
    check(v1.subscriptions.retrieve(anna).cancel_at_period_end, "a scheduled end")
    sim("act", "anna", "keep")
    sim("act", "anna", "cancel-in-portal")
    found = v1.subscriptions.retrieve(anna)
    check(not found.cancel_at_period_end and found.cancel_at, "the same in the portal")
    sim("act", "anna", "expire")
    check(v1.subscriptions.retrieve(anna).status == "canceled", "an end")
    check(len(v1.subscriptions.list().data) == 0, "what is over is not listed")
    every = v1.subscriptions.list({"status": "all", "customer": found.customer})
    check([one.id for one in every.data] == [anna], "unless it is asked for")

    bert = sim("act", "bert", "subscribe")[0]
    sim("act", "bert", "fail-to-renew")
    check(v1.subscriptions.retrieve(bert).status == "past_due", "a payment that failed")
    still = v1.invoices.list({"subscription": bert, "status": "open"})
    check(len(still.data) == 1, "an open invoice")
    check(still.data[0].parent.subscription_details.subscription == bert, "and whose it is")
    sim("act", "bert", "recover")
    sim("act", "bert", "refund")
    events = v1.events.list({"types": ["charge.refunded"]})
    charge = v1.charges.retrieve(events.data[0].data.object.id, {"expand": ["refunds"]})
    check(charge.refunded and charge.refunds.data[0].amount == charge.amount, "a refund")
    paid = v1.invoice_payments.list(
        {"payment": {"type": "payment_intent", "payment_intent": charge.payment_intent},
         "expand": ["data.invoice"]}
    )
    check(paid.data[0].invoice.id == still.data[0].id, "what the money was for")
    intent = v1.payment_intents.retrieve(charge.payment_intent)
    check(intent.latest_charge == charge.id, "the payment")

    sim("act", "carla", "buy", "--quantity", "3")
    visit = v1.events.list({"types": ["checkout.session.completed"], "limit": 1}).data[0]
    visit = v1.checkout.sessions.retrieve(visit.data.object.id, {"expand": ["line_items"]})
    check(visit.line_items.data[0].quantity == 3, "three packs")
    lines = v1.checkout.sessions.line_items.list(visit.id)
    check(lines.data[0].price.lookup_key == "credits_10", "of credits")
    sim("act", "carla", "dispute")
    sim("act", "carla", "lose-dispute")
    disputed = v1.events.list({"types": ["charge.dispute.closed"]}).data[0].data.object
    disputes = v1.disputes.list({"charge": disputed.charge})
    check([one.status for one in disputes.data] == ["lost"], "a dispute")

    pages = v1.events.list({"limit": 3})
    check(len(list(pages.auto_paging_iter())) >= 12, "pages of events")
    portal = v1.billing_portal.sessions.create(
        {"customer": v1.subscriptions.retrieve(bert).customer}
    )
    check(portal.url.startswith("https://"), "a page of the portal")
    try:
        v1.subscriptions.retrieve("sub_none")
        check(False, "what is not there is found")
    except stripe.InvalidRequestError as error:
        check(error.code == "resource_missing", "it is missing")


main(sys.argv[1])
