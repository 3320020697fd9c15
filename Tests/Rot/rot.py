#!/usr/bin/env python3
"""Wounds every kind of file that entitld keeps, and demands right answers or exit 65.

    rot.py --program .build/release/entitld                  200 flips and more of each kind of file
    rot.py --program … --sizes 1 --wounds 4                  a few of each
    rot.py --program … --case 'killed/data.mdb,flip@81922.3,before,reads'      one of them again

Stores are made once, in --stores, and only copied from. A daemon runs over each wounded copy, is
asked and written to, is stopped or killed, and runs again. Then the wound is healed, or the views
are made anew from the journal, and everything that was ever answered must hold: so nothing false
was kept. Right answers, or an end with 65 and a sentence, are right; a signal, a hang, another exit
code, a wrong answer, a lost answered write or one that was decided twice is a violation.

Every choice comes from --seed. A violation prints the command that repeats it.
"""

import argparse
import collections
import multiprocessing
import os
import random
import shlex
import shutil
import sys
import tempfile
import time
import traceback
from pathlib import Path

import stores
from case import Case, Trial
from daemon import Violation
from wounds import KINDS, Wound, places

# For each wound that is a flip, so many of the other kinds.
SHARES = {"flip": 1.0, "truncate": 0.2, "zero": 0.2, "stale": 0.2}
PROGRESS_SECONDS = 30


def sort_of(store, file):
    """What sort of file this is; the segment that is written to is another than the old ones."""
    if not file.endswith(".segment"):
        return file
    newest = max(name for name in store.files() if name.endswith(".segment"))
    return "journal/newest" if file == newest else "journal/old"


def plan(known, count, only, seed):
    """The cases: `count` flips of each sort of file, and their share of the other wounds."""
    sorts = collections.defaultdict(list)
    for store in known.values():
        for file in store.files():
            sorts[sort_of(store, file)].append((store, file))
    cases = []
    for sort, files in sorted(sorts.items()):
        if only and sort not in only:
            continue
        for kind in KINDS:
            chance = random.Random(f"{seed} {sort} {kind}")
            whole = max(1, round(count * SHARES[kind]))
            each = -(-whole // len(files))
            found = []
            for store, file in files:
                path, older = str(store.path / file), str(store.older / file)
                for wound in places(path, older, kind, chance, each):
                    when = chance.choice(["before", "running"])
                    # LMDB's table of readers is memory that processes share, and is not read from
                    # the disk while one runs; each start makes it anew.
                    when = "before" if file.endswith("lock.mdb") else when
                    first = chance.choice(["reads", "writes"])
                    found.append((sort, Case(store.name, file, wound, when, first)))
            chance.shuffle(found)
            cases += found[:whole]
    if not only:
        cases += controls(known, -(-count // 10))
    return cases


def controls(known, count):
    """Cases without a wound: what they find is wrong with the test, or with a sound daemon."""
    for store in known.values():
        for number in range(count):
            when, first = ["before", "running"][number % 2], ["reads", "writes"][number // 2 % 2]
            yield "no wound", Case(store.name, "data.mdb", Wound("none", number), when, first)


def try_case(job):
    """Runs one case in a process of its own; what came of it."""
    sort, case, place = job
    began = time.monotonic()
    try:
        outcome, why = Trial(case, KNOWN[case.store], PROGRAM, place, SEED).run(), None
    except Violation as violation:
        outcome, why = "violation", str(violation)
    except Exception:
        outcome, why = "violation", "the test itself fails: " + traceback.format_exc()
    return sort, case, outcome, why, time.monotonic() - began


def work(jobs, results, place):
    """One worker: takes cases until there are none."""
    for sort, case in iter(jobs.get, None):
        results.put(try_case((sort, case, place)))


def run(cases, workers, repeat):
    """Runs all of `cases`; the violations."""
    jobs, results = multiprocessing.Queue(), multiprocessing.Queue()
    for job in cases:
        jobs.put(job)
    # Short, because a socket's path has at most 107 bytes.
    scratch = tempfile.mkdtemp(prefix="rot-")
    processes = []
    for number in range(workers):
        jobs.put(None)
        arguments = (jobs, results, f"{scratch}/{number}")
        processes.append(multiprocessing.Process(target=work, args=arguments))
        processes[-1].start()
    counts, violations, said = collections.defaultdict(collections.Counter), [], time.monotonic()
    for done in range(1, len(cases) + 1):
        sort, case, outcome, why, seconds = results.get()
        counts[sort][outcome] += 1
        if outcome == "violation":
            violations.append(case)
            print(f"VIOLATION {sort}: {why}\n    {repeat(case)}\n", flush=True)
        if time.monotonic() - said > PROGRESS_SECONDS:
            said = time.monotonic()
            print(f"{done} of {len(cases)} cases, {len(violations)} violations", flush=True)
    for process in processes:
        process.join()
    if not os.environ.get("ROT_KEEP"):
        shutil.rmtree(scratch, ignore_errors=True)
    print(f"{'file':24} {'right':>7} {'65':>7} {'violations':>11}")
    for sort in sorted(counts):
        row = counts[sort]
        print(f"{sort:24} {row['right']:7} {row['65']:7} {row['violation']:11}")
    return violations


def arguments():
    """The words of the command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--program", required=True, help="the entitld that is tried")
    parser.add_argument("--stores", default=".build/rot", help="where the stores are kept")
    parser.add_argument("--sizes", default="1,64", help="of data.mdb in MiB, with commas")
    parser.add_argument("--wounds", type=int, default=200, help="flips of each sort of file")
    parser.add_argument("--files", default="", help="only these sorts of file, with commas")
    parser.add_argument("--every", type=int, default=1, help="only each n-th case")
    parser.add_argument("--case", help="one case alone, as a violation prints it")
    parser.add_argument("--seed", type=int, default=1, help="where every choice comes from")
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    return parser.parse_args()


def main():
    """Answers whether nothing was found."""
    global KNOWN, PROGRAM, SEED
    options = arguments()
    PROGRAM, SEED = os.path.abspath(options.program), options.seed
    print(f"seed {SEED}", flush=True)
    found = 0
    for size in options.sizes.split(","):
        directory = Path(options.stores).absolute() / size
        # One case is tried again on the very bytes that it was found on.
        if not (options.case and directory.exists()):
            stores.make_unless_made(PROGRAM, directory, int(size), print)
        KNOWN = {name: stores.Store(directory, name) for name in stores.STORES}
        if options.case:
            case = Case.parse(options.case)
            cases = [(sort_of(KNOWN[case.store], case.file), case)]
        else:
            only = options.files.split(",") if options.files else []
            cases = plan(KNOWN, options.wounds, only, SEED)[:: options.every]
        print(f"{len(cases)} cases on the stores of {size} MiB", flush=True)
        words = [sys.argv[0], "--program", options.program, "--stores", options.stores]
        words += ["--sizes", size, "--seed", str(SEED), "--case"]
        found += len(
            run(cases, options.workers, lambda case: shlex.join([*words, str(case)]))
        )
    return found == 0


if __name__ == "__main__":
    sys.exit(0 if main() else 1)
