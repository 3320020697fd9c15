"""Compares our verdicts with those of Apple's own verifier.

Reads setup.json and cases.jsonl, which the test OracleExport wrote, from the directory given, and
differences.json beside this file. Fails on a document that Apple refuses and we accept; on one that
we refuse and Apple accepts without a reason in the list; on a listed one that differs no more.

Then compares what we sign for StoreKit, in offers.json and offers.jsonl, with what Apple's library
signs: the same parts, and a signature that the key's public half accepts. And reads what we send to
Apple's server about refunds and renewals, in errands.jsonl, as that library's requests: every word
has to be one that it knows, and none may be missing.
"""

import base64
import json
import sys
import uuid
from pathlib import Path

import jwt
from appstoreserverlibrary.jws_signature_creator import (
    IntroductoryOfferEligibilitySignatureCreator,
    PromotionalOfferV2SignatureCreator,
)
from appstoreserverlibrary.models.ConsumptionRequest import ConsumptionRequest
from appstoreserverlibrary.models.Environment import Environment
from appstoreserverlibrary.models.ExtendRenewalDateRequest import ExtendRenewalDateRequest
from appstoreserverlibrary.models.LibraryUtility import _get_cattrs_converter
from appstoreserverlibrary.promotional_offer import PromotionalOfferSignatureCreator
from appstoreserverlibrary.signed_data_verifier import SignedDataVerifier
from cryptography.hazmat.primitives.serialization import load_pem_private_key


def accepts(verifier, payload):
    """Whether all documents of a notification are genuine; why not, otherwise."""
    try:
        data = verifier.verify_and_decode_notification(payload).data
        if data and data.signedTransactionInfo:
            verifier.verify_and_decode_signed_transaction(data.signedTransactionInfo)
        if data and data.signedRenewalInfo:
            verifier.verify_and_decode_renewal_info(data.signedRenewalInfo)
    except Exception as error:  # whatever it raises, it did not accept
        cause = error.__cause__
        return False, f"{error}" + (f" ({cause!r})" if cause else "")
    return True, ""


def verifiers(setup, relaxed):
    made = {}
    roots = [base64.b64decode(root) for root in setup["roots"]]
    for environment in (Environment.PRODUCTION, Environment.SANDBOX):
        verifier = SignedDataVerifier(
            roots, False, environment, setup["bundleId"], setup["appAppleId"]
        )
        # Apple's own tests switch X509_STRICT off for chains as plain as their fixtures'.
        verifier._chain_verifier.enable_strict_checks = not relaxed
        made[environment.value] = verifier
    return made


class Recorder:
    """In the place of a key: keeps what is to be signed, and how."""

    def sign(self, payload, algorithm):
        self.payload, self.algorithm = payload, algorithm
        return b""


def same_token(ours, theirs, public):
    """Whether two tokens say the same but for the moment and the nonce, and ours is signed."""
    wanted = jwt.decode(theirs, options={"verify_signature": False})
    try:
        claims = jwt.decode(ours, public, algorithms=["ES256"], audience=wanted["aud"])
    except jwt.PyJWTError:
        return False
    for name in ("iat", "nonce"):
        if type(claims.pop(name)) is not type(wanted.pop(name)):
            return False
    return claims == wanted and jwt.get_unverified_header(ours) == jwt.get_unverified_header(theirs)


def offers(directory):
    """What is wrong with what we sign, and how many cases there were."""
    setup = json.loads((directory / "offers.json").read_text())
    pem = setup["privateKey"].encode()
    public = load_pem_private_key(pem, None).public_key()
    names = setup["keyId"], setup["issuerId"], setup["bundleId"]
    older = PromotionalOfferSignatureCreator(pem, setup["keyId"], setup["bundleId"])
    newer = PromotionalOfferV2SignatureCreator(pem, *names)
    introductory = IntroductoryOfferEligibilitySignatureCreator(pem, *names)
    product, offer = setup["productId"], setup["offerId"]
    failures, cases = [], [json.loads(line) for line in (directory / "offers.jsonl").open()]
    for case in cases:
        recorder = older._signing_key = Recorder()
        older.create_signature(
            product, offer, case["customer"], uuid.UUID(case["nonce"]), case["timestamp"]
        )
        try:
            signature = base64.b64decode(case["signature"], validate=True)
            public.verify(signature, recorder.payload, recorder.algorithm)
        except Exception as error:
            failures.append(f"an offer's signature does not hold: {case}: {error!r}")
        theirs = newer.create_signature(product, offer, case["transactionId"])
        if not same_token(case["jws"], theirs, public):
            failures.append(f"an offer's token is another: {case}")
        theirs = introductory.create_signature(
            product, case["eligible"], case["transactionId"] or "1"
        )
        if not same_token(case["introductory"], theirs, public):
            failures.append(f"a token of eligibility is another: {case}")
    if not cases or len(cases) != setup["cases"]:
        failures.append(f"{len(cases)} offers were read, {setup['cases']} written")
    return failures, len(cases)


ERRANDS = {one.__name__: one for one in (ConsumptionRequest, ExtendRenewalDateRequest)}


def errands(directory):
    """What is wrong with what we send, and how many bodies there were."""
    failures, cases = [], [json.loads(line) for line in (directory / "errands.jsonl").open()]
    for case in cases:
        model, body = ERRANDS[case["kind"]], case["body"]
        try:
            converter = _get_cattrs_converter(model)
            read = converter.structure(body, model)
        except Exception as error:
            failures.append(f"Apple's library cannot read {case}: {error!r}")
            continue
        # A word that the library does not know leaves its member without a value.
        unknown = [name for name in body if getattr(read, name, None) is None]
        if unknown or converter.unstructure(read) != body:
            failures.append(f"Apple's library reads something else: {case}: {read}, {unknown}")
    if not cases:
        failures.append("no errands were read")
    return failures, len(cases)


def main(directory):
    setup = json.loads((directory / "setup.json").read_text())
    listed = json.loads((Path(__file__).parent / "differences.json").read_text())
    sides = {relaxed: verifiers(setup, relaxed) for relaxed in (False, True)}
    compared = ours = apples = 0
    differing, failures = set(), []
    for line in (directory / "cases.jsonl").open():
        case = json.loads(line)
        compared += 1
        said = [
            accepts(sides[case["relaxed"]][environment], case["payload"])
            for environment in case["environments"]
        ]
        apple = any(accepted for accepted, _ in said)
        ours += case["accepted"]
        apples += apple
        name = f"{case['id']} {case['name']}"
        if case["accepted"] and not apple:
            failures.append(f"accepted by us, refused by Apple: {name}: {said}")
        if apple and not case["accepted"]:
            differing.add(case["id"])
            entry = listed.get(case["id"])
            if not entry or entry["name"] != case["name"] or not entry["reason"].strip():
                failures.append(f"refused by us, accepted by Apple: {name}: {case['detail']}")
    for id, entry in listed.items():
        if id not in differing:
            failures.append(f"listed, but no difference any more: {id} {entry['name']}")
    if compared == 0 or compared != setup["cases"]:
        failures.append(f"{compared} cases were read, {setup['cases']} written")
    unlike, signed = offers(directory)
    wrong, sent = errands(directory)
    failures += unlike + wrong
    for failure in failures:
        print(failure)
    print(f"offers: {signed} signed in three forms as Apple's library signs them, {len(unlike)} not")
    print(f"errands: {sent} read by Apple's library, {len(wrong)} not as they are")
    print(f"accepted by us {ours}, by Apple {apples}")
    print(
        f"oracle: {compared} compared, {len(listed)} listed differences, {len(failures)} unlisted"
    )
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
