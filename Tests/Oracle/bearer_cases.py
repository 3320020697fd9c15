"""Writes proto/vectors/google/bearer.json: bearer tokens of pushes, good and bad, with the verdict.

Needs the module cryptography. Each run makes new keys and throws their private halves away, so that
nobody can sign with them. Names and verdicts are written here; the tests of GooglePlay hold our
verifier to them, and google_oracle.py compares them with Google's own library.
"""

import base64
import hashlib
import hmac
import json
import sys
from pathlib import Path

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa

NOW = 1_800_000_000
AUDIENCE = "https://entitlements.example.com/webhooks/google"
ACCOUNT = "push@example-app.iam.gserviceaccount.com"
# The example of Google's page "Authentication for push subscriptions", and the key of that time.
REAL_KID = "7d680d8c70d44e947133cbd499ebc1a61c3d5abc"
REAL_N = (
    "2K7epoJWl_B68lRUi1txaa0kEuIK4WHiHpi1yC4kPyu48d046yLlrwuvbQMbog2YTOZdVoG1D4zlWKHuVY00O80U1ocF"
    "mBl3fKVrUMakvHru0C0mAcEUQo7ItyEX7rpOVYtxlrVk6G8PY4EK61EB-Xe35P0zb2AMZn7Tvm9-tLcccqYlrYBO4SWO"
    "wd5uBSqc_WcNJXgnQ-9sYEZ0JUMhKZelEMrpX72hslmduiz-LMsXCnbS7jDGcUuSjHXVLM9tb1SQynx5Xz9xyGeN4rQL"
    "nFIKvgwpiqnvLpbMo6grhJwrz67d1X6MwpKtAcqZ2V2v4rQsjbblNH7GzF8ZsfOaqw"
)
REAL_TOKEN = (
    "eyJhbGciOiJSUzI1NiIsImtpZCI6IjdkNjgwZDhjNzBkNDRlOTQ3MTMzY2JkNDk5ZWJjMWE2MWMzZDVhYmMiLCJ0eXAi"
    "OiJKV1QifQ.eyJhdWQiOiJodHRwczovL2V4YW1wbGUuY29tIiwiYXpwIjoiMTEzNzc0MjY0NDYzMDM4MzIxOTY0IiwiZ"
    "W1haWwiOiJnYWUtZ2NwQGFwcHNwb3QuZ3NlcnZpY2VhY2NvdW50LmNvbSIsImVtYWlsX3ZlcmlmaWVkIjp0cnVlLCJle"
    "HAiOjE1NTAxODU5MzUsImlhdCI6MTU1MDE4MjMzNSwiaXNzIjoiaHR0cHM6Ly9hY2NvdW50cy5nb29nbGUuY29tIiwic"
    "3ViIjoiMTEzNzc0MjY0NDYzMDM4MzIxOTY0In0.QVjyqpmadTyDZmlX2u3jWd1kJ68YkdwsRZDo-QxSPbxjug4ucLBwA"
    "s2QePrcgZ6hhkvdc4UHY4YF3fz9g7XHULNVIzX5xh02qXEH8dK6PgGndIWcZQzjSYfgO-q-R2oo2hNM5HBBsQN4ARtGK"
    "_acG-NGGWM3CQfahbEjZPAJe_B8M7HfIu_G5jOLZCw2EUcGo8BvEwGcLWB2WqEgRM0-xt5-UPzoa3-FpSPG7DHk7z9zR"
    "Ueq6eB__ldb-2o4RciJmjVwHgnYqn3VvlX9oVKEgXpNFhKuYA-mWh5o7BCwhujSMmFoBOh6mbIXFcyf5UiVqKjpqEbqP"
    "Go_AvKvIQ9VTQ"
)


def url64(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def number(value):
    return url64(value.to_bytes((value.bit_length() + 7) // 8, "big"))


def text(value):
    return value if isinstance(value, bytes) else json.dumps(value, separators=(",", ":")).encode()


KEY, SECOND, STRANGER, OTHER_USE = (rsa.generate_private_key(65537, 2048) for _ in range(4))
SHORT = rsa.generate_private_key(65537, 1024)
CURVE = ec.generate_private_key(ec.SECP256R1())
HEADER = {"alg": "RS256", "kid": "first", "typ": "JWT"}
CLAIMS = {
    "aud": AUDIENCE,
    "azp": "113774264463038321964",
    "email": ACCOUNT,
    "email_verified": True,
    "exp": NOW + 3000,
    "iat": NOW - 600,
    "iss": "https://accounts.google.com",
    "sub": "113774264463038321964",
}


def jwk(kid, key, **more):
    public = key.public_key().public_numbers()
    entry = {"kty": "RSA", "alg": "RS256", "use": "sig", "kid": kid}
    return entry | {"n": number(public.n), "e": number(public.e)} | more


def keys():
    point = CURVE.public_key().public_numbers()
    entries = [
        jwk("first", KEY),
        jwk("second", SECOND),
        jwk("encrypting", OTHER_USE, use="enc"),
        jwk("of RS512", OTHER_USE, alg="RS512"),
        jwk("short", SHORT),
        jwk("exponent one", STRANGER, e="AQ"),
        jwk("zero in front", KEY, n=url64(b"\0" + KEY.public_key().public_numbers().n.to_bytes(256, "big"))),
        {"kty": "EC", "alg": "ES256", "use": "sig", "kid": "curve", "crv": "P-256"}
        | {"x": number(point.x), "y": number(point.y)},
        {"kty": "oct", "kid": "secret", "k": url64(b"secret" * 8)},
        {"kty": "RSA", "alg": "RS256", "use": "sig", "kid": REAL_KID, "n": REAL_N, "e": "AQAB"},
    ]
    return {"keys": entries}


def rs(key, data, hash=hashes.SHA256()):
    return key.sign(data, padding.PKCS1v15(), hash)


def raw(key, data, front, back=b""):
    """A signature whose padded block is built by hand."""
    numbers = key.private_numbers()
    size = key.key_size // 8
    block = front(size, hashlib.sha256(data).digest()) + back
    value = pow(int.from_bytes(block, "big"), numbers.d, numbers.public_numbers.n)
    return value.to_bytes(size, "big")


INFO = bytes.fromhex("3031300d060960864801650304020105000420")
INFO_WITHOUT_NULL = bytes.fromhex("302f300b0609608648016503040201" + "0420")


def token(header=None, claims=None, key=KEY, sign=None):
    head = text(HEADER if header is None else header)
    body = text(CLAIMS if claims is None else claims)
    signed = f"{url64(head)}.{url64(body)}".encode()
    signature = sign(signed) if sign else rs(key, signed)
    return f"{signed.decode()}.{url64(signature)}"


def but(**changed):
    """The claims with these changed; None takes one away."""
    return {k: v for k, v in (CLAIMS | changed).items() if v is not None}


def head(**changed):
    return {k: v for k, v in (HEADER | changed).items() if v is not None}


def with_text(claims, old, new):
    return text(claims).replace(old, new)


GOOD = token()
PARTS = GOOD.split(".")
PUBLIC_PEM = KEY.public_key().public_bytes(
    serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
)


def hs256(secret):
    return lambda signed: hmac.new(secret, signed, hashlib.sha256).digest()


def at_last_bits(segment):
    """Another text of the same bytes: bits that encode nothing are set."""
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    return segment[:-1] + alphabet[alphabet.index(segment[-1]) | 1]


def flipped(place):
    signature = bytearray(base64.urlsafe_b64decode(PARTS[2] + "=="))
    signature[place] ^= 1
    return ".".join(PARTS[:2] + [url64(signature)])


def plus_modulus():
    """The same number modulo n, in as many bytes."""
    n = KEY.public_key().public_numbers().n
    for serial in range(100_000):
        signed = f"{url64(text(HEADER))}.{url64(text(but(jti=str(serial))))}".encode()
        value = int.from_bytes(rs(KEY, signed), "big") + n
        if value < 1 << 2048:
            return f"{signed.decode()}.{url64(value.to_bytes(256, 'big'))}"
    raise SystemExit("no such signature was found")


def cases():
    bearer = lambda compact: "Bearer " + compact
    long = "x" * 9000
    # Genuine.
    yield "as Google sends it", bearer(GOOD), "genuine"
    yield "by the other key", bearer(token(head(kid="second"), key=SECOND)), "genuine"
    yield "the issuer without a scheme", bearer(token(claims=but(iss="accounts.google.com"))), "genuine"
    yield "no typ", bearer(token(head(typ=None))), "genuine"
    yield "the scheme in small letters", "bearer " + GOOD, "genuine"
    yield "unknown members", bearer(token(head(x=1), but(hd="example.com", nonce=None))), "genuine"
    yield "nbf that has passed", bearer(token(claims=but(nbf=NOW - 600))), "genuine"
    yield "over within the skew", bearer(token(claims=but(iat=NOW - 3900, exp=NOW - 299))), "genuine"
    yield "issued ahead within the skew", bearer(token(claims=but(iat=NOW + 300))), "genuine"
    yield "white space in the payload", bearer(token(claims=json.dumps(CLAIMS, indent=1).encode())), "genuine"
    yield "times as whole floats", bearer(token(claims=but(iat=NOW - 600.0, exp=NOW + 3000.0))), "genuine"
    # The header field.
    yield "no header", None, "missing"
    yield "an empty header", "", "missing"
    yield "Basic", "Basic " + base64.b64encode(b"user:password").decode(), "missing"
    yield "the token without a scheme", GOOD, "missing"
    yield "the scheme alone", "Bearer", "missing"
    yield "the scheme and a space", "Bearer ", "missing"
    yield "another scheme that begins alike", "Bearers " + GOOD, "missing"
    yield "a tab behind the scheme", "Bearer\t" + GOOD, "missing"
    yield "a space in front of the scheme", " Bearer " + GOOD, "missing"
    yield "two tokens", bearer(f"{GOOD} {GOOD}"), "malformed"
    yield "two tokens and a comma", bearer(f"{GOOD}, {GOOD}"), "malformed"
    yield "a line break behind it", bearer(GOOD + "\n"), "malformed"
    yield "a space behind it", bearer(GOOD + " "), "malformed"
    yield "in quotes", bearer(f'"{GOOD}"'), "malformed"
    yield "too long", bearer(token(claims=but(x=long))), "malformed"
    # Segments.
    yield "one segment", bearer(PARTS[1]), "malformed"
    yield "two segments", bearer(".".join(PARTS[:2])), "malformed"
    yield "four segments", bearer(GOOD + "." + PARTS[2]), "malformed"
    yield "five segments, as encrypted tokens have", bearer(".".join(PARTS + PARTS[:2])), "malformed"
    yield "only dots", bearer(".."), "malformed"
    yield "no header segment", bearer("." + ".".join(PARTS[1:])), "malformed"
    yield "no payload", bearer(f"{PARTS[0]}..{PARTS[2]}"), "malformed"
    yield "no signature", bearer(f"{PARTS[0]}.{PARTS[1]}."), "malformed"
    yield "padding", bearer(token() + "=="), "malformed"
    yield "a header with padding", bearer(f"{PARTS[0]}=.{PARTS[1]}.{PARTS[2]}"), "malformed"
    yield "the alphabet of plain base64", bearer(
        token_with_dash().replace("-", "+").replace("_", "/")
    ), "malformed"
    yield "surplus bits in the signature", bearer(
        ".".join(PARTS[:2] + [at_last_bits(PARTS[2])])
    ), "malformed"
    yield "a letter beyond ASCII", bearer(PARTS[0] + "\u00e9." + ".".join(PARTS[1:])), "malformed"
    yield "a NUL", bearer(PARTS[0] + "\0." + ".".join(PARTS[1:])), "malformed"
    # The algorithm.
    yield "alg none", bearer(token(head(alg="none"), sign=lambda _: b"x")), "algorithm"
    yield "alg none without a signature", bearer(
        ".".join(token(head(alg="none")).split(".")[:2]) + "."
    ), "malformed"
    yield "alg None", bearer(token(head(alg="None"))), "algorithm"
    yield "alg nOnE", bearer(token(head(alg="nOnE"))), "algorithm"
    yield "HS256 by the public key in PEM", bearer(token(head(alg="HS256"), sign=hs256(PUBLIC_PEM))), "algorithm"
    yield "HS256 by the modulus", bearer(
        token(head(alg="HS256"), sign=hs256(KEY.public_key().public_numbers().n.to_bytes(256, "big")))
    ), "algorithm"
    yield "RS256 in the header, HS256 behind it", bearer(token(sign=hs256(PUBLIC_PEM))), "signature"
    yield "RS384", bearer(token(head(alg="RS384"), sign=lambda d: rs(KEY, d, hashes.SHA384()))), "algorithm"
    yield "RS512", bearer(token(head(alg="RS512"), sign=lambda d: rs(KEY, d, hashes.SHA512()))), "algorithm"
    yield "PS256", bearer(token(head(alg="PS256"), sign=pss)), "algorithm"
    yield "ES256", bearer(
        token(head(alg="ES256", kid="curve"), sign=lambda d: CURVE.sign(d, ec.ECDSA(hashes.SHA256())))
    ), "algorithm"
    yield "no alg", bearer(token(head(alg=None))), "algorithm"
    yield "alg null", bearer(token(text(HEADER).replace(b'"RS256"', b"null"))), "algorithm"
    yield "alg a list", bearer(token(head(alg=["RS256"]))), "algorithm"
    yield "alg in small letters", bearer(token(head(alg="rs256"))), "algorithm"
    yield "alg with a space", bearer(token(head(alg="RS256 "))), "algorithm"
    # The key.
    yield "no kid", bearer(token(head(kid=None))), "malformed"
    yield "kid a number", bearer(token(head(kid=1))), "malformed"
    yield "kid empty", bearer(token(head(kid=""))), "malformed"
    yield "kid too long", bearer(token(head(kid="k" * 256))), "malformed"
    yield "a kid that is not known", bearer(token(head(kid="third"))), "unknownKey"
    yield "a kid that is a path", bearer(token(head(kid="../../first"))), "unknownKey"
    yield "a kid in other letters", bearer(token(head(kid="First"))), "unknownKey"
    yield "a kid with a NUL behind it", bearer(token(head(kid="first\0"))), "unknownKey"
    yield "the other key's kid", bearer(token(head(kid="second"))), "signature"
    yield "a key for encryption", bearer(token(head(kid="encrypting"), key=OTHER_USE)), "unknownKey"
    yield "a key for another algorithm", bearer(token(head(kid="of RS512"), key=OTHER_USE)), "unknownKey"
    yield "a key of 1024 bits", bearer(token(head(kid="short"), key=SHORT)), "unknownKey"
    yield "a key with the exponent 1", bearer(
        token(head(kid="exponent one"), sign=lambda d: block(256, hashlib.sha256(d).digest()))
    ), "unknownKey"
    yield "a modulus with a zero in front", bearer(token(head(kid="zero in front"))), "unknownKey"
    yield "a key on a curve", bearer(token(head(kid="curve"))), "unknownKey"
    yield "a symmetric key", bearer(token(head(kid="secret"), sign=hs256(b"secret" * 8))), "unknownKey"
    # What else a header may say.
    yield "crit", bearer(token(head(crit=["exp"]))), "algorithm"
    yield "b64 false", bearer(token(head(b64=False))), "algorithm"
    yield "a key of its own in jwk", bearer(token(head(jwk=jwk("first", STRANGER)), key=STRANGER)), "algorithm"
    yield "jku", bearer(token(head(jku="https://example.com/keys"), key=STRANGER)), "algorithm"
    yield "x5u", bearer(token(head(x5u="https://example.com/chain"))), "algorithm"
    yield "x5c", bearer(token(head(x5c=["AAAA"]))), "algorithm"
    yield "zip", bearer(token(head(zip="DEF"))), "algorithm"
    yield "another typ", bearer(token(head(typ="JOSE"))), "malformed"
    yield "typ a number", bearer(token(head(typ=1))), "malformed"
    yield "kid twice", bearer(token(text(HEADER).replace(b"{", b'{"kid":"second",'))), "malformed"
    yield "alg twice", bearer(token(text(HEADER).replace(b"{", b'{"alg":"none",'))), "malformed"
    yield "alg twice, once with an escape", bearer(
        token(text(HEADER).replace(b"{", b'{"\\u0061lg":"none",'))
    ), "malformed"
    yield "a header that is a list", bearer(token([HEADER])), "malformed"
    yield "a header that is no JSON", bearer(token(b"{alg:RS256}")), "malformed"
    yield "a header with something behind it", bearer(token(text(HEADER) + b"x")), "malformed"
    yield "a header with a byte order mark", bearer(token(b"\xef\xbb\xbf" + text(HEADER))), "malformed"
    yield "a header that is not UTF-8", bearer(token(text(HEADER)[:-1] + b',"x":"\xff"}')), "malformed"
    yield "a header that nests deep", bearer(token(text(HEADER)[:-1] + b',"x":[[[[]]]]}')), "malformed"
    # The signature.
    yield "the first bit of the signature", bearer(flipped(0)), "signature"
    yield "a bit in the middle", bearer(flipped(128)), "signature"
    yield "the last bit of the signature", bearer(flipped(255)), "signature"
    yield "a signature cut short", bearer(token(sign=lambda d: rs(KEY, d)[:-1])), "signature"
    yield "a signature with a zero in front", bearer(token(sign=lambda d: b"\0" + rs(KEY, d))), "signature"
    yield "a signature with a zero behind", bearer(token(sign=lambda d: rs(KEY, d) + b"\0")), "signature"
    yield "zeros", bearer(token(sign=lambda _: bytes(256))), "signature"
    yield "ones", bearer(token(sign=lambda _: b"\xff" * 256)), "signature"
    yield "the number one", bearer(token(sign=lambda _: bytes(255) + b"\1")), "signature"
    yield "the same number plus the modulus", bearer(plus_modulus()), "signature"
    yield "by a stranger", bearer(token(key=STRANGER)), "signature"
    yield "over the payload alone", bearer(token(sign=lambda d: rs(KEY, d.split(b".")[1]))), "signature"
    yield "over what is encoded", bearer(token(sign=lambda _: rs(KEY, text(HEADER) + b"." + text(CLAIMS)))), "signature"
    yield "over SHA-1", bearer(token(sign=lambda d: rs(KEY, d, hashes.SHA1()))), "signature"
    yield "over SHA-512", bearer(token(sign=lambda d: rs(KEY, d, hashes.SHA512()))), "signature"
    yield "with PSS", bearer(token(sign=pss)), "signature"
    yield "the digest's name without its parameters", bearer(
        token(sign=lambda d: raw(KEY, d, lambda n, h: block(n, h, INFO_WITHOUT_NULL)))
    ), "signature"
    yield "padding that is too short, garbage behind the digest", bearer(
        token(sign=lambda d: raw(KEY, d, short_block))
    ), "signature"
    yield "padding of another type", bearer(
        token(sign=lambda d: raw(KEY, d, lambda n, h: b"\0\2" + b"\xaa" * (n - 54) + b"\0" + INFO + h))
    ), "signature"
    yield "the bare digest", bearer(
        token(sign=lambda d: raw(KEY, d, lambda n, h: b"\0\1" + b"\xff" * (n - 35) + b"\0" + h))
    ), "signature"
    other = token(claims=but(email="thief@example.com")).split(".")
    yield "another payload under the signature", bearer(f"{PARTS[0]}.{other[1]}.{PARTS[2]}"), "signature"
    spaced = url64(text(HEADER) + b" ")
    yield "another header under the signature", bearer(f"{spaced}.{PARTS[1]}.{PARTS[2]}"), "signature"
    # Issuer, audience, account.
    for name, issuer in (
        ("http", "http://accounts.google.com"),
        ("with a slash", "https://accounts.google.com/"),
        ("in capitals", "https://Accounts.google.com"),
        ("that begins alike", "https://accounts.google.com.example.com"),
        ("another", "https://securetoken.google.com/example"),
        ("a list", ["https://accounts.google.com"]),
        ("missing", None),
    ):
        yield f"the issuer, {name}", bearer(token(claims=but(iss=issuer))), "issuer"
    for name, audience in (
        ("another", "https://example.org/webhooks/google"),
        ("in capitals", AUDIENCE.upper()),
        ("with a slash", AUDIENCE + "/"),
        ("with a query", AUDIENCE + "?x=1"),
        ("the beginning", AUDIENCE[:-1]),
        ("a list with the right one", [AUDIENCE]),
        ("a list of two", [AUDIENCE, "https://example.org"]),
        ("empty", ""),
        ("a number", 1),
        ("missing", None),
    ):
        yield f"the audience, {name}", bearer(token(claims=but(aud=audience))), "audience"
    for name, account in (
        ("another of Google's", "other@example-app.iam.gserviceaccount.com"),
        ("in capitals", ACCOUNT.upper()),
        ("with something behind it", ACCOUNT + ".example.com"),
        ("with a NUL", ACCOUNT + "\0"),
        ("a list", [ACCOUNT]),
        ("empty", ""),
        ("missing", None),
    ):
        yield f"the account, {name}", bearer(token(claims=but(email=account))), "account"
    for name, verified in (("false", False), ("a text", "true"), ("the number 1", 1), ("missing", None)):
        yield f"email_verified, {name}", bearer(token(claims=but(email_verified=verified))), "account"
    yield "email_verified, null", bearer(
        token(claims=with_text(CLAIMS, b'"email_verified":true', b'"email_verified":null'))
    ), "account"
    # Times.
    yield "over", bearer(token(claims=but(iat=NOW - 7200, exp=NOW - 3600))), "expired"
    yield "over by the skew", bearer(token(claims=but(iat=NOW - 3900, exp=NOW - 300))), "expired"
    yield "issued in the future", bearer(token(claims=but(iat=NOW + 301, exp=NOW + 3600))), "time"
    yield "for two days", bearer(token(claims=but(exp=NOW + 172_800))), "time"
    yield "over before it was issued", bearer(token(claims=but(iat=NOW, exp=NOW - 1))), "time"
    yield "nbf in the future", bearer(token(claims=but(nbf=NOW + 301))), "time"
    yield "nbf a text", bearer(token(claims=but(nbf="0"))), "time"
    yield "no exp", bearer(token(claims=but(exp=None))), "malformed"
    yield "no iat", bearer(token(claims=but(iat=None))), "malformed"
    yield "exp a text", bearer(token(claims=but(exp=str(NOW + 3000)))), "malformed"
    yield "iat a text", bearer(token(claims=but(iat=str(NOW - 600)))), "malformed"
    yield "exp with a fraction", bearer(token(claims=but(exp=NOW + 3000.5))), "malformed"
    yield "exp beyond all numbers", bearer(token(claims=with_text(CLAIMS, str(NOW + 3000).encode(), b"1e300"))), "malformed"
    yield "exp true", bearer(token(claims=but(exp=True))), "malformed"
    yield "iat below zero", bearer(token(claims=but(iat=-1))), "malformed"
    # The payload.
    yield "aud twice", bearer(token(claims=with_text(CLAIMS, b"{", b'{"aud":"https://example.org",'))), "malformed"
    yield "email twice", bearer(token(claims=with_text(CLAIMS, b"{", b'{"email":"thief@example.com",'))), "malformed"
    yield "email_verified twice", bearer(
        token(claims=with_text(CLAIMS, b"{", b'{"email_verified":false,'))
    ), "malformed"
    yield "exp twice, once with an escape", bearer(
        token(claims=with_text(CLAIMS, b"{", b'{"\\u0065xp":1,'))
    ), "malformed"
    yield "a payload that is a list", bearer(token(claims=[CLAIMS])), "malformed"
    yield "a payload that is a text", bearer(token(claims=json.dumps(json.dumps(CLAIMS)).encode())), "malformed"
    yield "a payload that is no JSON", bearer(token(claims=b"hello")), "malformed"
    yield "a payload with NaN", bearer(token(claims=text(CLAIMS)[:-1] + b',"x":NaN}')), "malformed"
    yield "a payload with something behind it", bearer(token(claims=text(CLAIMS) + b"{}")), "malformed"
    yield "a payload that is not UTF-8", bearer(token(claims=text(CLAIMS)[:-1] + b',"x":"\xff"}')), "malformed"
    yield "a payload that nests deep", bearer(token(claims=text(CLAIMS)[:-1] + b',"x":[[[[]]]]}')), "malformed"
    yield "an empty object", bearer(token(claims=b"{}")), "issuer"
    yield "a token as payload", bearer(token(claims=GOOD.encode())), "malformed"


def pss(data):
    return KEY.sign(data, padding.PSS(padding.MGF1(hashes.SHA256()), 32), hashes.SHA256())


def block(size, digest, info=INFO):
    return b"\0\1" + b"\xff" * (size - 3 - len(info) - len(digest)) + b"\0" + info + digest


def short_block(size, digest):
    front = b"\0\1" + b"\xff" * 8 + b"\0" + INFO + digest
    return front + b"\0" * (size - len(front))


def token_with_dash():
    serial = 0
    while True:
        made = token(claims=but(jti=str(serial)))
        if "-" in made.split(".")[2] or "_" in made.split(".")[2]:
            return made
        serial += 1


def main(path):
    listed = [
        {"name": name, "authorization": authorization, "verdict": verdict}
        for name, authorization, verdict in cases()
    ]
    real = {"authorization": "Bearer " + REAL_TOKEN, "audience": "https://example.com"}
    real["account"] = "gae-gcp@appspot.gserviceaccount.com"
    for name, now, verdict in (
        ("the example of Google's page, in its hour", 1_550_183_000, "genuine"),
        ("the example of Google's page, an hour later", 1_550_187_000, "expired"),
        ("the example of Google's page, an hour before", 1_550_178_000, "time"),
    ):
        listed.append({"name": name, "now": now, "verdict": verdict} | real)
    document = {
        "about": "Bearer tokens of Pub/Sub pushes, judged at `now` (seconds since 1970) with the keys"
        " `keys`, an audience and an account; `verdict` is genuine, unknownKey or the fault. Written"
        " by Tests/Oracle/bearer_cases.py, which has thrown the private keys away.",
        "now": NOW,
        "audience": AUDIENCE,
        "account": ACCOUNT,
        "keys": keys(),
        "cases": listed,
    }
    Path(path).write_text(json.dumps(document, indent=1) + "\n")
    print(f"{len(listed)} cases")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "proto/vectors/google/bearer.json")
