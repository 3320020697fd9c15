"""Writes Tests/Oracle/stripe-signatures.json: signatures of Stripe's webhooks, genuine and not.

Made here and not by our own code, so that the two can disagree. Prints to standard output. Each case:
the secrets of both modes, the header (null: none), the body in base64, the moment in milliseconds, and
what has to be said: production, sandbox, ignored (genuine, and nothing of ours), malformed (genuine,
and no event) or unauthorized.
"""

import base64
import hashlib
import hmac
import json

T = 1700000000
NOW = T * 1000 + 1500
LIVE, OLD, TEST = "whsec_live_secret", "whsec_old_secret", "whsec_test_secret"
EVENT = {
    "id": "evt_1", "object": "event", "api_version": "2025-03-31.basil", "created": T - 1,
    "data": {"object": {"id": "cus_1", "object": "customer"}}, "livemode": True,
    "pending_webhooks": 1, "request": {"id": None, "idempotency_key": None},
    "type": "customer.updated",
}


def text(value, **options):
    return json.dumps(value, separators=(",", ":"), **options).encode()


BODY = text(EVENT)
TEST_BODY = text({**EVENT, "livemode": False})


def code(body=BODY, t=T, secret=LIVE, digest=hashlib.sha256):
    return hmac.new(secret.encode(), f"{t}.".encode() + body, digest).hexdigest()


def header(body=BODY, t=T, secret=LIVE):
    return f"t={t},v1={code(body, t, secret)}"


cases = []


def case(name, expected, header, body=BODY, now=NOW, live=(LIVE,), test=(TEST,)):
    cases.append({
        "id": f"S-{len(cases) + 1:02}", "name": name, "expected": expected, "now": now,
        "live": list(live), "test": list(test), "header": header,
        "body": base64.b64encode(body).decode(),
    })


def change(**members):
    return text({**EVENT, **members})


good = code()
# What Stripe sends.
case("as Stripe sends it", "production", header())
case("of a test endpoint", "sandbox", header(TEST_BODY, secret=TEST), TEST_BODY)
case("rolled: the old secret's signature first", "production",
     f"t={T},v1={code(secret=OLD)},v1={good}")
case("rolled: the old secret's signature last", "production",
     f"t={T},v1={good},v1={code(secret=OLD)}")
case("rolled: only the old secret is configured", "production",
     f"t={T},v1={good},v1={code(secret=OLD)}", live=(OLD,))
case("the second of two secrets", "production", header(), live=(OLD, LIVE))
case("v0 beside v1", "production", f"t={T},v1={good},v0={'0' * 64}")
case("v0 before v1", "production", f"t={T},v0={'0' * 64},v1={good}")
case("a scheme to come", "production", f"t={T},v1={good},v2=abc")
case("a word without a value", "production", f"t={T},v1={good},x")
case("v1 before t", "production", f"v1={good},t={T}")
case("sixteen signatures, the last one good", "production",
     f"t={T}" + f",v1={'0' * 64}" * 15 + f",v1={good}")
case("300 s old", "production", header(), now=T * 1000 + 300_000)
case("300 s ahead", "production", header(), now=T * 1000 - 300_000)
named = change(data={"object": {"id": "cus_1", "object": "customer", "name": "Zo\u00eb \U0001f600"}})
case("escaped letters", "production", header(named), named)
named = text({**EVENT, "data": {"object": {"id": "cus_1", "object": "customer",
                                           "name": "Zo\u00eb \U0001f600"}}}, ensure_ascii=False)
case("letters in UTF-8", "production", header(named), named)
broken = json.dumps(EVENT, indent=2).encode() + b"\n"
case("indented, with a line break at the end", "production", header(broken), broken)
case("one secret for both modes, a live event", "production", header(), test=(LIVE,))
case("one secret for both modes, a test event", "sandbox", header(TEST_BODY), TEST_BODY,
     test=(LIVE,))
thin = text({"id": "evt_1", "object": "v2.core.event", "type": "v1.billing.meter.no_meter_found",
             "livemode": True, "created": "2026-03-01T00:00:00.000Z"})
case("a thin event", "ignored", header(thin), thin)
connected = change(account="acct_1")
case("of a connected account", "ignored", header(connected), connected)

# No header, or none of Stripe's form.
case("no header", "unauthorized", None)
for value in ["", "t", ",,", "t,,", "t=,v1=", "t,v1=,", "t,v1=,v0=", f"t={T}", f"t={T},", f"t={T},v1",
              f"t={T},v1=", f"v1={good}", f"t=,v1={good}", f"t,v1={good}", f"T={T},v1={good}",
              f"t={T},V1={good}", f"t={T};v1={good}", f"t={T} v1={good}", f"t:{T},v1:{good}",
              f'"t={T},v1={good}"', json.dumps({"t": T, "v1": good})]:
    case(f"header {value[:28]!r}, {len(value)} bytes", "unauthorized", value)
case("blank behind the comma", "unauthorized", f"t={T}, v1={good}")
case("blank before t", "unauthorized", f" t={T},v1={good}")
case("line break in the header", "unauthorized", f"t={T},\n v1={good}")
for value in ["abc", "-1700000000", "+1700000000", "01700000000", "1700000000.0", "1_700_000_000",
              " 1700000000", "1700000000 ", "0x6553f100", "17e8", "\u0661\u0667\u0660\u0660",
              "9" * 30, "253402300800"]:
    case(f"t={value}", "unauthorized", f"t={value},v1={code(t=value)}")
    if value.strip(" +0").replace("_", "") == str(T):
        case(f"t={value}, signed as {T}", "unauthorized", f"t={value},v1={good}")
case("two moments, the first signed", "unauthorized", f"t={T},t={T + 1},v1={good}")
case("two moments, the last signed", "unauthorized", f"t={T - 1},t={T},v1={good}")
case("one moment twice", "unauthorized", f"t={T},t={T},v1={good}")
case("seventeen signatures, the last one good", "unauthorized",
     f"t={T}" + f",v1={'0' * 64}" * 16 + f",v1={good}")
case("a header of 5,000 bytes", "unauthorized", f"t={T},v1={good},x={'0' * 5000}")

# Signatures of something else.
case("v0 alone, over the right bytes", "unauthorized", f"t={T},v0={good}")
case("upper case", "unauthorized", f"t={T},v1={good.upper()}")
case("cut by one", "unauthorized", f"t={T},v1={good[:-1]}")
case("longer by one", "unauthorized", f"t={T},v1={good}0")
case("with a zero byte behind it", "unauthorized", f"t={T},v1={good}\0")
case("with = behind it", "unauthorized", f"t={T},v1={good}=")
case("with a blank before it", "unauthorized", f"t={T},v1= {good}")
case("in base64", "unauthorized",
     f"t={T},v1={base64.b64encode(bytes.fromhex(good)).decode()}")
case("all zeros", "unauthorized", f"t={T},v1={'0' * 64}")
case("one bit", "unauthorized", f"t={T},v1={'%064x' % (int(good, 16) ^ 1)}")
case("HMAC with SHA-1", "unauthorized", f"t={T},v1={code(digest=hashlib.sha1)}")
case("HMAC with SHA-512", "unauthorized", f"t={T},v1={code(digest=hashlib.sha512)}")
case("SHA-256 without a key", "unauthorized",
     f"t={T},v1={hashlib.sha256(f'{T}.'.encode() + BODY).hexdigest()}")
case("over the body alone", "unauthorized",
     f"t={T},v1={hmac.new(LIVE.encode(), BODY, hashlib.sha256).hexdigest()}")
case("over another moment", "unauthorized", f"t={T + 1},v1={good}")
case("another secret", "unauthorized", header(secret="whsec_someone_elses"))
case("an empty secret", "unauthorized", header(secret=""))
case("the secret without whsec_", "unauthorized", header(secret=LIVE.removeprefix("whsec_")))
case("the secret with a line break", "unauthorized", header(secret=LIVE + "\n"))
padded = LIVE.removeprefix("whsec_").replace("_", "A") + "=="
case("the secret decoded from base64", "unauthorized",
     f"t={T},v1={hmac.new(base64.b64decode(padded), f'{T}.'.encode() + BODY, hashlib.sha256).hexdigest()}")
case("the test secret for a live event", "unauthorized", header(secret=TEST))
case("the live secret for a test event", "unauthorized", header(TEST_BODY), TEST_BODY)
case("no live secret configured", "unauthorized", header(), live=())
case("no secret configured", "unauthorized", header(), live=(), test=())
case("300.001 s old", "unauthorized", header(), now=T * 1000 + 300_001)
case("an hour old", "unauthorized", header(), now=T * 1000 + 3_600_000)
case("300.001 s ahead", "unauthorized", header(), now=T * 1000 - 300_001)
case("a day ahead", "unauthorized", header(), now=T * 1000 - 86_400_000)

# Another body than the one that was signed.
case("one letter changed", "unauthorized", header(), BODY.replace(b"cus_1", b"cus_2"))
case("a line break behind it", "unauthorized", header(), BODY + b"\n")
case("a byte order mark before it", "unauthorized", header(), b"\xef\xbb\xbf" + BODY)
case("a zero byte behind it", "unauthorized", header(), BODY + b"\0")
case("written again with other blanks", "unauthorized", header(), json.dumps(EVENT).encode())
case("members in another order", "unauthorized", header(), text(EVENT, sort_keys=True))
case("cut", "unauthorized", header(), BODY[:-1])
case("empty, signed for another", "unauthorized", header(), b"")
case("the moment moved into the body", "unauthorized",
     f"t=1,v1={hmac.new(LIVE.encode(), f'{T}.'.encode() + BODY, hashlib.sha256).hexdigest()}",
     f"{str(T)[1:]}.".encode() + BODY, now=1500)

# Signed, and no event.
for name, body in {
    "nothing": b"", "a word": b"hello", "an array": b"[" + BODY + b"]", "a string": text("event"),
    "null": b"null", "a cut object": BODY[:-1], "something behind it": BODY + b"{}",
    "a comma too many": BODY[:-1] + b",}", "NaN": BODY[:-1] + b',"x":NaN}',
    "id twice": BODY[:-1] + b',"id":"evt_2"}', "livemode twice": BODY[:-1] + b',"livemode":false}',
    "data twice, once escaped": BODY[:-1] + b',"d\\u0061ta":{"object":{}}}',
    "not UTF-8": BODY.replace(b"cus_1", b"cus_\xff"),
    "half a surrogate": BODY.replace(b"cus_1", b"cus_\\ud800"),
    "a thousand levels": BODY[:-1] + b',"x":' + b"[" * 1000 + b"]" * 1000 + b"}",
    "no id": text({k: v for k, v in EVENT.items() if k != "id"}),
    "a number for an id": change(id=1), "a path for an id": change(id="../charges"),
    "no type": text({k: v for k, v in EVENT.items() if k != "type"}),
    "a type in capitals": change(type="CUSTOMER UPDATED"),
    "no livemode": text({k: v for k, v in EVENT.items() if k != "livemode"}),
    "livemode in words": change(livemode="true"), "created in words": change(created="today"),
    "created in milliseconds": change(created=T * 1_000_000), "data without an object": change(data={}),
    "an object that is an id": change(data={"object": "cus_1"}), "no event": change(object="customer"),
}.items():
    case(f"body: {name}", "malformed", header(body), body)

print(json.dumps(cases, indent=1, ensure_ascii=True))
