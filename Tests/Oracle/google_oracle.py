"""Compares the verdicts of proto/vectors/google/bearer.json with those of Google's own library.

The tests of GooglePlay hold our verifier to the file. Here google-auth judges the same tokens at the
same time, with the same keys and the same skew, and then the account as Google's sample for push
end points does. Fails on a token that Google refuses and the file calls genuine; on one that Google
accepts and the file does not without a reason in google_differences.json; on a listed one that
differs no more.
"""

import base64
import datetime
import json
import sys
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from google.auth import _helpers
from google.oauth2 import id_token

SKEW = 300


def number(text):
    return int.from_bytes(base64.urlsafe_b64decode(text + "=="), "big")


def certificates(keys):
    """The keys as Google's older end point has them: by name, in PEM."""
    found = {}
    for key in keys["keys"]:
        if key["kty"] != "RSA":
            continue
        try:
            public = rsa.RSAPublicNumbers(number(key["e"]), number(key["n"])).public_key()
        except ValueError:  # no key at all
            continue
        pem = public.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
        found[key["kid"]] = pem.decode()
    return found


class Answer:
    status = 200

    def __init__(self, value):
        self.data = json.dumps(value).encode()


def accepts(case, document, answer):
    """Whether Google's library, used as in Google's sample, takes the push; why not, otherwise."""
    now = datetime.datetime.fromtimestamp(case.get("now", document["now"]), datetime.timezone.utc)
    _helpers.utcnow = lambda: now.replace(tzinfo=None)
    try:
        # The sample splits the header field like this.
        token = case["authorization"].split(" ")[1]
        claims = id_token.verify_oauth2_token(
            token,
            lambda *_, **__: answer,
            case.get("audience", document["audience"]),
            clock_skew_in_seconds=SKEW,
        )
        if claims["email"] != case.get("account", document["account"]):
            return False, "another account"
        if not claims["email_verified"]:
            return False, "not verified"
    except Exception as error:  # whatever it raises, it did not accept
        return False, repr(error)
    return True, ""


def main():
    here = Path(__file__).parent
    document = json.loads((here / "../../proto/vectors/google/bearer.json").read_text())
    listed = json.loads((here / "google_differences.json").read_text())
    answer = Answer(certificates(document["keys"]))
    failures, differing, both = [], set(), 0
    for case in document["cases"]:
        name = case["name"]
        theirs, why = accepts(case, document, answer)
        ours = case["verdict"] == "genuine"
        both += ours and theirs
        if ours and not theirs:
            failures.append(f"genuine by the file, refused by Google: {name}: {why}")
        if theirs and not ours:
            differing.add(name)
            if not listed.get(name, "").strip():
                failures.append(f"refused by the file, accepted by Google: {name}")
    for name in listed:
        if name not in differing:
            failures.append(f"listed, but no difference any more: {name}")
    if both == 0:
        failures.append("no token was accepted by both")
    for failure in failures:
        print(failure)
    print(
        f"google: {len(document['cases'])} tokens compared, {both} accepted by both,"
        f" {len(listed)} listed differences, {len(failures)} unlisted"
    )
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
