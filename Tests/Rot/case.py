"""One case: a copy of a store, one wound, a daemon over it, and everything that must hold."""

import datetime
import os
import random
import shutil
import zlib
from pathlib import Path

from books import second_token, short
from daemon import Daemon, Ended, Violation
from wounds import Wound

# Users asked about: around the wound, at random, and the last that were written to.
NEAR_USERS_MAX = 40
CHANCE_USERS = 20
RECENT_USERS = 20
GHOSTS = 5
NEW_USERS = 3
READS = {"canRender", "getStatus", "getCredits", "getHistory", "exportUser", "dump", "backup"}
# What is said of a commit that used pages which had rotted meanwhile.
BUILT_ON_ROT = "was built on what was not written"
# What reads the journal or a base may answer that it is damaged, and the daemon goes on.
MAY_REFUSE = {"getHistory", "exportUser", "backup", "eraseUser"}
# Above this, to make the views anew and `verify` take seconds: they end this share of the cases.
LARGE_BYTES, LARGE_SHARE = 16 << 20, 0.3
# A backup, its `verify` and an erasure come in this share of the lives of a daemon; on a large
# store they take longer than all the rest.
UPKEEP_SHARE, LARGE_UPKEEP_SHARE = 0.3, 0.06
# For a look at what a single case leaves.
KEEP = bool(os.environ.get("ROT_KEEP"))
# Words of errors that an ending daemon may answer: the end is then waited for.
ENDING = {"internal_error", "shutting_down", "not_ready"}


def now():
    """This moment as the daemon writes it."""
    return datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="milliseconds")[:-6] + "Z"


class Case:
    """What is wounded, how, when (`before` the start, or `running`), and what comes first
    afterwards (`reads` or `writes`)."""

    def __init__(self, store, file, wound, when, first):
        self.store, self.file, self.wound = store, file, wound
        self.when, self.first = when, first

    @staticmethod
    def parse(text):
        """The case that `str` has written."""
        path, wound, when, first = text.split(",")
        store, file = path.split("/", 1)
        return Case(store, file, Wound.parse(wound), when, first)

    def __str__(self):
        return f"{self.store}/{self.file},{self.wound},{self.when},{self.first}"


class Trial:
    """A case in its own directory. `run` answers how it ended: `right`, or `65`."""

    def __init__(self, case, store, program, place, seed):
        self._case, self._store = case, store
        self._place = Path(place)
        shutil.rmtree(self._place, ignore_errors=True)
        shutil.copytree(store.path, self._place / "store")
        self._file = str(self._place / "store" / case.file)
        self._older = str(store.older / case.file)
        self._books = store.books.fork()
        self._random = random.Random(zlib.crc32(f"{seed} {case}".encode()))
        # Some stores are pruned now, from segments that may be the wounded ones.
        is_pruned = store.name == "pruned" or self._random.random() < 0.2
        self._daemon = Daemon(program, self._place, self._place / "store", int(is_pruned))
        self._near = self._names_near()
        self._is_large = os.path.getsize(store.path / "data.mdb") > LARGE_BYTES
        # Requests whose answer was lost: they may have been kept.
        self._lost = []
        # Whether a daemon came up over the wound; before that nothing was written.
        self._has_served = False
        # Whether `verify` found nothing; then nobody else may.
        self._is_clean = False
        # How the daemon ended when it found damage.
        self._end = None
        self._turn = 0

    def run(self):
        """Everything; raises Violation."""
        try:
            return self._run()
        except Violation as violation:
            if self._is_clean:
                raise Violation(f"verify said clean, but {violation}") from None
            raise
        finally:
            self._daemon.kill()
            if not KEEP:
                shutil.rmtree(self._place, ignore_errors=True)

    def _run(self):
        if self._case.when == "before":
            self._case.wound.apply(self._file, self._older)
            if not self._is_large or self._random.random() < LARGE_SHARE:
                self._is_clean = self._verify((0, 65)) == 0
        outcome = self._session(wounds=self._case.when == "running")
        # Once more with the wound still there: what was decided over it must not have spread.
        if self._has_served:
            again = self._session(wounds=False)
            outcome = "65" if "65" in (outcome, again) else "right"
        if self._is_clean and outcome == "65":
            raise Violation(f"the daemon {self._end}")
        return self._heal() or outcome

    def _session(self, wounds):
        """One life of the daemon; whether everything was right, or it ended as damage should."""
        try:
            self._daemon.start()
            self._has_served = True
            self._repeat_lost()
            if wounds:
                self._reads(self._sample(8))
                self._case.wound.apply(self._file, self._older)
            acts = [self._reads, self._writes]
            for act in acts if self._case.first == "reads" else reversed(acts):
                act(self._names())
            share = LARGE_UPKEEP_SHARE if self._is_large else UPKEEP_SHARE
            if self._random.random() < share:
                self._upkeep()
            if self._random.random() < 0.5:
                self._daemon.kill()
            else:
                self._daemon.stop()
        except Ended as end:
            if end.found_damage:
                self._end = end
                return "65"
            raise Violation(f"the daemon {end}") from None
        return "right"

    def _heal(self):
        """With the wound healed all that was answered holds, and nothing else was kept.

        Answers how it ended where that is not for the wound: a commit that was built on it is not
        believed afterwards, either.
        """
        if "/" in self._case.file or not self._has_served:
            self._case.wound.heal(self._file)
        elif self._is_large and self._random.random() > LARGE_SHARE:
            return None
        else:
            # The views are made anew from base and journal: what is false there shows now.
            for name in ("data.mdb", "data.sums", "lock.mdb"):
                (self._place / "store" / name).unlink(missing_ok=True)
        try:
            self._daemon.start()
            self._repeat_lost()
            for act in (self._reads, self._writes):
                act(self._names())
            self._daemon.stop()
        except Ended as end:
            if self._has_served and end.found_damage and BUILT_ON_ROT in end.said:
                return "65"
            raise Violation(f"healed, but the daemon {end}") from None
        except Violation as violation:
            raise Violation(f"healed, but {violation}") from None
        if self._has_served and (not self._is_large or self._random.random() < LARGE_SHARE):
            self._verify((0,))
        return None

    def _verify(self, codes):
        code, said = self._daemon.run("verify")
        if code not in codes:
            raise Violation(f"verify ends with {code}: {said[-1000:]}")
        return code

    # Whom to ask about.

    def _names_near(self):
        names = self._case.wound.names_near(self._file)
        if not names:
            return []
        # What stands beside a separator may have gone to its other side.
        known = self._books.names()
        place = {name: index for index, name in enumerate(known)}
        around = set()
        for name in names:
            index = place.get(name)
            if index is not None:
                around.update(known[max(0, index - 1) : index + 2])
        return sorted(around)

    def _sample(self, count):
        known = self._books.names()
        return self._random.sample(known, min(count, len(known)))

    def _names(self):
        near = self._random.sample(self._near, min(NEAR_USERS_MAX, len(self._near)))
        names = near + self._sample(CHANCE_USERS) + self._books.recent[-RECENT_USERS:]
        names = [name for name in dict.fromkeys(names) if not self._books.get(name).is_unsure]
        self._random.shuffle(names)
        return names

    # What is asked.

    def _reads(self, names):
        requests = []
        for name in names:
            user = {"userId": name}
            requests += [("canRender", user), ("getStatus", user), ("getCredits", user)]
            if self._random.random() < 0.3:
                requests.append(("getHistory", user | {"limit": 1000}))
            if self._random.random() < 0.1:
                # The past is made from base and journal, also when it was just now.
                requests += [("getStatus", user | {"at": now()}), ("exportUser", user)]
        for number in range(GHOSTS):
            beside = names[number % len(names)] if names else "u"
            requests.append(("canRender", {"userId": f"{beside}x{number}"}))
        for name in names[:2]:
            page = {"table": "accounts", "prefix": name[:-2], "limit": 1000}
            requests.append(("dump", page))
        self._ask(requests)

    def _writes(self, names):
        self._turn += 1
        mark = f"{self._case.first}-{self._turn}"
        requests = []
        for name in names:
            user, known = {"userId": name}, self._books.get(name)
            # What was decided once is answered, not decided again.
            for key in self._random.sample(sorted(known.keys), min(3, len(known.keys))):
                method, params, _ = known.keys[key]
                requests.append((method, user | {"idempotencyKey": key} | params))
            requests.append(("registerAccount", user))
            if known.erased:
                continue
            charge = {"idempotencyKey": f"charge-{mark}", "amount": 1}
            requests.append(("consumeCredit", user | charge))
            if self._random.random() < 0.2:
                grant = {"idempotencyKey": f"grant-{mark}", "amount": 5, "source": name}
                requests.append(("grantCredits", user | grant))
        for number in range(NEW_USERS):
            beside = names[number % len(names)] if names else "u"
            requests.append(("registerAccount", {"userId": f"{beside}n{mark}{number}"}))
        self._ask(requests)
        self._claims(names)

    def _claims(self, names):
        """A token that belongs to somebody is nobody else's."""
        owned = [n for n in names if second_token(n) in self._books.get(n).tokens][:5]
        requests = [
            ("registerAccount", {"userId": f"{n}thief", "appAccountToken": second_token(n)})
            for n in owned
        ]

        def hear(index, reply):
            code = reply.get("error", {}).get("code")
            if code != -32021:
                self._refused(*requests[index], reply)

        self._daemon.ask(requests, hear)

    def _upkeep(self):
        """A backup, and the erasure of somebody: both read all of the journal."""
        copy = self._place / f"backup-{self._turn}"
        replies = []
        self._daemon.ask([("backup", {"path": str(copy)})], lambda _, reply: replies.append(reply))
        if "result" in replies[0]:
            code, said = Daemon(self._daemon.program, self._place / "copy", copy).run("verify")
            if code != 0:
                raise Violation(f"verify of a backup that was answered ends with {code}: {said}")
        else:
            self._refused("backup", {}, replies[0])
        lost = {params.get("userId") for _, params in self._lost}
        sample = [n for n in self._sample(20) if n not in lost and not self._books.get(n).erased]
        name = next(iter(sample), None)
        if name and self._random.random() < 0.5:
            self._ask([("eraseUser", {"userId": name})])

    def _repeat_lost(self):
        """As a client does that got no answer: now each request has one."""
        lost, self._lost = self._lost, []
        self._ask(lost, is_again=True)

    def _ask(self, requests, is_again=False):
        heard = set()
        pending = list(requests)

        def hear(index, reply):
            heard.add(index)
            method, params = pending[index]
            if "error" in reply:
                self._refused(method, params, reply)
                return
            fault = self._books.hear(method, params, reply, is_again)
            if fault:
                raise Violation(fault)

        try:
            self._daemon.ask(pending, hear)
        except Ended:
            self._lost += [
                request
                for index, request in enumerate(pending)
                if index not in heard and request[0] not in READS
            ]
            raise

    def _refused(self, method, params, reply):
        """An error: right where it says damaged, or where the end with 65 follows at once."""
        error = reply.get("error")
        if error is None:
            raise Violation(f"{method} {params} was answered {reply['result']}")
        if (method in MAY_REFUSE or "at" in params) and "damaged" in error["message"]:
            if method == "eraseUser":
                self._books.change(params["userId"]).is_unsure = True
            return
        if error["data"]["code"] in ENDING:
            if method not in READS:
                self._lost.append((method, params))
            self._daemon.expect_end(f"{method} {short(params)}: {error}")
        raise Violation(f"{method} {short(params)}: {error}")
