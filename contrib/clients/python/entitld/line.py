"""One connection, on which one call at a time waits for its reply."""

import threading
import time

from .errors import EntitldError, Unavailable, UnknownOutcome


class Line:
    """One connection of one process, on which one call at a time waits for its reply."""

    def __init__(self):
        self.lock = threading.Lock()

    def ask(self, request, deadline):
        """The result; Unavailable where the request has not left whole, else UnknownOutcome."""
        if not self.lock.acquire(timeout=max(deadline - time.monotonic(), 0)):
            raise Unavailable("timed_out", "the calls of other threads took all the time")
        try:
            return self._asked(request, deadline)
        except BaseException as error:
            # After anything but the daemon's own error, the connection may still bring the reply.
            if isinstance(error, Unavailable) or not isinstance(error, EntitldError):
                self.drop()
            raise
        finally:
            self.lock.release()


def outcome(reply):
    """The result of a reply, or its error."""
    if "result" in reply and reply.get("id") is not None:
        return reply["result"]
    error = reply.get("error")
    if not isinstance(error, dict) or "code" not in error or "message" not in error:
        raise UnknownOutcome("malformed_reply", "neither result nor error", False)
    data = error.get("data") or {}
    name, retryable = data.get("code", "error"), bool(data.get("retryable"))
    if reply.get("id") is None:
        message = f"the daemon answered, without saying to which call: {error['message']}"
        data = {**data, "cause": error["code"], "retryable": retryable}
        raise UnknownOutcome("unknown_outcome", message, True, data)
    raise EntitldError(error["code"], name, error["message"], retryable, data)
