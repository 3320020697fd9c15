"""The figures of `make grow`: each part makes its stores in a home, and answers lines."""

import json
import shutil
import statistics
import subprocess
import threading
import time
from dataclasses import dataclass
from pathlib import Path

import pages
from daemon import Daemon, Failure, Sampler, anonymous_mebibytes
from polite import moment
from press import user
from wire import Line, Lost, frame

# The bounds, each from what was promised.
PAGE_MS_MAX = 5.0
EXPORT_MS_MAX = 100.0
MEMORY_MIB_MAX = 256.0
BACKUP_KEPT_MIB_MAX = 32.0
# A row of about 90 bytes, LMDB's part included, in leaves that random keys fill to two thirds.
CHARGE_BYTES_MAX = 140.0
JOURNAL_BYTES_MAX = 230.0
ERASING_RATIO_MAX = 3.0
# There are 128 places on the admin socket.
ERASING_CONNECTIONS_MAX = 50
CHECK_MICROSECONDS_MAX, STATUS_MICROSECONDS_MAX = 20.0, 200.0
PRUNED_A_SECOND_MIN = 100_000
# As much as the base goes on by before it is read through, and one segment.
PRUNED_STEP_MIB_MAX = 128
CLOCK = Path(__file__).resolve().parents[1] / "Rot/clock.c"
AGED_SECONDS = 5 * 86_400
# The year 2096.
FAR_MILLISECONDS = 4_000_000_000_000
# When something is looked at after a reader died, in s; the look for such readers is every 30 s.
DEAD_SECONDS = (10, 25, 50)


@dataclass
class Grown:
    """A figure at three sizes, and what bounds it."""

    what: str
    sizes: list
    figures: list
    bound: str
    is_good: bool
    growth: str = ""
    digits: int = 1

    def cells(self):
        """Its line of the table."""
        first, *_, last = self.figures
        growth = self.growth or (f"× {last / first:.1f}" if first else f"+ {last:.1f}")
        shown = [f"{figure:,.{self.digits}f}" for figure in self.figures]
        sizes = " / ".join(f"{size:,}" if isinstance(size, int) else size for size in self.sizes)
        return [self.what, sizes, *shown, growth, self.bound, "ok" if self.is_good else "NOT"]


def below(what, sizes, found, limit, unit, **more):
    """A figure whose last and largest value has to stay below a limit."""
    return Grown(what, sizes, found, f"< {limit:,.0f} {unit}", max(found) < limit, **more)


def scaled(sizes, options, least=10):
    """Sizes by the factor of the command line."""
    return [max(least, int(size * options.scale)) for size in sizes]


def begin(home, **options):
    """A daemon over a new store of the home."""
    shutil.rmtree(home.path / "data", ignore_errors=True)
    return Daemon(home, home.path / "data", **options).start()


def register(home, accounts, access="none"):
    """Accounts user-0000001 and on."""
    home.run("entitlbench", "seed", "--to", home.app, "--admin", home.admin, "--press",
             home.press, "--accounts", accounts, "--access", access)


def charge_many(home, count, accounts, first=1):
    """So many charges with keys of their own, spread over accounts."""
    home.bench("consume", requests=count, accounts=accounts, first_account=first,
               connections=50, in_flight=8, warm_up=0, duration=7200)


def milliseconds(line, method, seconds=4, **params):
    """The median time until the reply to one call is here: of 20, or as many as so many seconds
    allow. What this client takes to read its JSON is not in it."""
    took, deadline = [], time.monotonic() + seconds
    while len(took) < 20 and (time.monotonic() < deadline or not took):
        request = frame(method, params)
        began = time.monotonic_ns()
        line.send(request)
        reply = line.receive()
        took.append((time.monotonic_ns() - began) / 1e6)
        result = json.loads(reply).get("result")
        if result is None:
            raise Lost(f"{method} {params}: {reply[:400]}")
    return statistics.median(took), result


# 10. A page costs what the page costs.

def history(home, options):
    """Pages of a user's history at three depths."""
    depths = [int(depth) for depth in options.depths.split(",")]
    daemon = begin(home)
    register(home, len(depths))
    line = daemon.admin()
    found = {name: [] for name in ("page", "processor", "status", "explain", "export", "memory")}
    for place, depth in enumerate(depths, 1):
        name, before = user(place), line.result("stats")["seq"]
        charge_many(home, depth, 1, first=place)
        after = line.result("stats")["seq"]
        daemon.settle()
        memory, sampler = daemon.memory(), Sampler(daemon.memory)
        middle = (before + after) // 2
        at = []
        worst = spent = 0.0
        for seq in (before, middle, after - 101):
            asked = {"userId": name, "afterSeq": seq, "limit": 100}
            took, result = milliseconds(line, "getHistory", **asked)
            if len(result["events"]) < min(100, depth):
                raise Failure(f"a page of {len(result['events'])} events at depth {depth}")
            worst = max(worst, took)
            spent = max(spent, processor_milliseconds(daemon, line, "getHistory", **asked))
            at.append(result["events"][0]["at"])
        found["page"].append(worst)
        found["processor"].append(spent)
        for key, method in (("status", "getStatus"), ("explain", "explain")):
            found[key].append(processor_milliseconds(daemon, line, method, userId=name, at=at[1]))
        found["export"].append(export(daemon, line, name, depth))
        found["memory"].append(max(0, sampler.stop() - memory))
    daemon.stop()
    titles = {
        "page": "getHistory, 100 events, slowest place, ms",
        "processor": "the same, processor ms",
        "status": "getStatus at the middle, processor ms",
        "explain": "explain at the middle, processor ms",
    }
    lines = [below(titles[key], depths, found[key], PAGE_MS_MAX, "ms", digits=2) for key in titles]
    lines.append(below("exportUser, slowest page, processor ms", depths, found["export"],
                       EXPORT_MS_MAX, "ms", digits=2))
    lines.append(below("memory of these, MiB", depths, found["memory"], 64, "MiB"))
    return lines


def processor_milliseconds(daemon, line, method, count=50, **params):
    """The processor time of one call, all threads of the daemon together: the best of three."""
    best = float("inf")
    for _ in range(3):
        before = daemon.processor_seconds()
        for _ in range(count):
            line.result(method, **params)
        best = min(best, (daemon.processor_seconds() - before) / count * 1e3)
    return best


def export(daemon, line, name, depth):
    """Takes everything about a user, page by page; the processor time of the slowest, in ms."""
    cursor, worst, events = None, 0.0, 0
    while True:
        before = daemon.processor_seconds()
        more = {"cursor": cursor} if cursor else {}
        page = line.result("exportUser", userId=name, **more)
        worst = max(worst, (daemon.processor_seconds() - before) * 1e3)
        events += len(page["events"])
        cursor = page["cursor"]
        if cursor is None:
            break
    if events < depth:
        raise Failure(f"{events} events in the export of {depth}")
    return worst


# 11. Memory that does not follow the store.

def tree_memory(pid):
    """MiB of a process and of those that it has started, in no file."""
    total = anonymous_mebibytes(pid)
    for task in Path(f"/proc/{pid}/task").iterdir():
        try:
            children = (task / "children").read_text().split()
        except OSError:
            continue
        total += sum(anonymous_mebibytes(int(child)) for child in children)
    return total


def peak_of(daemon, *words):
    """The peak of a command over the stopped store, in MiB; it has to end with 0."""
    process = subprocess.Popen(
        [daemon.home.bin / "entitld", *words, "--config", daemon.configuration],
        env=daemon.home.environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )
    sampler = Sampler(lambda: tree_memory(process.pid))
    said, _ = process.communicate(timeout=3600)
    if process.returncode != 0:
        raise Failure(f"{' '.join(words)} ended with {process.returncode}: {said[-400:]}")
    return sampler.stop()


def memory(home, options):
    """The peaks of what reads everything, beside the entries that it reads."""
    names = ["verify", "compact", "compact --rebuild", "backup"]
    found, kept, entries = {name: [] for name in names}, [], []
    for accounts in scaled([20_000, 100_000, 400_000], options):
        daemon = begin(home)
        register(home, accounts, access="grants")
        charge_many(home, accounts, accounts)
        line = daemon.admin()
        entries.append(line.result("stats")["seq"])
        daemon.settle()
        before, sampler = daemon.memory(), Sampler(lambda: tree_memory(daemon.process.pid))
        line.result("backup", path=f"{home.path}/copy")
        found["backup"].append(sampler.stop())
        time.sleep(5)
        kept.append(max(0, daemon.memory() - before))
        daemon.stop()
        shutil.rmtree(home.path / "copy")
        for name in names[:3]:
            found[name].append(peak_of(daemon, *name.split()))
    return [bounded(name, entries, found[name]) for name in names] + [
        below("kept by the daemon after a backup, MiB", entries, kept, BACKUP_KEPT_MIB_MAX,
              "MiB")
    ]


def bounded(name, entries, peaks):
    """A peak that must be below the limit; `confined` has the same of larger stores under one."""
    slope = max(0, (peaks[-1] - peaks[-2]) / (entries[-1] - entries[-2]))
    return below(f"{name}, peak RssAnon, MiB", entries, peaks, MEMORY_MIB_MAX, "MiB",
                 growth=f"{slope * (1 << 20):,.0f} B an entry")


# 12. What a charge leaves.

def charge(home, options):
    """Bytes of the views and of the journal for one keyed charge."""
    counts, views, journal = scaled([10_000, 50_000, 250_000], options), [], []
    for count in counts:
        daemon = begin(home)
        register(home, 10_000)
        daemon.settle()
        daemon.stop()
        before = pages.view_bytes(daemon.store), pages.journal_bytes(daemon.store)
        daemon.start()
        charge_many(home, count, 10_000)
        daemon.settle()
        daemon.stop()
        views.append((pages.view_bytes(daemon.store) - before[0]) / count)
        journal.append((pages.journal_bytes(daemon.store) - before[1]) / count)
    return [
        below("views, bytes a keyed charge", counts, views, CHARGE_BYTES_MAX, "B"),
        below("journal, bytes a keyed charge", counts, journal, JOURNAL_BYTES_MAX, "B"),
    ]


# 13. Erasing many.

def erasing(home, options):
    """Seconds until all of some persons are erased who are erased at once."""
    entries, = scaled([300_000], options)
    counts, took = [1, 100, 1_000], []
    accounts = 2 * counts[-1]
    daemon = begin(home)
    register(home, accounts)
    charge_many(home, entries, accounts)
    daemon.settle()
    persons = iter(range(1, accounts))
    for count in counts:
        took.append(erase_at_once(home, [user(next(persons)) for _ in range(count)]))
    daemon.stop()
    limit = ERASING_RATIO_MAX * took[0] + 1
    return [Grown(
        f"persons erased at once, {entries:,} entries, s", counts, took,
        f"< {ERASING_RATIO_MAX:.0f} × one + 1 s", took[-1] < limit, digits=2)]


def erase_at_once(home, names):
    """All of them, over few connections, none waiting for another; seconds until the last."""
    lines = [Line(home.admin, 3600) for _ in names[:ERASING_CONNECTIONS_MAX]]
    began, faults = time.monotonic(), []

    def erase(line, names):
        waiting = dict(enumerate(names))
        try:
            for id, name in waiting.items():
                line.send(frame("eraseUser", {"userId": name}, id))
            while waiting:
                reply = json.loads(line.receive())
                if reply.get("error", {}).get("data", {}).get("retryable"):
                    time.sleep(0.1)
                    line.send(frame("eraseUser", {"userId": waiting[reply["id"]]}, reply["id"]))
                    continue
                if "result" not in reply:
                    faults.append(str(reply))
                del waiting[reply["id"]]
        except Lost as lost:
            faults.append(str(lost))
        line.close()

    threads = [
        threading.Thread(target=erase, args=(line, names[place::len(lines)]))
        for place, line in enumerate(lines)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if faults:
        raise Failure(f"eraseUser, of {len(names)} at once: {faults[0]}")
    return time.monotonic() - began


# 14. Buckets.

def buckets(home, _):
    """Processor time of a check and of a status of accounts with ever more dated buckets."""
    counts, checks, statuses = [1, 64, 511], [], []
    daemon = begin(home)
    line = daemon.admin()
    for count in counts:
        name = f"buckets-{count}"
        line.result("registerAccount", userId=name)
        for _ in line.results(
            ("grantCredits", {"userId": name, "amount": 1, "idempotencyKey": f"b-{number}",
                              "expiresAt": moment(FAR_MILLISECONDS + number * 1000)})
            for number in range(count)
        ):
            pass
        daemon.settle()
        checks.append(microseconds(daemon, line, "canRender", name))
        statuses.append(microseconds(daemon, line, "getStatus", name))
    daemon.stop()
    return [
        below("canRender, processor, µs", counts, checks, CHECK_MICROSECONDS_MAX, "µs"),
        below("getStatus, processor, µs", counts, statuses, STATUS_MICROSECONDS_MAX, "µs"),
    ]


def microseconds(daemon, line, method, name):
    """The processor time of one request among many that are pipelined, all threads together."""
    count, text = 3_000, frame(method, {"userId": name})
    best = float("inf")
    for _ in range(5):
        before = daemon.processor_seconds()
        for _ in range(count // 50):
            line.send(text * 50)
            for _ in range(50):
                line.receive()
        best = min(best, (daemon.processor_seconds() - before) / count * 1e6)
    return best


# 15. A reader that died.

READER = """
import ctypes, sys, time
lmdb = ctypes.CDLL("liblmdb.so.0")
env, txn = ctypes.c_void_p(), ctypes.c_void_p()
def check(code):
    if code: sys.exit(f"lmdb: {code}")
check(lmdb.mdb_env_create(ctypes.byref(env)))
check(lmdb.mdb_env_set_maxdbs(env, 64))
check(lmdb.mdb_env_open(env, sys.argv[1].encode(), 0x20000, 0o600))
check(lmdb.mdb_txn_begin(env, None, 0x20000, ctypes.byref(txn)))
print("reading", flush=True)
time.sleep(3600)
"""


def dead_reader(home, options):
    """How far behind the oldest reader is, and what the views have grown by, after one died."""
    accounts, = scaled([20_000], options)
    daemon = begin(home)
    register(home, accounts)
    daemon.settle()
    reader = subprocess.Popen(
        ["python3", "-c", READER, str(daemon.store)], stdout=subprocess.PIPE, text=True)
    if reader.stdout.readline() != "reading\n":
        raise Failure("the reader does not read")
    readers = daemon.metric("entitld_lmdb_readers")
    reader.kill()
    reader.wait()
    began, lags, grown = time.monotonic(), [], []
    used = daemon.metric("entitld_lmdb_used_bytes")
    load = subprocess.Popen(
        [home.bin / "entitlbench", "run", "--load", "consume", "--to", home.app, "--rate", "500",
         "--accounts", str(accounts), "--connections", "4", "--duration",
         str(DEAD_SECONDS[-1] + 2)],
        env=home.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    for seconds in DEAD_SECONDS:
        time.sleep(max(0, began + seconds - time.monotonic()))
        lags.append(daemon.metric("entitld_lmdb_oldest_reader_lag_transactions"))
        grown.append((daemon.metric("entitld_lmdb_used_bytes") - used) / (1 << 20))
    left = readers - daemon.metric("entitld_lmdb_readers")
    load.wait()
    daemon.stop()
    sizes = [f"{seconds} s" for seconds in DEAD_SECONDS]
    return [
        Grown("transactions that a dead reader is behind", sizes, lags,
              "≤ 2 at the last", lags[-1] <= 2, digits=0),
        Grown("data.mdb grown meanwhile, MiB", sizes, grown,
              "the reader's place is free", left >= 1, digits=1),
    ]


# 16. Pruning.

def pruning(home, options):
    """Entries that are pruned in a second, of journals that are old enough, and in what steps."""
    counts, rates, steps = scaled([100_000, 300_000, 900_000], options), [], []
    clock = home.path / "clock.so"
    subprocess.run(["cc", "-O1", "-shared", "-fPIC", CLOCK, "-o", clock], check=True)
    aged = {"LD_PRELOAD": str(clock), "ROT_CLOCK_SECONDS": str(AGED_SECONDS)}
    for count in counts:
        daemon = begin(home, **aged)
        register(home, 10_000)
        line = daemon.admin()
        for part in range(3):
            charge_many(home, count // 3, 10_000)
            # A segment is sealed where somebody is erased.
            line.result("registerAccount", userId=f"gone-{part}")
            line.result("eraseUser", userId=f"gone-{part}")
        daemon.settle()
        daemon.stop()
        # A clock that is days ahead of the journal is not believed at once: something of now.
        fresh = Daemon(home, daemon.store).start()
        charge_many(home, 100, 100)
        fresh.stop()
        pruned, step, spent = prune(Daemon(home, daemon.store, retention_days=1))
        rates.append(pruned / spent)
        steps.append(step)
    in_steps = max(steps) < PRUNED_STEP_MIB_MAX
    return [
        Grown("pruned, entries a second of the processor", counts, rates,
              f"> {PRUNED_A_SECOND_MIN:,}, or in steps",
              min(rates) > PRUNED_A_SECOND_MIN or in_steps, digits=0),
        below("journal that goes in one step, MiB", counts, steps, PRUNED_STEP_MIB_MAX, "MiB"),
    ]


def prune(daemon):
    """Lets a daemon prune: how many entries, the most MiB of the journal that went in one step, and
    the seconds that the pruner's thread spent."""
    daemon.start()
    line, pruned, step = daemon.admin(), 0, 0
    kept = line.result("stats")["journal"]["bytes"]
    deadline = time.monotonic() + 600
    while time.monotonic() < deadline:
        journal = line.result("stats")["journal"]
        pruned = journal["prunedSeq"]
        step = max(step, kept - journal["bytes"])
        kept = journal["bytes"]
        if pruned and daemon.metric('entitld_prunings_total{result="pruned"}') >= 1:
            break
        time.sleep(0.02)
    if not pruned:
        raise Failure("nothing was pruned")
    spent = daemon.processor_seconds("pruner")
    daemon.stop()
    return pruned, step / (1 << 20), spent
