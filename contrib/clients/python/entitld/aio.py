"""`entitld.Client` for asyncio: the same methods, each awaited. Standard library only.

    async with AsyncClient() as entitlements:
        answer = await entitlements.can_render(user_id)
        async for method, params in entitlements.watch():
            ...

Calls run side by side on a few connections, each with a thread that waits for the daemon, so that no
call holds up the event loop. A process that was forked makes its own.
"""

import asyncio
import concurrent.futures
import contextlib
import functools
import threading
import time

from . import Client, EntitldError, Unavailable, UnknownOutcome
from .methods import STORE_METHODS

__all__ = ["AsyncClient", "EntitldError", "Unavailable", "UnknownOutcome"]

CONNECTIONS = 8
TOLD_MAX = 1_000  # events of a watch that nobody has taken


class _Awaited(Client):
    """A client whose calls are coroutines: each waits for its answer on a thread of its own."""

    def __init__(self, connections, *args, **options):
        self._lines_max = self._store_lines_max = connections
        super().__init__(*args, **options)
        self._closed = False
        self._begin()

    def _begin(self):
        # What waits for a store has threads of its own: no check waits for those.
        self._threads = concurrent.futures.ThreadPoolExecutor(self._lines_max, "entitld")
        self._store_threads = concurrent.futures.ThreadPoolExecutor(self._lines_max, "entitld-store")

    def _forked(self):
        super()._forked()
        self._begin()

    async def _call(self, method, params, repeatable, seconds, then):
        # Time begins here, and not with a free thread.
        deadline = time.monotonic() + seconds
        threads = self._store_threads if method in STORE_METHODS else self._threads
        if self._closed:
            closed = Unavailable("closed", "the client was closed", False)
            closed.idempotency_key = params.get("idempotencyKey")
            raise closed
        answer = threads.submit(self._answer, method, params, repeatable, deadline)
        waiting = asyncio.wrap_future(answer)
        try:
            done, _ = await asyncio.wait([waiting], timeout=seconds)
            if not done and answer.cancel():
                late = Unavailable("timed_out", "other calls took all the time")
                late.idempotency_key = params.get("idempotencyKey")
                raise late
            # One that has begun ends by its deadline.
            return then(await waiting)
        finally:
            waiting.cancel()  # where the caller gave it up

    async def aclose(self):
        self._closed = True
        for threads in (self._threads, self._store_threads):
            await asyncio.get_running_loop().run_in_executor(None, threads.shutdown)
        self.close()


class AsyncClient:
    """A few connections to the daemon; close it, or use it in an `async with`.

    It takes what `Client` takes, and `connections`: how many calls may be under way at once, and how
    many more that a store is asked for. Others wait for their turn, within their timeout.
    """

    def __init__(self, *args, connections=CONNECTIONS, **options):
        if not isinstance(connections, int) or connections < 1:
            raise TypeError("connections must be a whole number from 1 up")
        self._client = _Awaited(connections, *args, **options)

    async def __aenter__(self):
        return self

    async def __aexit__(self, *_):
        await self.aclose()

    async def aclose(self):
        """Ends the connections, once the calls under way have ended."""
        await self._client.aclose()

    async def watch(self, user_ids=None, from_seq=None):
        """Yields (method, params) of each change, for ever, as `Client.watch` does.

        It has a connection and a thread of its own, which end when the iteration does.
        """
        feed = self._client._feed(user_ids, from_seq)
        loop, told = asyncio.get_running_loop(), asyncio.Queue()
        room = threading.Semaphore(TOLD_MAX)

        def put(event, error):
            loop.call_soon_threadsafe(told.put_nowait, (event, error))

        def listen():
            # RuntimeError: the loop is closed, and nobody listens.
            with contextlib.suppress(RuntimeError):
                try:
                    with contextlib.closing(iter(feed)) as events:
                        for event in events:
                            room.acquire()  # while nobody takes, the daemon coalesces what it tells
                            put(event, None)
                except BaseException as error:
                    put(None, error)

        threading.Thread(target=listen, name="entitld-watch", daemon=True).start()
        try:
            while True:
                event, error = await told.get()
                if error is not None:
                    raise error
                room.release()
                yield event
        finally:
            feed.end()
            room.release()


def _awaited(name):
    """The method of `Client`, awaited."""

    @functools.wraps(getattr(Client, name))
    async def call(self, *args, **options):
        answer = getattr(self._client, name)(*args, **options)
        # What can_render has kept is there at once.
        return await answer if asyncio.iscoroutine(answer) else answer

    return call


for _name in dir(Client):
    if not _name.startswith("_") and _name not in ("close", "watch"):
        setattr(AsyncClient, _name, _awaited(_name))
