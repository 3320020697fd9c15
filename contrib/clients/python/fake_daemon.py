"""A daemon that is played, for the tests of the client."""

import json
import os
import socket
import struct
import tempfile
import threading
import time
import unittest

from entitld import Client


NOT_READY = {"error": {"code": -32002, "message": "not yet",
                       "data": {"code": "not_ready", "retryable": True}}}


# What the daemon may answer before it looks up the key of a call.
BLIND_ERRORS = (
    (-32029, "overloaded", True), (-32010, "storage_full", True), (-32603, "internal_error", False),
    (-32001, "permission_denied", False),
)


def framed(value):
    body = json.dumps(value).encode()
    return struct.pack(">I", len(body)) + body


def nameless(code, name, retryable):
    data = {"code": name, "retryable": retryable}
    error = {"code": code, "message": "one sentence", "data": data}
    return framed({"jsonrpc": "2.0", "id": None, "error": error})


class FakeDaemon:
    """Listens at `path` and answers with what `script(method, params, connection)` returns.

    A dictionary is a reply's `result` or `error` member, bytes are sent as they are, None hangs up;
    (bytes, None) does both.
    """

    def __init__(self, script, listens=True):
        self._directory = tempfile.TemporaryDirectory()
        self.path = os.path.join(self._directory.name, "s")
        self.script, self.requests, self.connections = script, [], 0
        self.ended = threading.Semaphore(0)
        self._listener, self._open = socket.socket(socket.AF_UNIX), set()
        if listens:
            self.listen()

    def listen(self):
        self._listener.bind(self.path)
        self._listener.listen(64)
        threading.Thread(target=self._accept, daemon=True).start()

    def end_connections(self):
        """As a daemon that restarts does; returns when they have ended."""
        for connection in list(self._open):
            connection.shutdown(socket.SHUT_RDWR)
        while self._open:
            time.sleep(0.001)

    def _accept(self):
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            self.connections += 1
            self._open.add(connection)
            threading.Thread(
                target=self._serve, args=(connection, self.connections), daemon=True
            ).start()

    def _serve(self, connection, number):
        try:
            self._answer(connection, number)
        except OSError:
            pass  # the client has closed
        finally:
            self._open.discard(connection)
            self.ended.release()

    def _answer(self, connection, number):
        with connection, connection.makefile("rb") as stream:
            while header := stream.read(4):
                request = json.loads(stream.read(struct.unpack(">I", header)[0]))
                self.requests.append((request["method"], request["params"]))
                act = self.script(request["method"], request["params"], number)
                if act is None:
                    return
                if isinstance(act, dict):
                    body = json.dumps({"jsonrpc": "2.0", "id": request["id"], **act}).encode()
                    act = struct.pack(">I", len(body)) + body
                hangs_up = isinstance(act, tuple)
                connection.sendall(act[0] if hangs_up else act)
                if hangs_up:
                    return

    def close(self):
        self._listener.close()
        self._directory.cleanup()


class DaemonCase(unittest.TestCase):
    def daemon(self, script, **options):
        daemon = FakeDaemon(script, **options)
        self.addCleanup(daemon.close)
        return daemon

    def client(self, daemon, **options):
        client = Client(daemon.path, **{"timeout": 20, "write_timeout": 20, **options})
        self.addCleanup(client.close)
        return client
