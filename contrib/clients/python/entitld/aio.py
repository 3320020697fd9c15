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
import functools
import os
import threading
import weakref

from . import Client, EntitldError, Unavailable, UnknownOutcome

__all__ = ["AsyncClient", "EntitldError", "Unavailable", "UnknownOutcome"]

CONNECTIONS = 8


class AsyncClient:
    """A few connections to the daemon; close it, or use it in an `async with`.

    It takes what `Client` takes, and `connections`: how many calls may be under way at once. Where
    there are more, the others wait for their turn; a call's timeout begins with it.
    """

    def __init__(self, *args, connections=CONNECTIONS, **options):
        if not isinstance(connections, int) or connections < 1:
            raise TypeError("connections must be a whole number from 1 up")
        self._new_client = functools.partial(Client, *args, **options)
        self._connections = connections
        self._new_client().close()  # so that a wrong argument is said here
        self._renew()
        _clients.add(self)

    def _renew(self):
        # Each thread has a client of its own, made with its first call.
        self._own = threading.local()
        self._made = []
        self._threads = concurrent.futures.ThreadPoolExecutor(self._connections, "entitld")

    async def __aenter__(self):
        return self

    async def __aexit__(self, *_):
        await self.aclose()

    async def aclose(self):
        """Ends the connections, once the calls under way have ended."""
        await asyncio.get_running_loop().run_in_executor(None, self._threads.shutdown)
        for client in self._made:
            client.close()

    async def watch(self, user_ids=None, from_seq=None):
        """Yields (method, params) of each change, for ever, as `Client.watch` does.

        It has a connection of its own, which ends when the iteration does.
        """
        loop, told, over = asyncio.get_running_loop(), asyncio.Queue(1_000), threading.Event()

        def put(item):
            # The thread waits where nobody takes: then the daemon coalesces what it tells.
            pending = asyncio.run_coroutine_threadsafe(told.put(item), loop)
            while not over.is_set():
                if concurrent.futures.wait([pending], 1).done:
                    return
            pending.cancel()

        def listen():
            try:
                for item in self._new_client().watch(user_ids, from_seq):
                    put(item)
                    if over.is_set():
                        return
            except EntitldError as error:
                put(error)

        threading.Thread(target=listen, name="entitld-watch", daemon=True).start()
        try:
            while True:
                item = await told.get()
                if isinstance(item, EntitldError):
                    raise item
                yield item
        finally:
            over.set()

    def _run(self, name, args, options):
        client = getattr(self._own, "client", None)
        if client is None:
            client = self._own.client = self._new_client()
            self._made.append(client)
        return getattr(client, name)(*args, **options)


def _awaited(name):
    """The method of `Client`, on a thread of its own."""

    @functools.wraps(getattr(Client, name))
    async def call(self, *args, **options):
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._threads, self._run, name, args, options)

    return call


for _name in dir(Client):
    if not _name.startswith("_") and _name not in ("close", "watch"):
        setattr(AsyncClient, _name, _awaited(_name))

_clients: "weakref.WeakSet[AsyncClient]" = weakref.WeakSet()


def _leave_to_parent() -> None:
    for client in list(_clients):
        client._renew()


os.register_at_fork(after_in_child=_leave_to_parent)
