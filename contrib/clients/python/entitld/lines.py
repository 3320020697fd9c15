"""The connections of one client, which are lent to its calls."""

import os
import threading
import time

from .errors import Unavailable

IDLE_SECONDS_MAX = 30  # of a connection; the HTTPS door ends it after 60


class Lines:
    """Connections that are made as calls need them, and lent again; at most `at_once` of them.

    A child of a fork never uses, and never keeps open, a connection of its parent.
    """

    def __init__(self, new_line, at_once):
        self._new_line, self._at_once = new_line, at_once
        self._all = set()  # also those that are lent, or watch
        self.begin_anew()

    def begin_anew(self):
        """In a child: leaves the connections to the parent. They are closed, not shut down."""
        for line in list(self._all):
            line.drop()
        # Whoever holds the old locks is a thread of the parent.
        self._lock = threading.Lock()
        self._places = threading.Semaphore(self._at_once)
        self._idle = []  # by the time of their last use
        self._all = set()
        self._pid = os.getpid()

    def stay_own(self):
        """For a fork of which Python was not told."""
        if self._pid != os.getpid():
            self.begin_anew()

    def ask(self, request, deadline, has_hold=False):
        """What the daemon answers, on a connection that no other call uses meanwhile."""
        self.stay_own()
        left = deadline - time.monotonic()
        if left <= 0 or not self._places.acquire(timeout=left):
            raise Unavailable("timed_out", "the calls of other threads took all the time")
        try:
            line = self._taken()
            line.has_hold |= has_hold
            try:
                return line.ask(request, deadline)
            finally:
                self._give_back(line)
        finally:
            self._places.release()

    def own(self):
        """A connection that is lent to nobody else, until `end`."""
        line = self._new_line()
        with self._lock:
            self._all.add(line)
        return line

    def end(self, line):
        line.drop()
        with self._lock:
            self._all.discard(line)

    def close(self):
        """Ends the connections: those that are lent when their call is over, but no watch."""
        with self._lock:
            idle, self._idle = self._idle, []
            for line in self._all:
                line.is_last = True
        for line in idle:
            self.end(line)

    def _taken(self):
        with self._lock:
            if self._idle:
                return self._idle.pop()
        return self.own()

    def _give_back(self, line):
        now = line.used_at = time.monotonic()
        old = []
        with self._lock:
            if line.is_open and not line.is_last:
                self._idle.append(line)
            else:
                old.append(line)
            if self._idle and now - self._idle[0].used_at > IDLE_SECONDS_MAX:
                old += [one for one in self._idle
                        if now - one.used_at > IDLE_SECONDS_MAX and not one.has_hold]
                self._idle = [one for one in self._idle if one not in old]
        for one in old:
            self.end(one)
