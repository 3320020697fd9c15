"""A socket under a deadline, for http.client."""

import io
import time


class TimedSocket:
    """Ends every read and write by `deadline`, and so the whole call, however slowly bytes drip.

    A timeout of the socket itself begins again with each byte.
    """

    def __init__(self, connected, deadline):
        self._socket, self.deadline = connected, deadline

    def sendall(self, data):
        rest = memoryview(data)
        while rest:
            rest = rest[self._within_time().send(rest):]

    def recv_into(self, buffer):
        return self._within_time().recv_into(buffer)

    def makefile(self, _mode):
        return io.BufferedReader(_Reading(self))

    def close(self):
        """Nothing: http.client closes what it was lent before a last response is read."""

    def _within_time(self):
        left = self.deadline - time.monotonic()
        if left <= 0:
            raise TimeoutError
        self._socket.settimeout(left)
        return self._socket


class _Reading(io.RawIOBase):
    """What is read of one response; its end is not the connection's."""

    def __init__(self, timed):
        self._timed = timed

    def readable(self):
        return True

    def readinto(self, buffer):
        return self._timed.recv_into(buffer)
