"""A connection to the daemon's HTTPS door."""

import http.client
import json
import ssl
import time
import urllib.parse

from .errors import EntitldError, Unavailable, UnknownOutcome
from .line import Line, outcome

IDLE_SECONDS_MAX = 30  # of a connection; the daemon ends it after 60


class Address:
    """Where the HTTPS door is, and what is shown there."""

    def __init__(self, url, token, ca):
        parts = urllib.parse.urlsplit(url)
        is_here = parts.hostname in ("127.0.0.1", "localhost", "::1")
        is_bare = parts.path in ("", "/") and not parts.query and parts.username is None
        if not is_bare or parts.scheme != "https" and not (parts.scheme == "http" and is_here):
            raise TypeError("url must be https://HOST:PORT; http only to this host")
        self.url, self.host, self.port = url, parts.hostname, parts.port
        self.headers = {"Authorization": f"Bearer {token}"}
        self.context = ssl.create_default_context(cafile=ca) if parts.scheme == "https" else None

    def connection(self, seconds):
        if self.context is None:
            return http.client.HTTPConnection(self.host, self.port, timeout=seconds)
        return http.client.HTTPSConnection(
            self.host, self.port, timeout=seconds, context=self.context)


class DoorLine(Line):
    """One connection over HTTPS."""

    def __init__(self, address):
        super().__init__()
        self._address = address
        self._connection = self._events = None
        self._used = 0.0

    def _asked(self, request, deadline):
        if time.monotonic() - self._used > IDLE_SECONDS_MAX:
            self.drop()
        body = b'{"jsonrpc":"2.0","id":1,' + request
        response = self._sent("POST", "/rpc", body, {"Content-Type": "application/json"}, deadline)
        with _failing_as(UnknownOutcome):
            text = response.read()
        self._used = time.monotonic()
        if response.status != 200:
            self._refuse(response, text)
        try:
            reply = json.loads(text)
        except ValueError as error:
            raise UnknownOutcome("malformed_reply", str(error), False) from error
        if not isinstance(reply, dict):
            raise UnknownOutcome("malformed_reply", "not an object", False)
        return outcome(reply)

    def watch(self, user_ids, from_seq, deadline):
        """Begins to watch; the position from which everything is told."""
        query = [("userId", user) for user in user_ids or ()]
        query += [("fromSeq", from_seq)] if from_seq is not None else []
        path = "/watch" + ("?" + urllib.parse.urlencode(query) if query else "")
        response = self._sent("GET", path, None, {"Accept": "text/event-stream"}, deadline)
        if response.status != 200:
            with _failing_as(UnknownOutcome):
                self._refuse(response, response.read())
        self._events = response
        # Without a position it begins with a heartbeat, which names one.
        return from_seq if from_seq is not None else self.told(deadline)[1]["seq"]

    def told(self, deadline):
        """The next event of what is watched, and its parameters."""
        name, data = None, ""
        while True:
            self._wait_at_most(deadline)
            with _failing_as(UnknownOutcome):
                line = self._events.readline()
            if not line:
                raise UnknownOutcome("connection_lost", "the daemon ended the watch")
            field, _, value = line.decode().rstrip("\n").partition(": ")
            if field == "event":
                name = value
            elif field == "data":
                data += value
            elif not field and name:
                return name, json.loads(data)

    def drop(self):
        """Closes this end, for whoever holds the lock."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _sent(self, method, path, body, headers, deadline):
        """The response to a request; its body is still to be read."""
        if self._connection is None:
            self._connect(deadline)
        self._wait_at_most(deadline, Unavailable)
        # Only whole requests are carried out, and this one has not left whole.
        with _failing_as(Unavailable):
            self._connection.request(method, path, body, {**self._address.headers, **headers})
        with _failing_as(UnknownOutcome):
            return self._connection.getresponse()

    def _connect(self, deadline):
        connection = self._address.connection(max(deadline - time.monotonic(), 0.001))
        try:
            connection.connect()
        except BaseException as error:
            connection.close()
            if not isinstance(error, OSError):
                raise
            # A certificate that is not trusted is not trusted later either.
            is_passing = not isinstance(error, ssl.SSLError)
            raise Unavailable("unreachable", f"{self._address.url}: {error}", is_passing) from error
        self._connection = connection

    def _wait_at_most(self, deadline, kind=UnknownOutcome):
        left = deadline - time.monotonic()
        if left <= 0:
            raise kind("timed_out", "the daemon did not answer in time")
        if self._connection is not None and self._connection.sock is not None:
            self._connection.sock.settimeout(left)

    @staticmethod
    def _refuse(response, body):
        status, seconds = response.status, response.getheader("Retry-After", "")
        wait = {"retryAfterMs": int(seconds) * 1_000} if seconds.isdecimal() else {}
        if status == 401:
            raise Unavailable("permission_denied", "the daemon does not know this token", False)
        if status == 413:
            raise EntitldError(0, "request_too_large", "the daemon takes no such length", False)
        if status == 429:
            raise Unavailable("overloaded", "too many requests of this token", True, wait)
        if status == 503:  # also where an answer came too late
            raise UnknownOutcome("connection_lost", "the daemon takes no more for now", True, wait)
        try:
            reply = json.loads(body)
        except ValueError:
            reply = None
        if isinstance(reply, dict) and isinstance(reply.get("error"), dict):
            outcome(reply)
        raise UnknownOutcome("malformed_reply", f"HTTP {status} is no reply of entitld", False)


class _failing_as:
    """Turns what fails over a connection into an error of this kind."""

    def __init__(self, kind):
        self._kind = kind

    def __enter__(self):
        return self

    def __exit__(self, _, error, __):
        if isinstance(error, TimeoutError):
            raise self._kind("timed_out", "the daemon did not answer in time") from error
        if isinstance(error, (OSError, http.client.HTTPException)):
            message = str(error) or type(error).__name__
            raise self._kind("connection_lost", message) from error
