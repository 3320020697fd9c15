"""Runs the cases of proto/vectors/conformance through this client: `conform.py VECTORS [--asyncio]`.

What the environment says is in Tests/Conformance/run.py, which starts the daemon.
"""

import asyncio
import collections
import contextlib
import inspect
import itertools
import json
import os
import pathlib
import random
import re
import sys
import threading
import time
import uuid

from entitld import Client, EntitldError, Unavailable, UnknownOutcome
from entitld.aio import AsyncClient

SECONDS = 30
# The calls of the client that have not the name of their method.
NAMES = {
    "getStatus": "status", "getEntitlement": "entitlement", "getSubscriptions": "subscriptions",
    "getManagementURL": "management_url", "getCredits": "credits", "getHistory": "history", "getOutboxes": "outboxes",
}
# The member of the result that they return.
MEMBERS = {
    "getEntitlement": "entitlement", "getSubscriptions": "subscriptions", "getManagementURL": "url",
    "getHistory": "events", "find": "matches", "get": "value", "getOutboxes": "outboxes",
    "load": "loaded",
}
KINDS = {
    "string": lambda value: isinstance(value, str),
    "integer": lambda value: type(value) is int,
    "boolean": lambda value: isinstance(value, bool),
    "time": lambda value: isinstance(value, str) and re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", value),
    "uuid": lambda value: isinstance(value, str) and str(uuid.UUID(value)) == value,
    "null": lambda value: value is None,
    "list": lambda value: isinstance(value, list),
    "object": lambda value: isinstance(value, dict),
}
READS = ("canRender", "can", "getStatus", "getEntitlement", "getSubscriptions", "getCredits", "getManagementURL",
         "getHistory", "explain", "ping", "version", "find", "dump", "get", "stats", "exportUser", "getOutboxes")


class Awaiting:
    """An AsyncClient whose calls return when they are over."""

    def __init__(self, **options):
        self._loop = asyncio.new_event_loop()
        self._client = AsyncClient(**options)

    def __getattr__(self, name):
        function = getattr(self._client, name)
        return lambda *args, **options: self._loop.run_until_complete(function(*args, **options))


class Case:
    """One case, with the names that it has made up and kept."""

    def __init__(self, number, clients, documents):
        self.number, self.clients, self.documents = number, clients, documents
        self.kept = {}

    def filled(self, value):
        if isinstance(value, dict):
            return {name: self.filled(one) for name, one in value.items()}
        if isinstance(value, list):
            return [self.filled(one) for one in value]
        if not isinstance(value, str):
            return value
        if whole := re.fullmatch(r"\$\{([^}]*)\}", value):
            return self.named(whole[1])
        return re.sub(r"\$\{([^}]*)\}", lambda found: str(self.named(found[1])), value)

    def named(self, name):
        if name not in self.kept:
            first, _, member = name.partition(".")
            if first == "signed":
                self.kept[name] = self.documents[member].pop(0)
            elif member:
                return self.kept[first][member]
            else:
                prefix = os.environ.get("ENTITLD_CONFORM_PREFIX", "")
                self.kept[name] = f"{prefix}-{self.number}-{name}"
        return self.kept[name]

    def run(self):
        """Why it failed, or None."""
        for index, step in enumerate(self.clients["steps"]):
            if step.get("transport", self.clients["transport"]) != self.clients["transport"]:
                continue
            if fault := self.step(step):
                return f"step {index + 1}: {fault}"
        return None

    def step(self, step):
        client = self.clients["admin" if step.get("admin") else "app"]
        try:
            result = call(client, step["call"], self.filled(step.get("params", {})))
        except TypeError as error:
            failure = {"code": -32602, "name": "invalid_params", "message": str(error), "data": {}}
        except EntitldError as error:
            failure = {"code": error.code, "name": error.name, "message": error.message, "data": error.data}
        else:
            if "error" in step:
                return f"no error but {result}"
            for name, member in step.get("save", {}).items():
                self.kept[name] = result[member]
            return difference(result, self.filled(step["result"])) if "result" in step else None
        wanted = step.get("error")
        if wanted is None:
            return f"{failure}"
        return difference(failure, self.filled({"name": wanted} if isinstance(wanted, str) else wanted))


def call(client, method, params):
    """By the client's own call for it, where it has one that takes these; else by name."""
    name = NAMES.get(method) or re.sub("([A-Z])", lambda letter: "_" + letter[1].lower(), method)
    function = getattr(Client, name, None)
    if function is not None:
        known = inspect.signature(function).parameters
        takes_others = any(one.kind is one.VAR_KEYWORD for one in known.values())
        given = {}
        for param, value in params.items():
            snake = re.sub("([A-Z])", lambda letter: "_" + letter[1].lower(), param)
            given[snake if snake in known else param] = value
        missing = [one for one in known.values() if one.default is one.empty and one.name not in ("self", *given)
                   and one.kind is not one.VAR_KEYWORD]
        has_key = "idempotency_key" not in known or "idempotency_key" in given
        if has_key and not missing and (takes_others or set(given) <= set(known)):
            result = getattr(client, name)(**given)
            member = MEMBERS.get(method)
            return {member: result} if member else {} if result is None else result
    if method in READS:
        return client.read(method, params)
    return client.write(method, params)


def difference(value, wanted):
    """Where a value is not as wanted, or None."""
    if isinstance(wanted, dict) and "$is" in wanted:
        return None if KINDS[wanted["$is"]](value) else f"{value!r} is no {wanted['$is']}"
    if isinstance(wanted, dict):
        if not isinstance(value, dict):
            return f"{value!r} is no object"
        for name, one in wanted.items():
            if name not in value:
                return f"no {name} in {value}"
            if fault := difference(value[name], one):
                return f"{name}: {fault}"
        return None
    if isinstance(wanted, list):
        if not isinstance(value, list) or len(value) != len(wanted):
            return f"{value!r} is no list of {len(wanted)}"
        return next((fault for fault in map(difference, value, wanted) if fault), None)
    is_equal = value == wanted and isinstance(value, bool) == isinstance(wanted, bool)
    return None if is_equal else f"{value!r}, not {wanted!r}"


class Storm:
    """Asks and charges until the input ends; see Tests/Conformance/storm.py."""

    SECONDS, CHARGE_SECONDS, SETTLE_SECONDS, LATE_SECONDS = 0.3, 2, 10, 0.25

    def __init__(self):
        self.users = json.loads(os.environ["ENTITLD_STORM_USERS"])
        self.said = collections.Counter(dict.fromkeys(
            ("answered", "unanswered", "crossed", "late", "consumed", "doubtful", "failed"), 0))
        self.early, self.other, self.doubtful = [], [], []
        self.lock, self.over, self.keys = threading.Lock(), threading.Event(), itertools.count()

    def key(self):
        return f"{os.environ['ENTITLD_CONFORM_PREFIX']}-{next(self.keys)}"

    def balanced(self, user, answer):
        with self.lock:
            self.said["answered" if answer["balance"] == self.users[user] else "crossed"] += 1

    def charged(self, answer):
        if answer["outcome"] != "consumed":
            raise ValueError(f"the charge was {answer['outcome']}")
        with self.lock:
            self.said["consumed"] += 1

    @contextlib.contextmanager
    def timed(self, seconds, key=None):
        """One call, a charge where it has a key; it may fail."""
        begin, failure = time.monotonic(), None
        try:
            yield
        except Exception as error:
            failure = error
        spent = time.monotonic() - begin
        with self.lock:
            self.said["late"] += spent > seconds + self.LATE_SECONDS
            if failure is not None:
                self.fail(failure, key)
                if spent < seconds * 0.8:
                    self.early.append(f"after {spent * 1_000:.0f} ms: {failure!r}")

    def fail(self, error, key):
        if isinstance(error, UnknownOutcome) and key is not None:
            self.said["doubtful"] += 1
            self.doubtful.append(key)
        # It may be the daemon's last word before the deadline that it starts or stops.
        elif isinstance(error, Unavailable) or getattr(error, "code", 0) in (-32002, -32003):
            self.said["unanswered" if key is None else "failed"] += 1
        else:
            self.other.append(repr(error))

    def work(self, client, is_charging):
        """A thread of the storm."""
        while not self.over.is_set():
            if is_charging:
                with self.timed(self.CHARGE_SECONDS, key := self.key()):
                    self.charged(client.consume_credit("spender", 1, key, self.CHARGE_SECONDS))
            else:
                with self.timed(self.SECONDS):
                    user = random.choice(list(self.users))
                    self.balanced(user, client.credits(user, self.SECONDS))

    async def work_along(self, client, is_charging):
        """A task of the storm."""
        while not self.over.is_set():
            if is_charging:
                with self.timed(self.CHARGE_SECONDS, key := self.key()):
                    self.charged(await client.consume_credit("spender", 1, key, self.CHARGE_SECONDS))
            else:
                with self.timed(self.SECONDS):
                    user = random.choice(list(self.users))
                    self.balanced(user, await client.credits(user, self.SECONDS))

    def rage(self, new_client):
        """8 threads with a client of their own, and 16 that share one."""
        shared = new_client()
        clients = [new_client() for _ in range(8)] + [shared] * 16
        threads = [threading.Thread(target=self.work, args=(client, number in (0, 8)))
                   for number, client in enumerate(clients)]
        for thread in threads:
            thread.start()
        sys.stdin.read()
        self.over.set()
        for thread in threads:
            thread.join()
        for key in self.doubtful:
            try:
                shared.consume_credit("spender", 1, key, self.SETTLE_SECONDS)
            except EntitldError as error:
                self.other.append(f"still doubtful: {error!r}")
        self.report()

    async def rage_along(self, new_client):
        """32 tasks that share one client."""
        async with new_client() as client:
            tasks = [asyncio.create_task(self.work_along(client, number == 0)) for number in range(32)]
            await asyncio.to_thread(sys.stdin.read)
            self.over.set()
            await asyncio.gather(*tasks)
            for key in self.doubtful:
                try:
                    await client.consume_credit("spender", 1, key, self.SETTLE_SECONDS)
                except EntitldError as error:
                    self.other.append(f"still doubtful: {error!r}")
        self.report()

    def report(self):
        print(json.dumps({**self.said, "early": self.early, "other": self.other}))


def main():
    kind = Awaiting if "--asyncio" in sys.argv else Client
    url = os.environ.get("ENTITLD_URL")
    place = {"url": url, "token": os.environ["ENTITLD_TOKEN"]} if url else {"path": os.environ["ENTITLD_SOCKET"]}
    if "--storm" in sys.argv and kind is Client:
        return Storm().rage(lambda: Client(**place))
    if "--storm" in sys.argv:
        return asyncio.run(Storm().rage_along(lambda: AsyncClient(**place)))
    patient = {"timeout": SECONDS, "write_timeout": SECONDS, "store_timeout": SECONDS}
    clients = {"app": kind(**place, **patient), "transport": "https" if url else "socket",
               "admin": kind(path=os.environ["ENTITLD_ADMIN_SOCKET"], **patient)}
    documents = json.loads(pathlib.Path(os.environ["ENTITLD_CONFORM_DOCUMENTS"]).read_text())
    ran = failed = 0
    for file in sorted(pathlib.Path(sys.argv[1]).glob("*.json")):
        for case in json.loads(file.read_text())["cases"]:
            ran += 1
            fault = Case(ran, {**clients, "steps": case["steps"]}, documents).run()
            if fault:
                failed += 1
                print(f"FAIL {file.name}: {case['name']}: {fault}")
    print(f"{ran} cases, {failed} failed")
    sys.exit(1 if failed or not ran else 0)


if __name__ == "__main__":
    main()
