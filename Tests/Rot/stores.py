"""Makes the stores that are wounded, each as a daemon left it, with the books of its answers.

    stopped   stopped with SIGTERM: the views have everything
    killed    killed right after the last answers: the end of the journal is not in the views
    pruned    its oldest segments are gone; a base stands in their place
    backup    what `backup` made of `stopped`
"""

import hashlib
import pickle
import shutil
import subprocess
import time
from pathlib import Path

from books import FAR, Books, second_token
from daemon import Daemon, Violation

STORES = ("stopped", "killed", "pruned", "backup")
# What one user takes in data.mdb, roughly; a store is as many users as reach its size.
USER_BYTES = 2400
AGED_SECONDS = 5 * 86400
# Users that are erased; each leaves a segment behind that is sealed.
ERASED = 6
# Written by the process that is killed.
LAST_USERS = 150
PRUNING_SECONDS_MAX = 300


class Store:
    """A data directory that is only copied from, its books, and an older version of its files."""

    def __init__(self, directory, name):
        self.name = name
        self.path = directory / name
        self.older = directory / "older"
        with open(directory / f"{name}.books", "rb") as file:
            users, recent = pickle.load(file)
        self.books = Books(users)
        self.books.recent = recent

    def files(self):
        """Every file, relative to the directory."""
        return sorted(str(p.relative_to(self.path)) for p in self.path.rglob("*") if p.is_file())


def life(index):
    """What one user does, as requests: few do much, so that every table has rows."""
    name = f"u{index:07}"
    user = {"userId": name}
    yield "registerAccount", user
    for turn in range(4 if index % 50 == 0 else 1):
        # The greatest accounts do not fit a page.
        source = f"{name} {turn} ".ljust(1000 if index % 50 == 0 else 300, "s")
        grant = {"amount": 10, "idempotencyKey": f"grant-{turn}", "source": source}
        yield "grantCredits", user | grant | ({"expiresAt": FAR} if index % 2 else {})
    for turn in range(40 if index % 20 == 0 else 1):
        yield "consumeCredit", user | {"idempotencyKey": f"charge-{turn}", "amount": 1}
    if index % 5 == 0:
        yield "registerAccount", user | {"appAccountToken": second_token(name)}
    if index % 11 == 0:
        hold = {"idempotencyKey": "hold", "amount": 1, "ttlSeconds": 600_000}
        if index % 20:
            yield "reserveCredits", user | hold
    if index % 7 == 0:
        grant = {"idempotencyKey": "plan", "plan": "paid", "expiresAt": FAR}
        yield "grantEntitlement", user | grant


def keep(directory, name, source, books):
    shutil.copytree(source, directory / name)
    with open(directory / f"{name}.books", "wb") as file:
        pickle.dump((books.flat(), books.recent), file)


def fill(daemon, books, users):
    """Has the daemon do what `users` do; every answer goes into the books."""

    def hear_all(requests):
        def hear(index, reply):
            if "error" in reply:
                raise Violation(f"{requests[index]}: {reply['error']}")
            fault = books.hear(*requests[index], reply)
            if fault:
                raise Violation(fault)

        daemon.ask(requests, hear)

    lives = [list(life(index)) for index in users]
    # The first of each, then the second of each: nobody waits for somebody's own last write.
    for turn in range(max(map(len, lives), default=0)):
        hear_all([requests[turn] for requests in lives if turn < len(requests)])


def make_unless_made(program, directory, mebibytes, say):
    """Has the stores of this size in `directory` made by this very program."""
    stamp = directory / "program"
    digest = hashlib.sha256(Path(program).read_bytes()).hexdigest()
    if stamp.exists() and stamp.read_text() == digest:
        return
    shutil.rmtree(directory, ignore_errors=True)
    make(program, directory, mebibytes, say)
    stamp.write_text(digest)


def make(program, directory, mebibytes, say):
    """Makes every store of this size in `directory`, and says how far it is."""
    began = time.monotonic()
    partial = directory.with_name(directory.name + ".partial")
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir(parents=True)
    count = (mebibytes << 20) // USER_BYTES
    clock = partial / "clock.so"
    source = Path(__file__).with_name("clock.c")
    subprocess.run(["cc", "-O1", "-shared", "-fPIC", source, "-o", clock], check=True)
    live, place = partial / "live", partial / "place"
    aged = {"LD_PRELOAD": str(clock), "ROT_CLOCK_SECONDS": str(AGED_SECONDS)}
    books = Books()

    def erase(daemon, number):
        name = f"e{number:07}"
        fill_erased = [("registerAccount", {"userId": name}), ("eraseUser", {"userId": name})]
        for request in fill_erased:
            daemon.ask([request], lambda _, reply: books.hear(*request, reply))

    # Days ago, so that pruning has what it may take.
    daemon = Daemon(program, place, live, preload=aged)
    daemon.start()
    pieces = 4
    for piece in range(pieces):
        fill(daemon, books, range(count * piece // 8, count * (piece + 1) // 8))
        erase(daemon, piece)
    daemon.stop()

    daemon = Daemon(program, place, live)
    daemon.start()
    fill(daemon, books, range(count // 2, count * 7 // 8))
    daemon.stop()
    shutil.copytree(live, partial / "older")
    daemon.start()
    fill(daemon, books, range(count * 7 // 8, count))
    for number in range(pieces, ERASED):
        erase(daemon, number)
    fill(daemon, books, range(count, count + LAST_USERS))
    daemon.one("backup", path=str(partial / "copy"))
    daemon.stop()
    keep(partial, "stopped", live, books)
    keep(partial, "backup", partial / "copy", books)

    pruned = Daemon(program, place, live, retention_days=1)
    pruned.start()
    deadline = time.monotonic() + PRUNING_SECONDS_MAX
    while not pruned.one("stats")["journal"]["prunedSeq"]:
        if time.monotonic() > deadline:
            raise Violation("nothing was pruned")
        time.sleep(0.2)
    pruned.stop()
    keep(partial, "pruned", live, books)

    shutil.rmtree(live)
    shutil.copytree(partial / "stopped", live)
    daemon.start()
    fill(daemon, books, range(count + LAST_USERS, count + 2 * LAST_USERS))
    daemon.kill()
    keep(partial, "killed", live, books)

    for name in ("live", "place", "copy"):
        shutil.rmtree(partial / name)
    partial.rename(directory)
    size = (directory / "stopped" / "data.mdb").stat().st_size / (1 << 20)
    say(f"made the stores of {mebibytes} MiB: {count} users, data.mdb of {size:.1f} MiB, "
        f"in {time.monotonic() - began:.0f} s")
