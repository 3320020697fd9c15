#!/usr/bin/env python3
"""Brings over many users at once, each with a purchase that the store signed and with a balance.

    bulk.py --bin .build/release [--users 100000]

Three times: on a daemon of its own; once more on the same one, which must change nothing; and on
another one that is ended by SIGKILL in the middle, and started again. There the importer is ended in
the middle, too, and the file imported once more. Both must end with the same rows, but for when and
in which order they were written, and a further import must leave every row as it is.
"""

import argparse
import collections
import json
import subprocess
import sys
import time
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "Crowd"))
from daemon import Daemon, Failure, Home, end_cleanly  # noqa: E402
from press import Press, claims  # noqa: E402
from wire import Lost  # noqa: E402

CREDITS = 7
# What an import of so many users may take; of fewer, nothing is said.
SECONDS_MAX, USERS_JUDGED = 180, 100_000
# Members that say when something was written, and in which place: two runs never agree on them.
OF_WRITING = {"at", "clock", "group", "openedAt", "seq"}
# In `meta` also since when the catalog holds; elsewhere `from` is what a store said.
OF_META = OF_WRITING | {"from"}


def expect(is_so, words):
    if not is_so:
        raise Failure(words)


class Import:
    """One run of `entitlctl import` over the admin socket."""

    def __init__(self, home, file):
        self._begin = time.monotonic()
        self.process = subprocess.Popen(
            [home.bin / "entitlctl", "import", file, "--socket", home.admin], text=True,
            env=home.environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)

    def seconds(self):
        """How long it took; a Failure where something was not taken."""
        refused = self.process.communicate()[0].splitlines()
        took = time.monotonic() - self._begin
        expect(self.process.returncode == 0,
               f"exit {self.process.returncode}, {len(refused)} not taken: {refused[:1]}")
        return took


def dump(home):
    """Every row, as it is printed."""
    return home.run("entitlctl", "dump", "--socket", home.admin, "--timeout", 120).splitlines()


def what_is_kept(rows):
    """How often each row occurs, without what says when it was written, and in which place."""
    def stripped(value, left_out):
        if isinstance(value, list):
            return [stripped(element, left_out) for element in value]
        if isinstance(value, dict):
            return {name: stripped(inner, left_out) for name, inner in value.items() if name not in left_out}
        return value

    values = map(json.loads, rows)
    return collections.Counter(
        json.dumps(stripped(row, OF_META if row["table"] == "meta" else OF_WRITING)) for row in values)


def expect_same(rows, others):
    """Both daemons keep the same, row by row."""
    here, there = what_is_kept(rows), what_is_kept(others)
    for name, only in (("undisturbed", here - there), ("killed", there - here)):
        expect(not only, f"{sum(only.values())} rows only where it was {name}: {next(iter(only), '')}")


def check_users(daemon, users):
    """Each of some users has what the file says, and no more."""
    line = daemon.admin()
    for user in users:
        status = line.result("getStatus", userId=user)
        expect(status["creditsRemaining"] == CREDITS, f"{user}: {status['creditsRemaining']} credits")
        expect(status["isSubscriber"], f"{user} is no subscriber")


def settled(home, daemon, file, users):
    """The rows that a further import leaves as they are, and how long that took; stops the daemon."""
    rows = dump(home)
    again = Import(home, file).seconds()
    expect(dump(home) == rows, "a further import changed rows")
    check_users(daemon, users)
    daemon.stop()
    return rows, again


def undisturbed(home, file, users):
    """The rows after two imports of which the second one changes nothing."""
    daemon = Daemon(home, home.path / "undisturbed").start()
    first = Import(home, file).seconds()
    rows, again = settled(home, daemon, file, users)
    print(f"undisturbed {first:.1f} s, again {again:.1f} s, {len(rows)} rows, the same", flush=True)
    return rows, first, again


def killed(home, file, users, usual):
    """The rows after the daemon was killed in the middle of one import, and the importer in that of another."""
    daemon = Daemon(home, home.path / "killed").start()
    run = Import(home, file)
    time.sleep(usual / 5)
    run.process.kill()
    run.process.wait()
    run = Import(home, file)
    time.sleep(usual / 3)
    expect(run.process.poll() is None, "the import was over before the daemon was killed")
    daemon.kill()
    daemon.start()
    took = run.seconds()
    rows, again = settled(home, daemon, file, users)
    print(f"killed in the middle {took:.1f} s, again {again:.1f} s, {len(rows)} rows, the same", flush=True)
    return rows, took


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--bin", required=True, help="the directory of the programs")
    parser.add_argument("--users", type=int, default=100_000)
    options = parser.parse_args()
    home = Home(options.bin)
    try:
        bought = Press(home, options.users).purchases(options.users)
        file = home.path / "users.jsonl"
        with open(file, "w", encoding="utf-8") as lines:
            for user, signed in bought:
                token = claims(signed.encode())["appAccountToken"]
                line = {"userId": user, "tokens": [token], "credits": CREDITS,
                        "purchases": [{"signedTransaction": signed}]}
                print(json.dumps(line), file=lines)
        users = [user for user, _ in bought[:: max(1, len(bought) // 500)]]
        rows, usual, again = undisturbed(home, file, users)
        others, disturbed = killed(home, file, users, usual)
        expect_same(rows, others)
        expect(options.users < USERS_JUDGED or max(usual, again, disturbed) < SECONDS_MAX,
               f"more than {SECONDS_MAX} s")
        print(f"import: good, {len(rows)} rows")
    except (Failure, Lost):
        print(home.last_words(), file=sys.stderr)
        raise
    finally:
        home.remove()


if __name__ == "__main__":
    end_cleanly()
    try:
        main()
    except (Failure, Lost) as failure:
        sys.exit(f"import: {failure}")
