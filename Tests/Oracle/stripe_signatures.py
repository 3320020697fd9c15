"""Compares what is expected of us on hostile webhook requests with what Stripe's library says.

Reads stripe-signatures.json beside this file, to which StripeTests hold our code, and
stripe-differences.json. Fails on a request that Stripe's library refuses and we accept; on one that we
refuse and it accepts without a reason in the list; on a listed one that differs no more.
"""

import base64
import json
import sys
from pathlib import Path
from unittest import mock

import stripe


def accepts(case):
    """Whether any secret makes the library construct the event; why not, otherwise."""
    said = "no secret"
    for secret in case["live"] + case["test"]:
        with mock.patch("time.time", return_value=case["now"] / 1000):
            body = base64.b64decode(case["body"])
            try:
                if case["expected"] == "ignored":
                    # The signature alone: a thin event is for another of the library's parsers.
                    stripe.WebhookSignature.verify_header(
                        body.decode(), case["header"], secret, 300
                    )
                else:
                    stripe.Webhook.construct_event(body, case["header"], secret)
                return True, ""
            except Exception as error:  # whatever it raises, it did not accept
                said = f"{type(error).__name__}: {error}"
    return False, said


def main():
    here = Path(__file__).parent
    cases = json.loads((here / "stripe-signatures.json").read_text())
    listed = json.loads((here / "stripe-differences.json").read_text())
    failures, differing = [], set()
    for case in cases:
        ours = case["expected"] in ("production", "sandbox", "ignored")
        theirs, why = accepts(case)
        if ours and not theirs:
            failures.append(f"{case['id']} {case['name']}: we accept, Stripe refuses: {why}")
        if theirs and not ours and case["name"] not in listed:
            failures.append(f"{case['id']} {case['name']}: we refuse, Stripe accepts")
        if ours != theirs:
            differing.add(case["name"])
    failures += [f"{name}: listed, and differs no more" for name in listed if name not in differing]
    print(f"{len(cases)} requests judged beside stripe-python {stripe.VERSION}, "
          f"{len(differing)} differ for a reason")
    for failure in failures:
        print(failure)
    return 1 if failures else 0


sys.exit(main())
