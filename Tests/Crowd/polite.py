"""Polite clients: each a process that asks a few times a second, one request in flight.

A request is due at a moment of a schedule that waits for nobody. Where the answer before it came
too late for that, the time counts from when it was due: a client that could not ask for 4 s has
waited for 4 s, and not only once. Where the client is free, it counts from the sending, so that the
client's own late waking is not the daemon's.
"""

import array
import gc
import itertools
import json
import multiprocessing
import os
import random
import socket
import time
from dataclasses import dataclass, field

import figures
from daemon import client_cores, pin
from press import user
from wire import Door, Line, Lost, frame

FORK = multiprocessing.get_context("fork")
LOOK_SECONDS = 0.5
# How long a notification waits for a connection, and for an answer.
DOOR_SECONDS = 30
DISK_BYTES = 1 << 20
now = time.monotonic_ns


@dataclass
class Told:
    """What one client has to say at its end."""

    # Of each answer: when it was due, how long it took, in ns, and the place of its kind.
    due: array.array = field(default_factory=lambda: array.array("q"))
    took: array.array = field(default_factory=lambda: array.array("q"))
    kind: array.array = field(default_factory=lambda: array.array("b"))
    kinds: list = field(default_factory=list)
    # Pairs: when it was due, and what was said; never answered is `lost`.
    refused: list = field(default_factory=list)
    # Writes that a watcher has to hear of: user, seq, when they were answered.
    writes: list = field(default_factory=list)
    # Ends that a watcher has to hear of: user, when they are due.
    ends: list = field(default_factory=list)
    # What a watcher heard: user, seq, cause, when.
    heard: list = field(default_factory=list)
    # Sentences about what came in the wrong order.
    disorder: list = field(default_factory=list)
    # What else it did, in counts.
    counts: dict = field(default_factory=dict)

    def add(self, kind, due, took):
        """One answer."""
        if kind not in self.kinds:
            self.kinds.append(kind)
        self.kind.append(self.kinds.index(kind))
        self.due.append(due)
        self.took.append(took)

    def answers(self):
        """All of them: kind, due, took."""
        return zip((self.kinds[place] for place in self.kind), self.due, self.took)


class Client:
    """One process. `steps` answers a generator that asks, one step a turn."""

    def __init__(self, name, rate, steps):
        self.name, self._rate, self._steps = name, rate, steps
        self._until = FORK.RawValue("d", float("inf"))
        # Up to where everything that was due has been answered, in s.
        self.progress = FORK.RawValue("d", 0)
        # The last position that a watcher has heard of.
        self.heard = FORK.RawValue("Q", 0)
        self._pipe, self._end = FORK.Pipe(duplex=False)
        self._process = FORK.Process(target=self._run, daemon=True)

    def start(self):
        """Begins to ask."""
        self._process.start()
        return self

    def stop(self, seconds):
        """Ends it; what it has to say. What is not answered after so many seconds is lost."""
        self._until.value = time.monotonic() + seconds
        if not self._pipe.poll(seconds + DOOR_SECONDS):
            self._process.kill()
            hung = int(self.progress.value * 1e9)
            return Told(refused=[(hung, f"lost: {self.name} hangs, and all that it measured")])
        told = self._pipe.recv()
        self._process.join()
        return told

    def is_over(self):
        """For the process: whether nothing more is waited for."""
        return time.monotonic() > self._until.value

    def _run(self):
        pin(client_cores())
        gc.disable()
        self.told = Told()
        try:
            self._ask()
        finally:
            self._end.send(self.told)

    def _ask(self):
        period = int(1e9 / self._rate)
        steps = self._steps(self)
        due = now() + int(random.random() * period)
        answered = 0
        # Once it is told to end, nothing new is begun.
        while self._until.value == float("inf"):
            wait = due - now()
            if wait > 0:
                time.sleep(wait / 1e9)
            # Late, because an answer was late: it counts from when it was due.
            self.begin = due if answered > due else now()
            next(steps)
            answered = now()
            due += period
            self.progress.value = due / 1e9

    # For the steps.

    def note(self, kind):
        """The request that began with this turn, or with the note before it, was answered."""
        end = now()
        self.told.add(kind, self.begin, end - self.begin)
        self.begin = end

    def refuse(self, why):
        """It was refused, or never answered."""
        self.told.refused.append((self.begin, why))

    def wait(self, receive):
        """What `receive` answers, however long it takes; None where it came to nothing."""
        while True:
            try:
                return receive()
            except TimeoutError:
                if self.is_over():
                    self.refuse("lost: never answered")
                    return None
            except (Lost, OSError, ValueError) as error:
                self.refuse(f"lost: {error}")
                return None


class Asker:
    """Asks over one connection to a socket, and makes it anew where it was lost."""

    def __init__(self, client, path):
        self.client, self._path, self._line = client, path, None
        self._ids = itertools.count(1)

    def line(self):
        """The connection, made where there is none."""
        if not self._line:
            self._line = Line(self._path, LOOK_SECONDS)
        return self._line

    def ask(self, kind, method, **params):
        """The result of one call; None where it was refused."""
        client, id = self.client, next(self._ids)
        try:
            self.line().send(frame(method, params, id))
        except (Lost, OSError) as error:
            self.leave()
            return client.refuse(f"lost: {error or 'cannot be sent'}")
        text = client.wait(self._line.receive)
        if text is None:
            return self.leave()
        reply = json.loads(text)
        # A refusal of the connection itself names nobody.
        if reply.get("id") not in (id, None):
            client.told.disorder.append(f"{method}: the reply is another's: {text[:200]}")
        if "error" in reply:
            return client.refuse(f"{method}: {reply['error']['data']['code']}")
        client.note(kind)
        return reply["result"]

    def leave(self):
        """Closes the connection."""
        if self._line:
            self._line.close()
        self._line = None


class Keys:
    """Keys for writes that nobody used before."""

    def __init__(self):
        self._base, self._count = f"{os.getpid()}-{now()}", itertools.count()

    def __next__(self):
        return f"{self._base}-{next(self._count)}"


def reads(path, accounts, methods):
    """Questions of `methods` in turn, about any account."""
    def steps(client):
        asker = Asker(client, path)
        for method in itertools.cycle(methods):
            asker.ask(method, method, userId=user(random.randint(1, accounts)))
            yield
    return steps


def newcomer(app, admin, accounts):
    """A new connection for each question, to either socket in turn."""
    def steps(client):
        askers = {"app": Asker(client, app), "admin": Asker(client, admin)}
        for name, asker in itertools.cycle(askers.items()):
            kind = f"canRender, new {name} connection"
            asker.ask(kind, "canRender", userId=user(random.randint(1, accounts)))
            asker.leave()
            yield
    return steps


def charges(path, accounts):
    """Credits of accounts without access, one at a time; their positions only ever grow."""
    def steps(client):
        asker, keys, last = Asker(client, path), Keys(), 0
        while True:
            name = user(random.choice(accounts))
            key = next(keys)
            result = asker.ask("consumeCredit", "consumeCredit", userId=name, idempotencyKey=key)
            if result:
                if result["seq"] <= last:
                    client.told.disorder.append(f"position {result['seq']} behind {last}")
                last = result["seq"]
                client.told.writes.append((name, last, now()))
            yield
    return steps


def holds(path, accounts):
    """Credits that are held and let go."""
    def steps(client):
        asker, keys = Asker(client, path), Keys()
        while True:
            held = asker.ask(
                "reserveCredits", "reserveCredits", userId=user(random.choice(accounts)),
                idempotencyKey=next(keys), amount=1, ttlSeconds=600)
            if held:
                asker.ask("releaseReservation", "releaseReservation",
                          reservation=held["reservation"])
            yield
    return steps


def purchases(path, documents):
    """Signed purchases, each shown once."""
    def steps(client):
        asker = Asker(client, path)
        for name, signed in itertools.cycle(documents):
            asker.ask("verifyPurchase", "verifyPurchase", userId=name, signedTransaction=signed)
            yield
    return steps


def gifts(path, accounts, lead_seconds):
    """Credits that are given, and access that ends soon after it was given."""
    def steps(client):
        asker, keys = Asker(client, path), Keys()
        while True:
            name = user(random.choice(accounts))
            result = asker.ask(
                "grantCredits", "grantCredits", userId=name, idempotencyKey=next(keys), amount=5)
            if result:
                client.told.writes.append((name, result["seq"], now()))
            yield
            # A user of their own, who hears of nothing else.
            name = f"end-{next(keys)}"
            end_ms = time.time_ns() // 1_000_000 + int(lead_seconds * 1000)
            due = now() + end_ms * 1_000_000 - time.time_ns()
            result = asker.ask(
                "grantEntitlement", "grantEntitlement", userId=name, idempotencyKey=next(keys),
                plan="paid", expiresAt=moment(end_ms))
            if result and now() < due:
                client.told.ends.append((name, due))
            yield
    return steps


def moment(milliseconds):
    """A moment as the daemon reads it."""
    seconds, rest = divmod(milliseconds, 1000)
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds)) + f".{rest:03}Z"


def notifications(home, payloads, is_new):
    """Signed notifications over one connection, or each over a new one."""
    kind = "webhook, new connection" if is_new else "webhook"

    def steps(client):
        door = None
        for payload in payloads:
            try:
                door = door or Door(home.port, home.certificate, seconds=DOOR_SECONDS)
            except OSError as error:
                client.refuse(f"lost: no connection: {error}")
                yield
                continue
            answer = client.wait(lambda: door.post(payload))
            if answer and answer[0] == 200:
                client.note(kind)
            elif answer:
                client.refuse(f"webhook: {answer[0]} {answer[1][:80]}")
            if is_new or not answer:
                door.close()
                door = None
            yield
        # There are enough for what is measured.
        while True:
            yield
    return steps


def watcher(path):
    """Hears of everybody, and notes when."""
    def steps(client):
        line = Line(path, LOOK_SECONDS)
        line.result("watch")
        client.progress.value = float("inf")
        heard = client.told.heard
        while not client.is_over():
            try:
                text = line.receive()
            except TimeoutError:
                continue
            except Lost:
                client.told.refused.append((now(), "watch: the connection was lost"))
                break
            at, news = now(), json.loads(text)
            params = news["params"]
            if news["method"] == "entitlementChanged":
                heard.append((params["userId"], params["seq"], params["cause"], at))
                client.heard.value = params["seq"]
            elif news["method"] == "resync":
                client.told.refused.append((at, "watch: resync"))
        while True:
            yield
    return steps


def echo():
    """What the machine itself takes: an exchange of two processes on the clients' cores."""
    def steps(client):
        mine, theirs = socket.socketpair()
        if os.fork() == 0:
            mine.close()
            while piece := theirs.recv(4096):
                theirs.sendall(piece)
            os._exit(0)
        theirs.close()
        while True:
            mine.sendall(b"x" * 100)
            mine.recv(4096)
            client.note(figures.ECHO)
            yield
    return steps


def disk(place):
    """What the machine's disk itself takes: bytes written and synced, in a file beside the store."""
    def steps(client):
        descriptor = os.open(place / f"disk-{os.getpid()}", os.O_CREAT | os.O_WRONLY | os.O_EXCL)
        os.posix_fallocate(descriptor, 0, DISK_BYTES)
        for offset in itertools.cycle(range(0, DISK_BYTES, 512)):
            os.pwrite(descriptor, b"x" * 512, offset)
            os.fdatasync(descriptor)
            client.note(figures.DISK)
            yield
    return steps
