"""Frames of JSON-RPC over a Unix socket, and notifications over HTTP."""

# Looked up by name when a connection is made, which somebody without rights cannot do any more.
import encodings.idna  # noqa: F401
import json
import socket
import ssl
import struct

READ_BYTES = 256 << 10


class Lost(Exception):
    """The connection ended."""


def frame(method, params, id=0):
    """A request as it goes over the wire."""
    request = {"jsonrpc": "2.0", "id": id, "method": method, "params": params}
    return framed(json.dumps(request).encode())


def framed(text):
    """`text` with its length in front."""
    return struct.pack(">I", len(text)) + text


class Line:
    """One connection to a socket of the daemon. A timeout loses nothing of what has arrived."""

    def __init__(self, path, seconds=60):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(seconds)
        self.socket.connect(path)
        self._arrived = bytearray()

    def send(self, bytes):
        """Sends all of it; raises Lost."""
        try:
            self.socket.sendall(bytes)
        except TimeoutError:
            raise
        except OSError as error:
            raise Lost(str(error)) from None

    def receive(self):
        """The bytes of the next frame; raises TimeoutError or Lost."""
        while True:
            if len(self._arrived) >= 4:
                length = struct.unpack_from(">I", self._arrived)[0] + 4
                if len(self._arrived) >= length:
                    text = bytes(self._arrived[4:length])
                    del self._arrived[:length]
                    return text
            try:
                piece = self.socket.recv(READ_BYTES)
            except TimeoutError:
                raise
            except OSError as error:
                raise Lost(str(error)) from None
            if not piece:
                raise Lost("closed")
            self._arrived += piece

    def call(self, method, **params):
        """The whole reply to one request, with nothing else under way."""
        self.send(frame(method, params))
        return json.loads(self.receive())

    def result(self, method, **params):
        """The result of a call that has to succeed."""
        reply = self.call(method, **params)
        if "result" not in reply:
            raise Lost(f"{method} {str(params)[:200]}: {reply}")
        return reply["result"]

    def results(self, requests, together=64):
        """The results, in any order, of many calls that have to succeed."""
        requests, waiting = iter(requests), 0
        is_over = False
        while waiting or not is_over:
            while waiting < together and not is_over:
                request = next(requests, None)
                is_over = request is None
                if request:
                    self.send(frame(*request))
                    waiting += 1
            if waiting:
                reply = json.loads(self.receive())
                waiting -= 1
                if "result" not in reply:
                    raise Lost(str(reply)[:400])
                yield reply["result"]

    def close(self):
        """Leaves, whatever is under way."""
        self.socket.close()


class Door:
    """A connection to the webhook listener, by TLS, from the address `source`."""

    def __init__(self, port, certificate, source="127.0.0.1", seconds=60):
        self.socket = socket.create_connection(("127.0.0.1", port), seconds, (source, 0))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname = False
        context.load_verify_locations(certificate)
        self.socket = context.wrap_socket(self.socket)

    def post(self, payload):
        """Posts one signed payload: the status, and the body."""
        return self.post_body(b'{"signedPayload":"' + payload + b'"}')

    def post_body(self, body):
        """Posts any body: the status, and the answer's body."""
        head = "POST /webhooks/apple HTTP/1.1\r\nHost: localhost\r\n"
        head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        try:
            self.socket.sendall(head.encode() + body)
            return self._answer()
        except OSError as error:
            # A time-out too: who asks again would post it twice.
            raise Lost(str(error)) from None

    def _answer(self):
        arrived = b""
        while True:
            head, mark, body = arrived.partition(b"\r\n\r\n")
            if mark:
                length = 0
                for line in head.lower().split(b"\r\n"):
                    if line.startswith(b"content-length:"):
                        length = int(line.split(b":")[1])
                if len(body) >= length:
                    return int(head.split(b" ")[1]), body
            piece = self.socket.recv(READ_BYTES)
            if not piece:
                raise Lost("closed")
            arrived += piece

    def close(self):
        """Leaves."""
        self.socket.close()
