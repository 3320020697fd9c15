"""Why a call has no result."""

from typing import Any, Optional


class EntitldError(Exception):
    """The daemon's error: `code`, `name`, `message`, `retryable`, and `data` with the rest."""

    def __init__(self, code, name, message, retryable, data=None):
        super().__init__(f"{name}: {message}")
        self.code, self.name, self.message, self.retryable = code, name, message, retryable
        self.data = data or {}


class Unavailable(EntitldError):
    """No answer came. Unless it is an UnknownOutcome, the daemon has not carried the call out.

    `code` is 0; `name` is unreachable, permission_denied, timed_out or connection_lost.
    """

    def __init__(self, name, message, retryable=True, data=None):
        super().__init__(0, name, message, retryable, data)


class UnknownOutcome(Unavailable):
    """The call was sent, and nobody can tell what became of it: a write may have been kept.

    `name` is connection_lost, timed_out, malformed_reply, or unknown_outcome (it named no call).
    """
