#!/usr/bin/env python3
"""Ten polite clients, a sender of notifications and a watcher, alone and beside bad neighbours.

    crowd.py --bin .build/release                   everything; p99 alone and beside, and a verdict
    crowd.py --bin .build/release --only 1a,4b      some of it
    crowd.py --bin .build/debug --smoke             small, and counts alone decide

Each scenario has a daemon of its own, on the first core; everybody else is on the others,
neighbours behind all that is polite. A whole run is good where no kind of request has a p99 beside
its neighbour above the larger of twice what it has alone and 10 ms, nothing was refused, nothing
was lost, and the order was right. The row `echo` is an exchange between two of the clients' own
processes: where that is slow, the machine was too busy for a verdict on times. The row `disk` is an
fdatasync of a file of the clients' own beside the store: no write is answered sooner than that.

As root, neighbours run under another uid than the polite, as other programs would: some limits are
shared out by uid.
"""

import argparse
import concurrent.futures
import contextlib
import os
import re
import socket
import sys
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

import figures
import neighbours
import polite
from daemon import Daemon, Failure, Home, Sampler, end_cleanly
from polite import FORK, Client
from press import Press, user
from stage import DEEP, HEAVY, Neighbour, Sizes, Stage
from wire import Lost

UNIT = Path(__file__).resolve().parents[2] / "contrib/systemd/entitld.service"
# How long after the grant an end of access comes.
LEAD_SECONDS = 0.7
# How many scenarios a smoke run plays at once.
GROUPS = 3
# How long memory may take to be given back.
AFTER_SECONDS = 5


@dataclass
class Scenario:
    """One bad neighbour: what it is, what it runs, and what it must have done to count."""

    name: str
    title: str
    act: object
    done: str
    # In a smoke run, where that takes too long: what stands for it.
    done_small: str = ""
    # What the one who measures does to the daemon meanwhile: called four times a second.
    control: object = None
    options: dict = field(default_factory=dict)
    descriptors: bool = False
    is_silent_store: bool = False
    # At least so much of what it must have done.
    least: int = 1

    def must_do(self, is_smoke):
        """What the neighbour must have done."""
        return is_smoke and self.done_small or self.done


def stop_reading(daemon, _):
    """Leaves what it logs unread."""
    daemon.is_log_unread.set()


def reload_each_second(daemon, turn):
    """Has the catalog read again."""
    if turn % 4 == 0:
        daemon.reload()


SCENARIOS = [
    Scenario("1a", "20 pages of a long history at once, by somebody who leaves",
             neighbours.histories, "left"),
    Scenario("1b", "two erasures at once", neighbours.two_erasures, "begun"),
    Scenario("1c", "a backup and an erasure at once", neighbours.backup_and_erasure, "begun"),
    Scenario("2a", "connections that read nothing of much", neighbours.unread, "unread"),
    Scenario("2b", "frames that are half sent", neighbours.half_frames, "half sent"),
    Scenario("2c", "watchers who name thousands of users", neighbours.long_lists, "watching"),
    Scenario("2d", "as many silent connections as there are places", neighbours.silent_seats,
             "connected"),
    Scenario("3", "purchases looked up at a silent store, charges behind them",
             neighbours.nothing, "longest wait for the store, s", "asked", least=5,
             is_silent_store=True),
    Scenario("4a", "watchers who join far back", neighbours.joins, "joined", least=100),
    Scenario("4b", "thousands of watchers of chosen users, many charges",
             neighbours.chosen_users, "watching"),
    Scenario("5a", "pages of a dump", neighbours.dumps, "answered"),
    Scenario("5b", "batches about an account of many buckets", neighbours.batches, "answered"),
    Scenario("6", "TLS connections that never say goodbye", neighbours.no_goodbye, "handshakes",
             descriptors=True),
    Scenario("7", "hostile JSON", neighbours.hostile_json, "answered"),
    Scenario("8", "a log that nobody reads, and refusals in it", neighbours.forgeries,
             "answered 401", control=stop_reading, options={"log_level": "info"}, least=50),
    Scenario("9", "a new catalog each second while access ends", neighbours.ends_of_many, "ends",
             control=reload_each_second),
]


class Theatre:
    """The store that every scenario runs on, and what is signed for it."""

    def __init__(self, bin, sizes, keep):
        self.home, self.sizes = Home(bin, keep), sizes
        self.store = self.home.path / "data"
        self.press = Press(self.home, sizes.accounts // 2)
        self._victims = iter(range(sizes.victims))

    def seed(self):
        """Accounts, one with a long history, one with many buckets, and some to erase."""
        began, sizes = time.monotonic(), self.sizes
        daemon = Daemon(self.home, self.store).start()
        self.home.seed(sizes.accounts)
        line = daemon.admin()

        def fill(requests):
            for _ in line.results(requests):
                pass

        names = [DEEP, HEAVY, *map(self._victim, range(sizes.victims))]
        fill(("registerAccount", {"userId": name}) for name in names)
        charge = "consumeCredit"
        fill((charge, {"userId": DEEP, "idempotencyKey": f"deep-{number}"})
             for number in range(sizes.deep_events))
        fill(("grantCredits", {"userId": HEAVY, "amount": 1, "idempotencyKey": f"b-{number}",
                               "expiresAt": polite.moment(4_000_000_000_000 + number * 1000)})
             for number in range(sizes.buckets))
        fill((charge, {"userId": self._victim(number), "idempotencyKey": f"v-{key}"})
             for number in range(sizes.victims) for key in range(5))
        seq = line.result("stats")["seq"]
        daemon.stop()
        print(f"a store of {sizes.accounts} accounts and {seq} entries, "
              f"made in {time.monotonic() - began:.0f} s", flush=True)

    @staticmethod
    def _victim(number):
        return f"victim-{number:03}"

    def victims(self, count):
        """Names of people to erase, each given out once."""
        return [self._victim(number) for number, _ in zip(self._victims, range(count))]

    def cast(self, seconds):
        """The polite, for a scenario of so many seconds."""
        home, accounts = self.home, self.sizes.accounts
        app, admin = home.app, home.admin
        free = range(accounts // 2 + 1, accounts * 5 // 8)
        # Enough also where those who wait are waited for: 30 a second are sent.
        signed = self.press.notifications(int(33 * (seconds + self.sizes.patience_seconds)))
        fresh = len(signed) // 3
        bought = self.press.purchases(int(11 * (seconds + 20)))
        few = ["getHistory", "explain"]
        some = ["getCredits", "getEntitlement", "getManagementURL"]
        return [
            Client("check-1", 200, polite.reads(app, accounts, ["canRender"])),
            Client("check-2", 100, polite.reads(app, accounts, ["canRender"])),
            Client("status", 100, polite.reads(app, accounts, ["getStatus"])),
            Client("some", 30, polite.reads(app, accounts, some)),
            Client("newcomer", 20, polite.newcomer(app, admin, accounts)),
            Client("charge-1", 60, polite.charges(app, free)),
            Client("charge-2", 20, polite.charges(app, free)),
            Client("hold", 20, polite.holds(app, free)),
            Client("few", 20, polite.reads(app, accounts, few)),
            Client("purchase", 10, polite.purchases(app, bought)),
            Client("gift", 20, polite.gifts(admin, free, LEAD_SECONDS)),
            Client("sender", 20, polite.notifications(home, signed[fresh:], False)),
            Client("new sender", 10, polite.notifications(home, signed[:fresh], True)),
            Client("echo", 100, polite.echo()),
            Client("disk", 20, polite.disk(home.path)),
        ]


@dataclass
class Outcome:
    """What came of one scenario."""

    scenario: Scenario
    rows: list
    refused: list
    lost: list
    disorder: list
    counts: dict
    # MiB before, at most, and a while after.
    memory: tuple
    descriptors: int
    # What `Daemon.load` said before and after.
    load: tuple

    @property
    def share(self):
        """Percent of the time beside: the daemon's core at work for the daemon, the same for anybody
        else, and its RPC threads waiting for it."""
        clock, core, own, waited = (after - before for before, after in zip(*self.load))
        return [100 * part / clock for part in (own, max(0, core - own), waited)]

    @property
    def worst(self):
        """The row that is farthest above, or nearest to, what it may take."""
        ours = [row for row in self.rows if row.kind not in figures.MACHINE]
        return max(ours, key=lambda row: (row.beside or float("inf")) / row.limit)

    @property
    def echo(self):
        """What an exchange of the clients' own took beside the neighbour, in ms."""
        return next((row.beside for row in self.rows if row.kind == figures.ECHO), None)

    @property
    def disk(self):
        """What an fdatasync of the clients' own took, in ms: the longer of alone and beside."""
        row = next((row for row in self.rows if row.kind == figures.DISK), None)
        return max(filter(None, (row.alone, row.beside)), default=None) if row else None

    def faults(self, is_smoke):
        """Sentences about what is wrong; none where it is good."""
        found, scenario = [], self.scenario
        if self.counts.get(scenario.must_do(is_smoke), 0) < (1 if is_smoke else scenario.least):
            found.append(f"the neighbour did too little: {self.counts}")
        if self.refused:
            found.append(f"{len(self.refused)} refused: {self.refused[0]}")
        if self.lost:
            found.append(f"{len(self.lost)} lost: {self.lost[0]}")
        if self.disorder:
            found.append(f"{len(self.disorder)} out of order: {self.disorder[0]}")
        found += [f"{row.kind}: none was answered" for row in self.rows if row.beside is None]
        if self.memory[1] > memory_max():
            found.append(f"{self.memory[1]:.0f} MiB: more than MemoryMax= of the unit")
        if not is_smoke:
            found += [
                f"{row.kind}: {row.beside:.1f} ms, and may take {row.limit:.1f}"
                for row in self.rows
                if row.kind not in figures.MACHINE and row.beside is not None and not row.is_good
            ]
        return found


def memory_max():
    """MemoryMax= of the unit in MiB; endless where it names none."""
    found = re.search(r"^MemoryMax=(\d+)([MG])", UNIT.read_text(), re.M)
    return int(found[1]) * {"M": 1, "G": 1024}[found[2]] if found else float("inf")


@contextlib.contextmanager
def silent_store():
    """A server that takes every question and answers none; where it listens."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        kept = []

        def accept():
            with contextlib.suppress(OSError):
                while True:
                    kept.append(server.accept()[0])

        threading.Thread(target=accept, daemon=True).start()
        yield f"http://127.0.0.1:{server.getsockname()[1]}"


def play(theatre, scenario):
    """Runs one scenario; its outcome."""
    # What the scenario before has left to the disk would be waited for by the writes of this one.
    os.sync()
    with contextlib.ExitStack() as stack:
        options = dict(scenario.options)
        if scenario.is_silent_store:
            options["api"] = stack.enter_context(silent_store())
        daemon = Daemon(theatre.home, theatre.store, **options)
        stack.callback(daemon.kill)
        limit = theatre.sizes.descriptors if scenario.descriptors else None
        daemon.start(limit)
        return Play(theatre, scenario, daemon).run()


class Play:
    """One scenario under way."""

    def __init__(self, theatre, scenario, daemon):
        self._theatre, self._scenario, self._daemon = theatre, scenario, daemon
        self._sizes = theatre.sizes
        self._stage = Stage(theatre.home, self._sizes)
        self._stage.awaited = scenario.must_do(is_short(self._sizes))
        self._flag = FORK.RawValue("b", 0)

    def run(self):
        """Alone, beside the neighbour, and until everything due has been answered."""
        sizes, daemon = self._sizes, self._daemon
        self._prepare()
        cast = self._theatre.cast(sizes.alone_seconds + sizes.beside_seconds)
        if self._scenario.is_silent_store:
            cast.append(self._behind())
        self._watch()
        for client in cast:
            client.start()
        # Processes begin, connections are made, caches are warm.
        time.sleep(0.3 if is_short(sizes) else 1)
        alone = self._window(sizes.alone_seconds)
        before = daemon.memory()
        sampler = Sampler(daemon.memory)
        descriptors = Sampler(daemon.descriptors)
        neighbour = Neighbour(self._scenario.act, self._stage)
        load = daemon.load()
        beside = self._window(sizes.beside_seconds, self._control)
        load = load, daemon.load()
        if is_short(sizes) and not self._scenario.is_silent_store:
            # On a busy machine it does nothing for a while: it comes behind everybody.
            self._await(self._stage.has_acted)
        self._flag.value = 0
        # Who waited for longer than the window is waited for.
        self._catch_up(cast, beside.end)
        counts = neighbour.stop()
        # What is still to be heard of ends.
        time.sleep(LEAD_SECONDS)
        told = self._stop(cast)
        peak = sampler.stop()
        time.sleep(AFTER_SECONDS if not is_short(sizes) else 0)
        memory = (before, peak, daemon.memory())
        if not daemon.is_running():
            raise Failure(f"the daemon has ended: {daemon.said}")
        return self._outcome(alone, beside, told, counts, memory, descriptors.stop(), load)

    def _watch(self):
        """The watcher is there before anybody writes."""
        self._watcher = Client("watcher", 1, polite.watcher(self._theatre.home.app)).start()
        deadline = time.monotonic() + 30
        while self._watcher.progress.value == 0:
            if time.monotonic() > deadline:
                raise Failure("the watcher cannot join")
            time.sleep(0.01)

    def _prepare(self):
        if self._scenario.name in ("1b", "1c"):
            self._stage.victims = self._theatre.victims(self._sizes.victims // 2)
        if self._scenario.name == "8":
            for payload in self._theatre.press.notifications(200):
                # Another signature of the right length.
                self._stage.forged.append(payload[:-20] + payload[-20:][::-1])

    def _behind(self):
        accounts = self._sizes.accounts
        mine = range(accounts * 5 // 8, accounts * 11 // 16)
        strangers = [user(number) for number in range(accounts * 11 // 16, accounts * 3 // 4)]
        steps = neighbours.behind(self._theatre.home.app, mine, strangers, self._flag)
        return Client("behind", 20, steps)

    def _window(self, seconds, control=None):
        begin = time.monotonic()
        if control:
            self._flag.value = 1
        turn = 0
        while (left := begin + seconds - time.monotonic()) > 0:
            if control:
                control(turn)
            turn += 1
            time.sleep(min(0.25, left))
        return figures.Window(int(begin * 1e9), time.monotonic_ns())

    def _control(self, turn):
        if self._scenario.control:
            self._scenario.control(self._daemon, turn)

    def _catch_up(self, cast, end):
        self._await(lambda: all(client.progress.value * 1e9 >= end for client in cast))

    def _await(self, is_so):
        deadline = time.monotonic() + self._sizes.patience_seconds
        while not is_so() and time.monotonic() < deadline:
            time.sleep(0.05)

    def _stop(self, cast):
        # The watcher goes last: it hears of what the others have written.
        told = {client.name: client.stop(2) for client in cast}
        last = max(seq for one in told.values() for _, seq, _ in one.writes or [("", 0, 0)])
        self._await(lambda: self._watcher.heard.value >= last)
        told["watcher"] = self._watcher.stop(0.5)
        return told

    def _outcome(self, alone, beside, told, counts, memory, descriptors, load):
        heard, ends = figures.news(told["watcher"])
        disorder = figures.disorder_of_news(told["watcher"])
        refused, lost = [], []
        for one in told.values():
            for window in (alone, beside):
                window.take(one)
                window.take_news(one, heard, ends)
            disorder += one.disorder
            counts |= one.counts
        refused = alone.refused + beside.refused
        lost = alone.lost + beside.lost
        rows = figures.rows(alone, beside)
        return Outcome(
            self._scenario, rows, refused, lost, disorder, counts, memory, descriptors, load)


def is_short(sizes):
    """Whether this is a run that only counts."""
    return sizes.beside_seconds < 5


def show(outcome, is_smoke):
    """Prints one scenario."""
    scenario = outcome.scenario
    print(f"\n== {scenario.name}: {scenario.title}")
    print(figures.table(
        ["", "p99 alone, ms", "beside, ms", "ratio", "answers", ""],
        [[row.kind, figures.shown(row.alone), figures.shown(row.beside),
          figures.shown(row.ratio, 1), row.count,
          "" if is_smoke or row.is_good or row.kind in figures.MACHINE else "ABOVE"]
         for row in outcome.rows],
    ))
    before, peak, after = outcome.memory
    print(f"memory {before:.0f} MiB before, {peak:.0f} at most, {after:.0f} after; "
          f"{outcome.descriptors} descriptors at most; the neighbour: {outcome.counts}")
    own, others, waited = outcome.share
    print(f"the daemon's core: {own:.0f} % for the daemon, {others:.0f} % for anybody else; "
          f"its RPC threads waited for it {waited:.1f} % of the time")
    for fault in outcome.faults(is_smoke):
        print(f"NOT GOOD: {fault}")
    sys.stdout.flush()


def summary(outcomes, is_smoke):
    """One line for each scenario."""
    lines = []
    for outcome in outcomes:
        worst, scenario = outcome.worst, outcome.scenario
        lines.append([
            f"{scenario.name} {scenario.title}", worst.kind, figures.shown(worst.alone),
            figures.shown(worst.beside), figures.shown(worst.ratio, 1), len(outcome.refused),
            len(outcome.lost), figures.shown(outcome.echo),
            figures.shown(outcome.disk), f"{outcome.memory[1]:.0f}",
            "not good" if outcome.faults(is_smoke) else "good",
        ])
    head = ["neighbour", "worst kind", "alone, ms", "beside, ms", "ratio", "refused", "lost",
            "echo, ms", "disk, ms", "MiB", "verdict"]
    return head, lines


def play_all(options, sizes, names):
    """Plays these one after the other, on one store; the outcomes."""
    theatre, outcomes = Theatre(options.bin, sizes, options.place), []
    try:
        theatre.seed()
        for scenario in SCENARIOS:
            if scenario.name in names:
                outcomes.append(play(theatre, scenario))
                show(outcomes[-1], options.smoke)
    finally:
        theatre.home.remove()
    return outcomes


def play_side_by_side(options, sizes, names):
    """The same where times do not count: some at once, each group on a store of its own."""
    groups = [group for place in range(GROUPS) if (group := names[place::GROUPS])]
    with concurrent.futures.ProcessPoolExecutor(len(groups)) as pool:
        jobs = [pool.submit(play_all, options, sizes, group) for group in groups]
        outcomes = [outcome for job in jobs for outcome in job.result()]
    return sorted(outcomes, key=lambda outcome: names.index(outcome.scenario.name))


def arguments():
    """The words of the command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--bin", required=True, help="the directory of the programs")
    parser.add_argument("--only", default="", help="these scenarios alone, with commas")
    parser.add_argument("--accounts", type=int, help="of the store")
    parser.add_argument("--smoke", action="store_true", help="small; counts alone decide")
    parser.add_argument("--markdown", action="store_true", help="the last table for a page")
    parser.add_argument("--place", default="/tmp", help="where the store is made")
    return parser.parse_args()


def main():
    """Answers whether everything was good."""
    options = arguments()
    sizes = Sizes.smoke() if options.smoke else Sizes()
    if options.accounts:
        sizes.accounts = options.accounts
    if os.getuid() != 0:
        print("not root: neighbours have the uid of the polite, whose share they use up")
    wanted = options.only.split(",") if options.only else None
    chosen = [one for one in SCENARIOS if not wanted or one.name in wanted]
    if options.smoke:
        outcomes = play_side_by_side(options, sizes, [one.name for one in chosen])
    else:
        outcomes = play_all(options, sizes, [one.name for one in chosen])
    print()
    write = figures.markdown if options.markdown else figures.table
    print(write(*summary(outcomes, options.smoke)))
    busy = [one.scenario.name for one in outcomes if (one.echo or 0) > figures.MILLISECONDS_MAX]
    if busy and not options.smoke:
        print(f"The machine was too busy for a verdict on times: {', '.join(busy)}")
    slow = [one.scenario.name for one in outcomes if (one.disk or 0) > figures.MILLISECONDS_MAX]
    if slow and not options.smoke:
        print(f"The disk itself was slow, so writes were, too: {', '.join(slow)}. On a memory file "
              "system (--place /dev/shm) the times are the daemon's alone.")
    return not any(outcome.faults(options.smoke) for outcome in outcomes)


if __name__ == "__main__":
    end_cleanly()
    try:
        sys.exit(0 if main() else 1)
    except (Failure, Lost) as failure:
        sys.exit(f"crowd: {failure}")
