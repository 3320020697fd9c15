"""What Apple's own library needs to verify one notification with its three documents.

apple.py ROOT.pem PAYLOADS SECONDS: prints one JSON object. Processor time, on one thread, without
the online checks, which the daemon does not make either.
"""

import base64
import json
import sys
import time

from appstoreserverlibrary.models.Environment import Environment
from appstoreserverlibrary.signed_data_verifier import SignedDataVerifier


def certificate(path):
    lines = [line for line in open(path).read().splitlines() if not line.startswith("-----")]
    return base64.b64decode("".join(lines))


def main(root, payloads, seconds):
    verifier = SignedDataVerifier(
        [certificate(root)], False, Environment.PRODUCTION, "com.example.app", 1234567890
    )
    # Apple's own tests switch X509_STRICT off for chains as plain as their fixtures'.
    verifier._chain_verifier.enable_strict_checks = False
    documents = open(payloads).read().split()
    verified, start = 0, time.process_time()
    while time.process_time() - start < seconds:
        data = verifier.verify_and_decode_notification(documents[verified % len(documents)]).data
        verifier.verify_and_decode_signed_transaction(data.signedTransactionInfo)
        verifier.verify_and_decode_renewal_info(data.signedRenewalInfo)
        verified += 1
    used = time.process_time() - start
    print(json.dumps({"verified": verified, "microseconds": used * 1e6 / verified}))


main(sys.argv[1], sys.argv[2], float(sys.argv[3]))
