"""What a bad neighbour works with, and the process that it is."""

import os
import resource
import threading
import time
from dataclasses import dataclass, field

from daemon import NEIGHBOUR_UID, client_cores, pin
from polite import FORK

# Users of the store: one with a long history, one with many dated buckets.
DEEP, HEAVY = "deep", "heavy"


@dataclass
class Sizes:
    """How much of everything, in a whole run."""

    accounts: int = 100_000
    deep_events: int = 20_000
    buckets: int = 511
    victims: int = 60
    histories: int = 20
    silent_readers: int = 1_500
    unread_each: int = 60
    half_frames: int = 300
    half_frame_bytes: int = (1 << 20) - 1
    list_watchers: int = 200
    listed: int = 10_000
    seats: int = 17_000
    joins: int = 100
    back: int = 9_000
    chosen_watchers: int = 5_000
    charges_a_second: int = 1_000
    handshakes: int = 8_000
    descriptors: int = 1_024
    # Long enough that each kind has hundreds of answers: the p99 of sixty is the worst of them.
    alone_seconds: float = 15
    beside_seconds: float = 30
    patience_seconds: float = 60

    @staticmethod
    def smoke():
        """For a run that counts."""
        return Sizes(
            accounts=2_000, deep_events=500, buckets=64, victims=12, histories=10,
            silent_readers=40, half_frames=40, half_frame_bytes=64 << 10, list_watchers=10,
            listed=1_000, seats=300, joins=20, back=1_000, chosen_watchers=200,
            charges_a_second=100, handshakes=400, descriptors=512, alone_seconds=0.5,
            beside_seconds=1.5, patience_seconds=30,
        )


@dataclass
class Stage:
    """What a neighbour has to work with."""

    home: object
    sizes: Sizes
    # Users to erase, each once.
    victims: list = field(default_factory=list)
    # Notifications whose signature does not hold.
    forged: list = field(default_factory=list)
    counts: dict = field(default_factory=dict)
    # What it must have done to count.
    awaited: str = ""

    def __post_init__(self):
        self._over = FORK.RawValue("b", 0)
        self._acted = FORK.RawValue("q", 0)
        self._lock = threading.Lock()

    def is_over(self):
        """Whether it is told to end."""
        return self._over.value != 0

    def end(self):
        """Tells it to end."""
        self._over.value = 1

    def rest(self, seconds):
        """Waits so long, or until it is told to end."""
        deadline = time.monotonic() + seconds
        while not self.is_over() and time.monotonic() < deadline:
            time.sleep(0.02)

    def count(self, what, by=1):
        """One more of what it did."""
        with self._lock:
            self.counts[what] = self.counts.get(what, 0) + by
            if what == self.awaited:
                self._acted.value += by

    def has_acted(self):
        """Whether it has done some of what it must."""
        return self._acted.value > 0


class Neighbour:
    """The process that runs `act(stage)`, behind all others, and under a uid of its own where that
    can be had."""

    def __init__(self, act, stage):
        self._act, self._stage = act, stage
        self._pipe, self._end = FORK.Pipe(duplex=False)
        self._process = FORK.Process(target=self._run, daemon=True)
        self._process.start()

    def stop(self):
        """Ends it, and all that it holds; what it did."""
        self._stage.end()
        counts = self._pipe.recv() if self._pipe.poll(10) else {"hung": 1}
        self._process.join(2)
        if self._process.is_alive():
            self._process.kill()
        return counts

    def _run(self):
        pin(client_cores())
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
        hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        if os.getuid() == 0:
            os.setgid(NEIGHBOUR_UID)
            os.setuid(NEIGHBOUR_UID)
        try:
            self._act(self._stage)
        except Exception as error:
            self._stage.counts["failed: " + repr(error)[:120]] = 1
        self._end.send(self._stage.counts)
        # What threads wait for does not matter any more; the kernel closes every connection.
        os._exit(0)
