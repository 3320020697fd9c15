"""One connection, on which one call at a time waits for its reply."""

import contextlib
import socket
import time

from .errors import SHUTTING_DOWN, EntitldError, Unavailable, UnknownOutcome


class Line:
    """One connection of one process. A call has it for itself while it waits; a watch keeps it."""

    def __init__(self):
        self._socket = None
        self.used_at = time.monotonic()
        self.has_hold = False  # credits return when it ends
        self.is_last = False  # the client was closed: it is not lent again

    @property
    def is_open(self):
        return self._socket is not None

    def ask(self, request, deadline):
        """The result; Unavailable where the request has not left whole, else UnknownOutcome."""
        try:
            return self._asked(request, deadline)
        except BaseException as error:
            # After anything but the daemon's own error, the connection may still bring the reply.
            is_answer = isinstance(error, EntitldError) and not isinstance(error, Unavailable)
            # A daemon that stops says so, and ends the connection a moment later.
            is_last = is_answer and error.code == SHUTTING_DOWN
            if is_last or not is_answer and not self._outlasts(error):
                self.drop()
            raise

    def _outlasts(self, error):
        """Whether the line stays open although the call that had it got no answer."""
        return False

    def drop(self):
        """Closes this end, for whoever has the line."""
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def has_ended(self):
        """Whether the other side has ended it while no call had it."""
        try:
            self._socket.settimeout(0)
            # That of the plain socket: TLS can look at nothing without taking it.
            came = socket.socket.recv(self._socket, 1, socket.MSG_PEEK)
        except BlockingIOError:
            return False
        except OSError:
            return True
        return not came or not self._may_bring_late_replies()

    def _may_bring_late_replies(self):
        """Whether something may be read while no call has the line; else it is the end."""
        return False

    def shut_down(self):
        """Wakes the thread that waits on it, which then drops it; any thread may do this."""
        connection = self._socket
        if connection is not None:
            # That of the plain socket: TLS would change what the other thread reads from.
            with contextlib.suppress(OSError):
                socket.socket.shutdown(connection, socket.SHUT_RDWR)


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
