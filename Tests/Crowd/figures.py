"""What was measured, as figures, tables and verdicts."""

import bisect
import collections
from dataclasses import dataclass, field

ECHO, DISK = "echo (the clients' own)", "disk (an fdatasync of their own)"
# What the machine itself takes: no verdict.
MACHINE = (ECHO, DISK)
# The verdict: nothing above the larger of these.
RATIO_MAX, MILLISECONDS_MAX = 2.0, 10.0


def p99(nanoseconds):
    """The nearest-rank 99th percentile, in ms; None of nothing."""
    if not nanoseconds:
        return None
    ordered = sorted(nanoseconds)
    return ordered[-(-99 * len(ordered) // 100) - 1] / 1e6


@dataclass
class Window:
    """What was due between two moments, in ns: how long each kind took, and what went wrong."""

    begin: int
    end: int
    took: dict = field(default_factory=lambda: collections.defaultdict(list))
    refused: list = field(default_factory=list)
    lost: list = field(default_factory=list)

    def holds(self, moment):
        """Whether it was due then."""
        return self.begin <= moment < self.end

    def take(self, told):
        """Takes in what one client has said."""
        for kind, due, took in told.answers():
            if self.holds(due):
                self.took[kind].append(took)
        for due, why in told.refused:
            if self.holds(due):
                (self.lost if why.startswith("lost") else self.refused).append(why)

    def take_news(self, told, heard, ends):
        """Takes in when the watcher heard of what `told` has written, and of ends.

        `heard` is of each user the positions and moments, in order; `ends` the moments of ends. A
        later position stands for an earlier one: changes may be told as one.
        """
        for user, seq, at in told.writes:
            if self.holds(at):
                positions, moments = heard.get(user, ((), ()))
                place = bisect.bisect_left(positions, seq)
                if place == len(positions):
                    self.lost.append(f"lost: the watcher never heard of {user} at {seq}")
                else:
                    self.took["watch"].append(max(0, moments[place] - at))
        for user, due in told.ends:
            if self.holds(due):
                told_at = ends.get(user, [])
                if len(told_at) != 1:
                    self.lost.append(f"lost: the end of {user} was told {len(told_at)} times")
                else:
                    self.took["watch, an end"].append(max(0, told_at[0] - due))


def news(told):
    """What the watcher heard, to look up: positions and moments of each user, moments of ends."""
    heard, ends = {}, collections.defaultdict(list)
    for user, seq, cause, at in told.heard:
        positions, moments = heard.setdefault(user, ([], []))
        # Where the order is wrong it is said elsewhere.
        if not positions or seq > positions[-1]:
            positions.append(seq)
            moments.append(at)
        if cause == "clock":
            ends[user].append(at)
    return heard, ends


def disorder_of_news(told):
    """Sentences about positions that fall: a watcher hears of changes in their order."""
    last, found = 0, []
    for user, seq, _, _ in told.heard:
        if seq < last:
            found.append(f"the watcher heard of {seq} after {last} ({user})")
        last = seq
    return found


@dataclass
class Row:
    """One kind of request: p99 alone and beside, in ms."""

    kind: str
    alone: float
    beside: float
    count: int

    @property
    def ratio(self):
        """How many times as long it took."""
        return self.beside / self.alone if self.alone and self.beside is not None else None

    @property
    def limit(self):
        """What it may take."""
        return max(RATIO_MAX * (self.alone or 0), MILLISECONDS_MAX)

    @property
    def is_good(self):
        """Whether it keeps to that; not where nothing was answered."""
        return self.beside is not None and self.beside <= self.limit


def rows(alone, beside):
    """A row of each kind."""
    kinds = dict.fromkeys([*alone.took, *beside.took])
    return [
        Row(kind, p99(alone.took[kind]), p99(beside.took[kind]), len(beside.took[kind]))
        for kind in sorted(kinds)
    ]


def shown(value, digits=2):
    """A figure, or that there is none."""
    return "–" if value is None else f"{value:.{digits}f}"


def table(head, lines):
    """Columns that stand below each other, the first to the left."""
    cells = [list(map(str, line)) for line in [head, *lines]]
    widths = [max(len(line[place]) for line in cells) for place in range(len(head))]
    texts = []
    for line in cells:
        rest = (cell.rjust(width) for cell, width in zip(line[1:], widths[1:]))
        texts.append("  ".join([line[0].ljust(widths[0]), *rest]).rstrip())
    return "\n".join(texts)


def markdown(head, lines):
    """The same for a page."""
    return "\n".join(
        "| " + " | ".join(map(str, line)) + " |"
        for line in [head, ["---"] * len(head), *lines]
    )
