"""A connection to the daemon's HTTPS door."""

import http.client
import json
import socket
import ssl
import time
import urllib.parse

from .errors import EntitldError, Unavailable, UnknownOutcome
from .line import Line, outcome
from .lines import IDLE_SECONDS_MAX
from .timed import TimedSocket


class Address:
    """Where the HTTPS door is, and what is shown there."""

    def __init__(self, url, token, ca):
        parts = urllib.parse.urlsplit(url)
        is_here = parts.hostname in ("127.0.0.1", "localhost", "::1")
        is_bare = parts.path in ("", "/") and not parts.query and parts.username is None
        is_safe = parts.scheme == "https"
        if not is_bare or not is_safe and not (parts.scheme == "http" and is_here):
            raise TypeError("url must be https://HOST:PORT; http only to this host")
        # A header cannot carry anything else, and what refuses it there would show the token.
        if not token or not token.isascii() or not token.isprintable() or " " in token:
            raise TypeError("token must be one word of printable ASCII")
        self.url, self.host, self.port = url, parts.hostname, parts.port or (443 if is_safe else 80)
        self.headers = {"Authorization": f"Bearer {token}"}
        self.context = ssl.create_default_context(cafile=ca) if is_safe else None

    def connection(self):
        """What speaks HTTP, without a socket."""
        if self.context is None:
            return http.client.HTTPConnection(self.host, self.port)
        return http.client.HTTPSConnection(self.host, self.port, context=self.context)


class DoorLine(Line):
    """One connection over HTTPS."""

    def __init__(self, address):
        super().__init__()
        self._address = address
        self._timed = self._connection = self._events = None

    def _asked(self, request, deadline):
        if time.monotonic() - self.used_at > IDLE_SECONDS_MAX:
            self.drop()
        body = b'{"jsonrpc":"2.0","id":1,' + request
        response = self._sent("POST", "/rpc", body, {"Content-Type": "application/json"}, deadline)
        with _failing_as(UnknownOutcome):
            text = response.read()
        if response.will_close:
            self.drop()
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
        """Begins to watch; the position from which everything is told, 0 where one was asked for.

        The daemon does not say where it stands itself: behind a resync everything is told from
        `oldest` on.
        """
        query = [("userId", user) for user in user_ids or ()]
        query += [("fromSeq", from_seq)] if from_seq is not None else []
        path = "/watch" + ("?" + urllib.parse.urlencode(query) if query else "")
        response = self._sent("GET", path, None, {"Accept": "text/event-stream"}, deadline)
        if response.status != 200:
            with _failing_as(UnknownOutcome):
                self._refuse(response, response.read())
        self._events = response
        # Without a position it begins with a heartbeat, which names one.
        return 0 if from_seq is not None else self.told(deadline)[1]["seq"]

    def told(self, deadline):
        """The next event of what is watched, and its parameters."""
        name, data = None, ""
        self._wait_at_most(deadline)
        while True:
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

    def _sent(self, method, path, body, headers, deadline):
        """The response to a request; its body is still to be read."""
        if self._socket is None:
            self._connect(deadline)
        self._wait_at_most(deadline, Unavailable)
        # Only whole requests are carried out, and this one has not left whole.
        with _failing_as(Unavailable):
            self._connection.request(method, path, body, {**self._address.headers, **headers})
        with _failing_as(UnknownOutcome):
            return self._connection.getresponse()

    def _connect(self, deadline):
        try:
            self._connect_to_any(deadline)
        except OSError as error:
            # A certificate that is not trusted is not trusted later either.
            is_passing = not isinstance(error, ssl.SSLCertVerificationError)
            raise Unavailable("unreachable", f"{self._address.url}: {error}", is_passing) from error
        self._timed = TimedSocket(self._socket, deadline)
        self._connection = self._address.connection()
        self._connection.sock = self._timed
        self._connection.auto_open = 0  # only we connect

    def _connect_to_any(self, deadline):
        places = socket.getaddrinfo(self._address.host, self._address.port, type=socket.SOCK_STREAM)
        for index, (family, kind, protocol, _, place) in enumerate(places):
            # The line has it from the start: a child that is forked meanwhile closes it, too.
            self._socket = connecting = socket.socket(family, kind, protocol)
            # One address that does not answer leaves time for the others.
            share = (deadline - time.monotonic()) / (len(places) - index)
            try:
                connecting.settimeout(max(share, 0.001))
                connecting.connect(place)
                connecting.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                break
            except OSError:
                self.drop()
                if index == len(places) - 1:
                    raise
        if self._address.context is not None:
            self._socket.settimeout(max(deadline - time.monotonic(), 0.001))
            self._socket = self._address.context.wrap_socket(
                self._socket, server_hostname=self._address.host, do_handshake_on_connect=False)
            self._socket.do_handshake()

    def _wait_at_most(self, deadline, kind=UnknownOutcome):
        if self._socket is None:
            raise kind("connection_lost", "there is no connection")
        if deadline <= time.monotonic():
            raise kind("timed_out", "the daemon did not answer in time")
        self._timed.deadline = deadline

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
        # 502 and 504 are a proxy's, whose daemon is away; 503 is also an answer that came too late.
        if status in (502, 503, 504):
            message = f"HTTP {status}: the daemon takes no more for now"
            raise UnknownOutcome("connection_lost", message, True, {**wait, "httpStatus": status})
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
