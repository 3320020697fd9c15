"""A connection to the daemon's Unix socket."""

import errno
import json
import socket
import struct
import time

from .errors import Unavailable, UnknownOutcome
from .line import Line, outcome
from .request import encoded

# What a daemon that restarts, or whose backlog is full, answers to connect().
PASSING_ERRORS = (errno.ECONNREFUSED, errno.ECONNRESET, errno.EAGAIN, errno.ENOENT, errno.EINTR)


class SocketLine(Line):
    """One connection to the socket.

    One with a hold stays open when a call's time runs out, since the hold would end with it. The bytes of
    a reply that is half read wait for the next call, which skips what comes late by its id.
    """

    def __init__(self, path, frame_bytes_max):
        super().__init__()
        self._path, self._frame_bytes_max = path, frame_bytes_max
        self._last_id = 0
        self._received = bytearray()  # of one message, which may not be whole yet
        self._is_torn = False  # a request has left in part

    def _asked(self, request, deadline):
        self._send(request, deadline)
        return self._result(deadline)

    def watch(self, user_ids, from_seq, deadline):
        """Begins to watch; the position from which everything is told."""
        params = {"userIds": user_ids, "fromSeq": from_seq}
        return self.ask(encoded("watch", params, self._frame_bytes_max), deadline)["seq"]

    def told(self, deadline):
        """The next notification of what is watched, and its parameters."""
        message = self.next(deadline)
        return message.get("method"), message.get("params") or {}

    def next(self, deadline):
        """The next message, whatever it is."""
        if self._socket is None:
            raise UnknownOutcome("connection_lost", "there is no connection")
        try:
            self._receive(4, deadline)
            (length,) = struct.unpack_from(">I", self._received)
            if not 1 <= length <= self._frame_bytes_max:
                raise UnknownOutcome("malformed_reply", f"a reply of {length} bytes", False)
            self._receive(4 + length, deadline)
            body, self._received = self._received[4:], bytearray()
            message = json.loads(body)
        except TimeoutError:
            raise UnknownOutcome("timed_out", "the daemon did not answer in time") from None
        except OSError as error:
            raise UnknownOutcome("connection_lost", str(error)) from error
        except ValueError as error:
            raise UnknownOutcome("malformed_reply", str(error), False) from error
        if not isinstance(message, dict):
            raise UnknownOutcome("malformed_reply", "not an object", False)
        return message

    def _send(self, request, deadline):
        self._last_id += 1
        body = b'{"jsonrpc":"2.0","id":%d,%s' % (self._last_id, request)
        if self._socket is None:
            self._connect(deadline)
        rest = memoryview(struct.pack(">I", len(body)) + body)
        try:
            while rest:
                self._wait_at_most(deadline)
                rest = rest[self._socket.send(rest):]
                self._is_torn = bool(rest)
        # The daemon carries out whole frames only, and this one has not left whole.
        except TimeoutError:
            raise Unavailable("timed_out", "the daemon did not take the request in time") from None
        except OSError as error:
            raise Unavailable("connection_lost", str(error)) from error

    def _outlasts(self, error):
        is_late = isinstance(error, Unavailable) and error.name == "timed_out"
        return self.has_hold and is_late and not self._is_torn

    def _may_bring_late_replies(self):
        return self.has_hold

    def _result(self, deadline):
        while (reply := self.next(deadline)).get("id") not in (None, self._last_id) or (
            "method" in reply
        ):
            pass  # the reply to a call that was given up, or a notification
        return outcome(reply)

    def _connect(self, deadline):
        # The line has it from the start: a child that is forked meanwhile closes it, too.
        self._socket = connecting = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._received, self._is_torn = bytearray(), False
        try:
            connecting.settimeout(max(deadline - time.monotonic(), 0.001))
            connecting.connect(self._path)
        except OSError as error:
            name = "permission_denied" if isinstance(error, PermissionError) else "unreachable"
            # The daemon may be about to start.
            is_passing = isinstance(error, TimeoutError) or error.errno in PASSING_ERRORS
            raise Unavailable(name, f"{self._path}: {error}", is_passing) from error

    def _receive(self, count, deadline):
        """Reads until so many bytes of the message are there."""
        while len(self._received) < count:
            self._wait_at_most(deadline)
            chunk = self._socket.recv(count - len(self._received))
            if not chunk:
                raise UnknownOutcome("connection_lost", "the connection ended before the reply")
            self._received += chunk

    def _wait_at_most(self, deadline):
        if self._socket is None:
            raise OSError(errno.EBADF, "the process was forked in the middle of this call")
        left = deadline - time.monotonic()
        if left <= 0:
            raise TimeoutError
        self._socket.settimeout(left)
