"""Compares our verdicts with those of Apple's own verifier.

Reads setup.json and cases.jsonl, which the test OracleExport wrote, from the directory given, and
differences.json beside this file. Fails on a document that Apple refuses and we accept; on one that
we refuse and Apple accepts without a reason in the list; on a listed one that differs no more.
"""

import base64
import json
import sys
from pathlib import Path

from appstoreserverlibrary.models.Environment import Environment
from appstoreserverlibrary.signed_data_verifier import SignedDataVerifier


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
    for failure in failures:
        print(failure)
    print(f"accepted by us {ours}, by Apple {apples}")
    print(
        f"oracle: {compared} compared, {len(listed)} listed differences, {len(failures)} unlisted"
    )
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
