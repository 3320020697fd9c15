"""Drives playstoresim with Google's own clients: google-auth and google-api-python-client.

Mints a store, lets a few customers buy, and asks for everything that the daemon asks for, through
the client that Google generates from its discovery document; then takes a push in and has
google-auth verify its bearer token with the key set that the store serves.
"""

import http.server
import json
import subprocess
import sys
import tempfile
import threading
import urllib.request
from pathlib import Path

from google.oauth2 import id_token, service_account
from google.auth.transport.requests import Request
from googleapiclient.discovery import build
from googleapiclient.errors import HttpError

from ports import free_port

SCOPE = "https://www.googleapis.com/auth/androidpublisher"
PACKAGE = "com.example.app"
checks = 0


def check(condition, what):
    global checks
    checks += 1
    if not condition:
        raise SystemExit(f"google clients: {what}")


class Receiver(http.server.BaseHTTPRequestHandler):
    """A webhook that says yes to everything, and remembers it."""

    pushes = []

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.pushes.append((self.headers["Authorization"], json.loads(body)))
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_):
        pass


def status_of(request):
    try:
        request.execute()
    except HttpError as error:
        return error.status_code
    return 200


def main(program):
    directory = Path(tempfile.mkdtemp()) / "play"
    port = free_port()
    receiver = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
    threading.Thread(target=receiver.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{receiver.server_port}/webhooks/google"

    def play(*words):
        run = subprocess.run(
            [program, words[0], str(directory), *words[1:]],
            check=True, capture_output=True, text=True,
        )
        return run.stdout.splitlines()

    play("mint", "--port", str(port), "--url", url, "--month", "30d", "--audience", url)
    server = subprocess.Popen(
        [program, "serve", str(directory), "--port", str(port)], stdout=subprocess.PIPE, text=True
    )
    try:
        base = server.stdout.readline().strip()
        credentials = service_account.Credentials.from_service_account_file(
            str(directory / "service-account.json"), scopes=[SCOPE]
        )
        api = build(
            "androidpublisher", "v3", credentials=credentials,
            client_options={"api_endpoint": base}, static_discovery=True,
        ).purchases()

        token = play("act", "anna", "buy", "--account", "account-1")[0]
        read = api.subscriptionsv2().get(packageName=PACKAGE, token=token).execute()
        check(read["subscriptionState"] == "SUBSCRIPTION_STATE_ACTIVE", "a state")
        check(read["lineItems"][0]["offerDetails"]["basePlanId"] == "monthly", "a base plan")
        check(read["acknowledgementState"].endswith("PENDING"), "not acknowledged yet")
        acknowledge = api.subscriptions().acknowledge(
            packageName=PACKAGE, subscriptionId="paid", token=token, body={}
        )
        acknowledge.execute()
        check(status_of(acknowledge) == 400, "a second acknowledgement")
        read = api.subscriptionsv2().get(packageName=PACKAGE, token=token).execute()
        check(read["acknowledgementState"].endswith("ACKNOWLEDGED"), "acknowledged")
        missing = api.subscriptionsv2().get(packageName=PACKAGE, token="nothing")
        check(status_of(missing) == 404, "an unknown token")

        pack = play("act", "bert", "buy", "--product", "credits_10", "--quantity", "2")[0]
        read = api.productsv2().getproductpurchasev2(packageName=PACKAGE, token=pack).execute()
        offer = read["productLineItem"][0]["productOfferDetails"]
        check(offer["quantity"] == 2 and offer["consumptionState"].endswith("YET_TO_BE_CONSUMED"),
              "a pack")
        api.products().consume(packageName=PACKAGE, productId="credits_10", token=pack).execute()
        read = api.productsv2().getproductpurchasev2(packageName=PACKAGE, token=pack).execute()
        offer = read["productLineItem"][0]["productOfferDetails"]
        check(offer["consumptionState"].endswith("_CONSUMED"), "a consumed pack")

        play("act", "anna", "void")
        voided = api.voidedpurchases().list(packageName=PACKAGE, type=1).execute()
        check([v["purchaseToken"] for v in voided["voidedPurchases"]] == [token], "a void")

        header, push = Receiver.pushes[0]
        check(push["message"]["messageId"] and push["subscription"], "a wrapped message")
        claims = id_token.verify_token(
            header.split(" ")[1], Request(), audience=url, certs_url=base + "/oauth2/v1/certs"
        )
        check(claims["email"].startswith("push@") and claims["email_verified"], "a bearer token")
        keys = json.load(urllib.request.urlopen(base + "/oauth2/v3/certs"))["keys"]
        check([key["alg"] for key in keys] == ["RS256"], "a key set")
        check(len(Receiver.pushes) == 3, f"{len(Receiver.pushes)} pushes")
    finally:
        server.terminate()
        server.wait()
        receiver.shutdown()
    print(f"google clients: {checks} checks of playstoresim by Google's own clients")


if __name__ == "__main__":
    main(sys.argv[1])
