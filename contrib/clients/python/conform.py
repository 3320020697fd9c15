"""Runs the cases of proto/vectors/conformance through this client: `conform.py VECTORS [--asyncio]`.

What the environment says is in Tests/Conformance/run.py, which starts the daemon.
"""

import asyncio
import collections
import inspect
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


def storm(new_client):
    """Asks and charges until the input ends; see Tests/Conformance/storm.py."""
    users = json.loads(os.environ["ENTITLD_STORM_USERS"])
    said = collections.Counter(dict.fromkeys(
        ("answered", "unanswered", "crossed", "late", "consumed", "doubtful", "failed"), 0))
    other, lock, over = [], threading.Lock(), threading.Event()

    def count(name):
        with lock:
            said[name] += 1

    def ask(own, user):
        if own.credits(user, timeout=0.3)["balance"] == users[user]:
            count("answered")
        else:
            count("crossed")

    def work(number):
        own = new_client()
        while not over.is_set():
            is_charge = number == 0
            begin, seconds = time.monotonic(), 2 if is_charge else 0.3
            try:
                if is_charge:
                    own.consume_credit("spender", timeout=seconds)
                    count("consumed")
                else:
                    ask(own, random.choice(list(users)))
            except UnknownOutcome:
                count("doubtful" if is_charge else "unanswered")
            except Unavailable:
                count("failed" if is_charge else "unanswered")
            except Exception as error:
                with lock:
                    other.append(repr(error))
            if time.monotonic() - begin > seconds + 0.25:
                count("late")

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    sys.stdin.read()
    over.set()
    for thread in threads:
        thread.join()
    print(json.dumps({**said, "other": other}))


def main():
    kind = Awaiting if "--asyncio" in sys.argv else Client
    url = os.environ.get("ENTITLD_URL")
    place = {"url": url, "token": os.environ["ENTITLD_TOKEN"]} if url else {"path": os.environ["ENTITLD_SOCKET"]}
    if "--storm" in sys.argv:
        return storm(lambda: kind(**place))
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
