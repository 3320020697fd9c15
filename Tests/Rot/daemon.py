"""An entitld process, and one connection to its admin socket."""

import json
import os
import signal
import socket
import struct
import subprocess
import time
from pathlib import Path

ANSWER_SECONDS_MAX = 300
START_SECONDS_MAX = 120
STOP_SECONDS_MAX = 300
# How long a daemon that has met damage may take to end.
END_SECONDS_MAX = 10
IN_FLIGHT_MAX = 64
DAMAGED = 65
# Of what a daemon wrote, for a message.
SAID_CHARACTERS_MAX = 800

CATALOG = """
freeCredits: 3
plans:
  paid: { rank: 1, tier: paid, products: [com.example.monthly], unlimited: [render] }
"""


class Violation(Exception):
    """The daemon did what it must never do; the text says what."""


class Ended(Exception):
    """The process ended by itself: `code` as subprocess has it, and what it wrote."""

    def __init__(self, code, said):
        super().__init__(f"ended with {code}: {said[-SAID_CHARACTERS_MAX:]}")
        self.code, self.said = code, said

    @property
    def found_damage(self):
        """Whether it ended as damage should end it: with 65, and a sentence that says so."""
        return self.code == DAMAGED and "damaged" in self.said


class Daemon:
    """`program` over the data directory `storage`, with its other files in `place`."""

    def __init__(self, program, place, storage, retention_days=0, preload=None):
        self.program, self._place, self.storage = program, Path(place), Path(storage)
        self._environment = {
            name: value for name, value in os.environ.items() if not name.startswith("ENTITLD_")
        }
        if preload:
            self._environment |= preload
        self._process = self._socket = None
        self._place.mkdir(parents=True, exist_ok=True)
        self._configuration = self._place / "entitld.yaml"
        self._retention_days = retention_days
        self._log = self._place / "log"

    def _configure(self):
        (self._place / "catalog.yaml").write_text(CATALOG)
        self._configuration.write_text(
            f"storage: {{ directory: {self.storage}, mapSizeGiB: 4, "
            f"journalRetentionDays: {self._retention_days} }}\n"
            f"rpc: {{ socket: {self._place}/app, adminSocket: {self._place}/admin }}\n"
            f"catalog: {self._place}/catalog.yaml\n"
        )

    def run(self, *words):
        """Runs another command over the same directory: its exit code and what it said."""
        self._configure()
        try:
            done = subprocess.run(
                [self.program, *words, "--config", self._configuration],
                env=self._environment, stdin=subprocess.DEVNULL, text=True,
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=START_SECONDS_MAX,
            )
        except subprocess.TimeoutExpired:
            raise Violation(f"{words[0]} hangs") from None
        return done.returncode, done.stdout

    def start(self):
        """Returns when it is ready; raises Ended where it does not come up."""
        self._configure()
        with open(self._log, "wb") as log:
            self._process = subprocess.Popen(
                [self.program, "serve", "--config", self._configuration],
                env=self._environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
            )
        deadline = time.monotonic() + START_SECONDS_MAX
        while '"event":"ready"' not in self._log.read_text(errors="replace"):
            if self._process.poll() is not None:
                raise self._ended()
            if time.monotonic() > deadline:
                self.kill()
                raise Violation("the start hangs")
            time.sleep(0.005)
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.settimeout(ANSWER_SECONDS_MAX)
        try:
            self._socket.connect(f"{self._place}/admin")
        except OSError as error:
            self._lost(error)

    def ask(self, requests, hear):
        """Sends all of `requests`, pairs of method and parameters; `hear(index, reply)` judges.

        Raises Ended where the process ends meanwhile.
        """
        sent = heard = 0
        try:
            while heard < len(requests):
                while sent < len(requests) and sent - heard < IN_FLIGHT_MAX:
                    method, params = requests[sent]
                    request = {"jsonrpc": "2.0", "id": sent, "method": method, "params": params}
                    text = json.dumps(request).encode()
                    self._socket.sendall(struct.pack(">I", len(text)) + text)
                    sent += 1
                reply = json.loads(self._receive(struct.unpack(">I", self._receive(4))[0]))
                heard += 1
                hear(reply["id"], reply)
        except TimeoutError:
            waiting = requests[heard][0] if sent - heard == 1 else f"{sent - heard} requests"
            self.kill()
            raise Violation(f"no answer to {waiting} within {ANSWER_SECONDS_MAX} s") from None
        except OSError as error:
            self._lost(error)

    def one(self, method, **params):
        """The result of one call that has to succeed."""
        replies = []
        self.ask([(method, params)], lambda _, reply: replies.append(reply))
        if "result" not in replies[0]:
            raise Violation(f"{method} {params}: {replies[0]}")
        return replies[0]["result"]

    def expect_end(self, why):
        """Waits for the end that follows when damage was met; raises Ended."""
        try:
            self._process.wait(END_SECONDS_MAX)
        except subprocess.TimeoutExpired:
            self.kill()
            raise Violation(f"goes on after {why}") from None
        raise self._ended()

    def settle(self, seconds):
        """Gives it time; raises Ended where it ends meanwhile."""
        try:
            self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            return
        raise self._ended()

    def stop(self):
        """Ends it as an operator does; raises Ended where it does not end with 0."""
        self._process.send_signal(signal.SIGTERM)
        try:
            code = self._process.wait(STOP_SECONDS_MAX)
        except subprocess.TimeoutExpired:
            self.kill()
            raise Violation("the stop hangs") from None
        if code != 0:
            raise self._ended()
        self._close()

    def kill(self):
        """Ends it as a crash does."""
        if self._process and self._process.poll() is None:
            self._process.kill()
            self._process.wait()
        self._close()

    def _ended(self):
        self._close()
        return Ended(self._process.returncode, self._log.read_text(errors="replace"))

    def _close(self):
        if self._socket:
            self._socket.close()
        self._socket = None

    def _lost(self, error):
        self.expect_end(f"the connection was lost ({error or 'closed'})")

    def _receive(self, count):
        bytes = b""
        while len(bytes) < count:
            piece = self._socket.recv(count - len(bytes))
            if not piece:
                raise ConnectionError("closed")
            bytes += piece
        return bytes
