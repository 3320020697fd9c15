#!/usr/bin/env python3
"""What grows with everything that ever happened: each at three sizes, with a bound.

    grow.py --bin .build/release                        all of it
    grow.py --bin .build/release --only history,erase   some of it
    grow.py --bin .build/release --scale 0.1            smaller: a look, no verdict for the page
    grow.py --bin .build/release --depths 1000,100000,500000 --only history

Each prints one line for a figure: at the three sizes, how it grows from the first to the last, its
bound, and whether it keeps to it. The last part prints what one of everything takes in the views
and in the journal, and what a million subscribers take a day.
"""

import argparse
import sys
import time

import confined
import costs
import figures
import growth
from daemon import Failure, Home, end_cleanly
from wire import Lost

PARTS = {
    "history": growth.history,
    "memory": growth.memory,
    "confined": confined.confined,
    "charge": growth.charge,
    "erase": growth.erasing,
    "buckets": growth.buckets,
    "reader": growth.dead_reader,
    "prune": growth.pruning,
    "bytes": costs.each,
}


def arguments():
    """The words of the command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--bin", required=True, help="the directory of the programs")
    parser.add_argument("--only", default="", help=f"some of {', '.join(PARTS)}, with commas")
    parser.add_argument("--scale", type=float, default=1, help="a factor for all sizes")
    parser.add_argument("--depths", default="1000,10000,100000", help="events of one user")
    parser.add_argument("--markdown", action="store_true", help="the tables for a page")
    parser.add_argument("--place", default="/tmp", help="where the stores are made")
    return parser.parse_args()


def main():
    """Answers whether every figure keeps to its bound."""
    options = arguments()
    wanted = options.only.split(",") if options.only else list(PARTS)
    write = figures.markdown if options.markdown else figures.table
    head = ["figure", "sizes", "at the first", "second", "third", "growth", "bound", ""]
    all_lines, is_good = [], True
    for name in wanted:
        began, home = time.monotonic(), Home(options.bin, options.place)
        try:
            lines = PARTS[name](home, options)
        except (Failure, Lost) as failure:
            is_good = False
            print(f"\n== {name}: {failure}\n{home.last_words()}", flush=True)
            continue
        finally:
            home.remove()
        print(f"\n== {name}, in {time.monotonic() - began:.0f} s", flush=True)
        if name == "bytes":
            for title, heading, rows in lines:
                print(f"\n{title}\n\n{write(heading, rows)}", flush=True)
            continue
        print(write(head, [line.cells() for line in lines]), flush=True)
        all_lines += lines
    print()
    print(write(head, [line.cells() for line in all_lines]))
    return is_good and all(line.is_good for line in all_lines)


if __name__ == "__main__":
    end_cleanly()
    try:
        sys.exit(0 if main() else 1)
    except (Failure, Lost) as failure:
        sys.exit(f"grow: {failure}")
