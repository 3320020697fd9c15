"""The connections of one client, which are lent to its calls."""

import contextlib
import os
import queue
import time

from .errors import Unavailable

IDLE_SECONDS_MAX = 30  # of a connection; the HTTPS door ends it after 60


class Lines:
    """Connections that are made as calls need them, and lent again; at most `at_once` of them.

    A child of a fork never uses, and never keeps open, a connection of its parent. There are no locks:
    each step on the lists is one of Python's own, so that a signal handler may make calls, too.
    """

    def __init__(self, new_line, at_once):
        self._new_line, self._at_once = new_line, at_once
        self._all = set()  # also those that are lent, or watch
        self.begin_anew()

    def begin_anew(self):
        """In a child: leaves the connections to the parent. They are closed, not shut down."""
        for line in list(self._all):
            line.drop()
        self._all = set()
        self._idle = []  # by the time of their last use
        self._holding = []  # idle, too, but with a hold: age does not end them
        self._places = queue.SimpleQueue()
        for _ in range(self._at_once):
            self._places.put(None)
        self._pid = os.getpid()

    def stay_own(self):
        """For a fork of which Python was not told."""
        if self._pid != os.getpid():
            self.begin_anew()

    def ask(self, request, deadline, has_hold=False):
        """What the daemon answers, on a connection that no other call uses meanwhile."""
        self.stay_own()
        places = self._places
        try:
            places.get(timeout=max(deadline - time.monotonic(), 0))
        except queue.Empty:
            raise Unavailable("timed_out", "the calls of other threads took all the time") from None
        try:
            line = self._taken(has_hold)
            was_idle = line.is_open
            line.has_hold |= has_hold
            try:
                return line.ask(request, deadline)
            except Unavailable as error:
                # The others are as old, and each would cost a call an attempt: of a host that went
                # down there is nothing to be read. A proxy's answer came over a good connection.
                if was_idle and error.name == "connection_lost" and "httpStatus" not in error.data:
                    self._end_idle(lambda one: not one.has_hold)
                raise
            finally:
                self._give_back(line)
        finally:
            places.put(None)

    def own(self):
        """A connection that is lent to nobody else, until `end`."""
        line = self._new_line()
        self._all.add(line)
        return line

    def end(self, line):
        line.drop()
        self._all.discard(line)

    def close(self):
        """Ends the connections: those that are lent when their call is over, but no watch."""
        for line in list(self._all):
            line.is_last = True
        self._end_idle(lambda line: line.is_last)

    def _taken(self, has_hold):
        """One that is idle and has not ended meanwhile, as all have with their daemon; else a new one."""
        # What fails on a line with a hold may end the hold: other calls take such a line last.
        for idle in (self._holding, self._idle) if has_hold else (self._idle, self._holding):
            with contextlib.suppress(IndexError):
                while (line := idle.pop()).has_ended():
                    self.end(line)
                return line
        return self.own()

    def _give_back(self, line):
        now = line.used_at = time.monotonic()
        if not line.is_open:
            return self.end(line)
        (self._holding if line.has_hold else self._idle).append(line)
        # The client may have been closed meanwhile, or just now.
        if line.is_last or now - self._idle_since(now) > IDLE_SECONDS_MAX:
            self._end_idle(lambda one: one.is_last or not one.has_hold
                           and now - one.used_at > IDLE_SECONDS_MAX)

    def _idle_since(self, now):
        try:
            return self._idle[0].used_at
        except IndexError:
            return now

    def _end_idle(self, is_over):
        for idle in (self._idle, self._holding):
            for line in list(idle):
                if not is_over(line):
                    continue
                try:
                    idle.remove(line)
                except ValueError:
                    continue  # it was lent meanwhile
                self.end(line)
