"""What a request looks like, and what is refused before it is sent."""

import json
from typing import Any, Dict

from .errors import EntitldError

# Limits of the daemon's JSON (proto/framing.md).
DEPTH_MAX = 32
OBJECT_MEMBERS_MAX = 20_000


def encoded(method: str, params: Dict[str, Any], frame_bytes_max: int) -> bytes:
    """The request from its method on; refused here is whatever the daemon could not read."""
    params = {key: value for key, value in params.items() if value is not None}
    if fault := _fault(params, 2):
        raise _malformed(fault)
    members = {"method": method, "params": params}
    try:
        text = json.dumps(members, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
        body = text[1:].encode()
    except ValueError as error:  # half of a surrogate pair, NaN, an infinity
        raise _malformed(error) from error
    # 50 bytes are more than what is in front of it.
    if len(body) + 50 > frame_bytes_max:
        raise EntitldError(0, "request_too_large", f"the request has {len(body)} bytes", False)
    return body


def _malformed(fault):
    return EntitldError(0, "malformed_request", f"the request cannot be sent: {fault}", False)


def _fault(value, depth):
    """What the daemon's reader would refuse in a value at this depth, or None."""
    if isinstance(value, dict):
        if len(value) > OBJECT_MEMBERS_MAX:
            return f"an object has more than {OBJECT_MEMBERS_MAX} members"
        if not all(isinstance(name, str) for name in value):
            return "the name of a member is not a string"
        inner = value.values()
    elif isinstance(value, (list, tuple)):
        inner = value
    else:
        return None
    if depth > DEPTH_MAX:
        return f"it is more than {DEPTH_MAX} deep"
    return next((fault for fault in (_fault(item, depth + 1) for item in inner) if fault), None)


_TEXT = ("a string that is not empty", lambda value: isinstance(value, str) and value != "")
_COUNT = ("a whole number from 1 up", lambda value: type(value) is int and value >= 1)
_POSITION = ("a whole number from 0 up", lambda value: type(value) is int and value >= 0)
_FLAG = ("True or False", lambda value: isinstance(value, bool))
_KINDS = {
    **dict.fromkeys(
        ("amount", "cost", "ttlSeconds", "limit", "timeoutSeconds", "extendByDays"), _COUNT),
    **dict.fromkeys(
        ("afterSeq", "minSeq", "fromSeq", "extendReasonCode", "consumptionPercentage"), _POSITION),
    **dict.fromkeys(("everything", "releaseOnDisconnect", "customerConsented", "sampleContentProvided",
                     "allowIntroductoryOffer"), _FLAG),
    "applicationUsername": ("a string", lambda value: isinstance(value, str)),
    **dict.fromkeys(("signedTransactions", "purchaseTokens", "userIds"), ("a list of strings", lambda value: (
        isinstance(value, (list, tuple)) and all(isinstance(one, str) for one in value)))),
}


def whole(**params):
    """These parameters, each of which has to be there and of its kind."""
    for name, value in params.items():
        wanted, holds = _KINDS.get(name, _TEXT)
        if not holds(value):
            raise TypeError(f"{name} must be {wanted}, not {value!r}")
    return params


def given(**params):
    """Those of these parameters that are not None, each of its kind."""
    return whole(**{name: value for name, value in params.items() if value is not None})
