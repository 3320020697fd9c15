"""Answers of canRender that are kept, and hold as long as the daemon's marks say so.

docs/shared-answers.md has the layout of the file of marks, and the rule.
"""

import calendar
import contextlib
import mmap
import os
import stat
import time
from typing import Any, Dict, NamedTuple, Optional

MAGIC = b"ENTMARK1"
GROUPS_AT, GENERATION_AT, CATALOG_AT, MARKS_AT = 1, 2, 3, 8  # in words of eight bytes
ANSWER_SECONDS_MAX = 10.0
LOOK_SECONDS = 1.0
ANSWERS_MAX = 10_000
MASK = 2**64 - 1


class Kept(NamedTuple):
    """An answer, and what must be true for it to hold."""

    answer: Dict[str, Any]
    mark_at: int
    seq: int
    generation: int
    until: float  # by the monotonic clock
    from_wall: float  # by the wall clock, seconds since 1970
    until_wall: float


class Asked(NamedTuple):
    """When a question was asked."""

    generation: int
    now: float  # by the monotonic clock
    wall: float  # by the wall clock


class SharedAnswers:
    """What is kept of one daemon, in one process."""

    def __init__(self, path: str) -> None:
        self._path = f"{path}.marks"
        self._kept: Dict[str, Kept] = {}
        self._words: Optional["memoryview[Any]"] = None
        self._inode = 0
        self._look_at = 0.0

    def answer(self, user_id: str) -> Optional[Dict[str, Any]]:
        """The answer that is kept about the user; None where it does not hold."""
        now = time.monotonic()
        if now >= self._look_at:
            self._look(now)
        kept, words = self._kept.get(user_id), self._words
        if kept is None or words is None:
            return None
        if (words[kept.mark_at] <= kept.seq and words[CATALOG_AT] < kept.seq
                and words[GENERATION_AT] == kept.generation and now < kept.until
                and kept.from_wall <= time.time() < kept.until_wall):
            return dict(kept.answer)
        return None

    def asking(self) -> Optional[Asked]:
        """To be called before asking; None where nothing is shared."""
        words = self._words
        return None if words is None else Asked(words[GENERATION_AT], time.monotonic(), time.time())

    def keep(self, user_id: str, answer: Dict[str, Any], asked: Optional[Asked]) -> None:
        """Keeps what was answered; its time counts from before the question."""
        words = self._words
        if words is None or asked is None:
            return
        generation, now, wall = asked
        until_wall = wall + ANSWER_SECONDS_MAX
        if answer["nextChangeAt"] is not None:
            until_wall = min(until_wall, _seconds(answer["nextChangeAt"]))
        group = _hash(user_id.encode()) % words[GROUPS_AT]
        until = now + (until_wall - wall)
        if len(self._kept) >= ANSWERS_MAX:
            # Somebody must go; another thread may be doing the same.
            with contextlib.suppress(StopIteration, KeyError, RuntimeError):
                del self._kept[next(iter(self._kept))]
        self._kept[user_id] = Kept(dict(answer), MARKS_AT + group, answer["seq"], generation, until, wall, until_wall)

    def _look(self, now: float) -> None:
        """Whether the file is there, and still the one that is mapped.

        Threads may do so at once: what is kept by another mapping has another generation.
        """
        self._look_at = now + LOOK_SECONDS
        try:
            inode = os.stat(self._path).st_ino
            if self._words is None or inode != self._inode:
                self._words, self._inode, self._kept = self._mapped(), inode, {}
        except (OSError, ValueError):
            self._words, self._kept = None, {}

    def _mapped(self) -> Optional["memoryview[Any]"]:
        descriptor = os.open(self._path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        with open(descriptor, "rb") as file:
            status = os.fstat(descriptor)
            if not stat.S_ISREG(status.st_mode) or status.st_size % 8 or status.st_size <= 8 * MARKS_AT:
                return None
            mapping = mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ)
        words = memoryview(mapping).cast("Q")
        is_whole = mapping[:8] == MAGIC and len(words) == MARKS_AT + words[GROUPS_AT]
        return words if is_whole else None


def _hash(data: bytes) -> int:
    """FNV-1a, folded."""
    value = 0xCBF29CE484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001B3 & MASK
    return value ^ value >> 32


def _seconds(moment: str) -> float:
    """A moment of the daemon's in seconds since 1970."""
    return calendar.timegm(time.strptime(moment[:19], "%Y-%m-%dT%H:%M:%S")) + float(moment[19:23])
