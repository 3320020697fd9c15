"""Follows changes, over a connection of its own that is made again when it was lost."""

import random
import threading
import time

from .errors import EntitldError
from .request import given, whole

PAUSE_SECONDS_MAX = 5
SILENCE_SECONDS_MAX = 45  # three heartbeats


class Feed:
    """What a watch tells; iterate over it once. `end` stops it from any thread."""

    def __init__(self, lines, user_ids, from_seq, join_seconds):
        self._lines, self._users = lines, _checked(user_ids)
        self._from_seq = given(fromSeq=from_seq).get("fromSeq")
        self._join_seconds = join_seconds
        self._over, self._line = threading.Event(), None

    def end(self):
        self._over.set()
        if self._line is not None:
            self._line.shut_down()

    def __iter__(self):
        pause = 0.0
        while not self._over.is_set():
            line = self._line = self._lines.own()
            try:
                for event in self._told_on(line):
                    pause = 0.0
                    if event[0] != "heartbeat":
                        yield event
            except EntitldError as error:
                if self._over.is_set():
                    return
                if self._from_seq is None or not error.retryable:
                    raise
            finally:
                self._lines.end(line)
            pause = min(max(pause * 2, 0.05), PAUSE_SECONDS_MAX)
            self._over.wait(pause * random.uniform(0.5, 1))

    def _told_on(self, line):
        """The events of one connection; keeps where to go on after it."""
        joined = line.watch(self._users, self._from_seq, time.monotonic() + self._join_seconds)
        if self._from_seq is None:
            self._from_seq = joined
        while not self._over.is_set():
            self._lines.stay_own()
            method, params = line.told(time.monotonic() + SILENCE_SECONDS_MAX)
            if method == "resync":
                self._from_seq = max(joined, params.get("oldest", joined))
            elif method == "heartbeat":
                self._from_seq = max(self._from_seq, params["seq"])
            elif "seq" in params:
                # One position may change many users, and more of them may still come.
                self._from_seq = max(self._from_seq, params["seq"] - 1)
            yield method, params


def _checked(user_ids):
    """The users as a list, which a second connection can send again; None for everybody."""
    if user_ids is None:
        return None
    if isinstance(user_ids, str):
        raise TypeError("user_ids must be several users, not one string")
    users = whole(userIds=list(user_ids))["userIds"]
    if not users:
        # Over HTTPS nobody cannot be said: it would be everybody.
        raise EntitldError(0, "invalid_params", "user_ids is empty; None is everybody", False)
    return users
