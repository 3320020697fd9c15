"""Why a call has no result."""

from typing import Any, Optional

# The daemon may answer these before it looks up the key of a call: overloaded, storage_full,
# internal_error, permission_denied. They say nothing about an earlier send of the call.
BLIND_CODES = frozenset((-32029, -32010, -32603, -32001))

# The daemon stops: it carries nothing more out, and ends its connections.
SHUTTING_DOWN = -32003


class EntitldError(Exception):
    """The daemon's error: `code`, `name`, `message`, `retryable`, and `data` with the rest.

    `idempotency_key` is the call's key, given or made up, with which it can be repeated safely; None
    where it has none.
    """

    idempotency_key: Optional[str] = None

    def __init__(self, code, name, message, retryable, data=None):
        super().__init__(f"{name}: {message}")
        self.code, self.name, self.message, self.retryable = code, name, message, retryable
        self.data = data or {}


class Unavailable(EntitldError):
    """No answer came. Unless it is an UnknownOutcome, the daemon has not carried the call out.

    `code` is 0; `name` is unreachable, permission_denied, timed_out or connection_lost; of an
    AsyncClient that was closed it is closed.
    """

    def __init__(self, name, message, retryable=True, data=None):
        super().__init__(0, name, message, retryable, data)


class UnknownOutcome(Unavailable):
    """The call was sent, and nobody can tell what became of it: a write may have been kept.

    `name` is connection_lost, timed_out, malformed_reply, or unknown_outcome: the daemon answered without
    naming a call, or answered a later send alone. `data["cause"]` is the code of that answer.
    """


def still_in_doubt(error):
    """What a call fails with whose earlier send is in doubt, where `error` answers a later one."""
    message = ("an earlier send of the call may have been carried out; "
               f"a later one was answered with {error.name}: {error.message}")
    return UnknownOutcome("unknown_outcome", message, True, {**error.data, "cause": error.code})
