import asyncio
import os
import threading
import time
import unittest

from entitld import Client
from entitld.aio import TOLD_MAX, AsyncClient, EntitldError, Unavailable, UnknownOutcome
from fake_daemon import DaemonCase, framed


class AsyncTests(DaemonCase):
    def run_with(self, daemon, body, **options):
        async def main():
            async with AsyncClient(daemon.path, **{"timeout": 10, **options}) as client:
                return await body(client)

        return asyncio.run(main())

    def test_it_has_every_method_of_the_client(self):
        names = {name for name in dir(Client) if not name.startswith("_")} - {"close"}
        self.assertLessEqual(names, set(dir(AsyncClient)))
        for name in names - {"watch"}:
            self.assertTrue(asyncio.iscoroutinefunction(getattr(AsyncClient, name)), name)
        self.assertEqual(AsyncClient.can_render.__doc__, Client.can_render.__doc__)

    def test_calls_run_side_by_side_and_find_their_answers(self):
        def script(method, params, _):
            time.sleep(0.2)
            return {"result": {"userId": params["userId"]}}

        daemon = self.daemon(script)

        async def body(client):
            begun = time.monotonic()
            users = [f"user{number}" for number in range(16)]
            answers = await asyncio.gather(*(client.status(user) for user in users))
            self.assertEqual([answer["userId"] for answer in answers], users)
            return time.monotonic() - begun

        # One after the other they take 3.2 s, eight at a time 0.4 s.
        self.assertLess(self.run_with(daemon, body), 2)
        self.assertEqual(daemon.connections, 8)

    def test_errors_are_those_of_the_client(self):
        error = {"code": -32050, "message": "no", "data": {"code": "overloaded", "retryable": True}}
        daemon = self.daemon(lambda *_: {"error": error})

        async def body(client):
            with self.assertRaises(EntitldError) as caught:
                await client.consume_credit("alice")
            self.assertEqual(caught.exception.name, "overloaded")
            key = daemon.requests[0][1]["idempotencyKey"]
            self.assertEqual(caught.exception.idempotency_key, key)
            with self.assertRaises(TypeError):
                await client.can_render("")

        self.run_with(daemon, body)

        async def away():
            async with AsyncClient("/tmp/nobody-listens-here", timeout=0.1) as client:
                with self.assertRaises(Unavailable):
                    await client.can_render("alice")

        asyncio.run(away())
        for wrong in (0, "8"):
            with self.assertRaises(TypeError):
                AsyncClient(connections=wrong)
        with self.assertRaises(TypeError):
            AsyncClient(token="a")

    def test_what_a_store_is_asked_holds_up_no_check(self):
        released = threading.Event()
        self.addCleanup(released.set)

        def script(method, params, _):
            if method == "verifyPurchase":
                released.wait(20)
            return {"result": {}}

        daemon = self.daemon(script)

        async def body(client):
            purchases = [asyncio.ensure_future(client.verify_purchase("alice", "a.b.c")) for _ in range(4)]
            await asyncio.sleep(0.05)
            await client.can_render("alice", timeout=5)
            released.set()
            await asyncio.gather(*purchases)

        self.run_with(daemon, body, connections=1)

    def test_a_call_that_waits_for_its_turn_ends_by_its_own_deadline(self):
        released = threading.Event()
        self.addCleanup(released.set)

        def script(method, params, _):
            if method == "slow":
                released.wait(20)
            return {"result": {}}

        daemon = self.daemon(script)

        async def body(client):
            slow = [asyncio.ensure_future(client.read("slow", {}, timeout=20)) for _ in range(2)]
            await asyncio.sleep(0.05)
            with self.assertRaises(Unavailable) as caught:
                # It ends before there is a turn for it.
                await asyncio.wait_for(client.consume_credit("alice", idempotency_key="k", timeout=0.1), 10)
            self.assertEqual((caught.exception.name, caught.exception.idempotency_key), ("timed_out", "k"))
            self.assertNotIsInstance(caught.exception, UnknownOutcome)
            # This one gets its turn, with the rest of its time.
            waiting = asyncio.ensure_future(client.status("bob", timeout=10))
            await asyncio.sleep(0.05)
            released.set()
            await asyncio.gather(waiting, *slow)

        self.run_with(daemon, body, connections=2)
        self.assertEqual([params for method, params in daemon.requests if method != "slow"],
                         [{"userId": "bob"}])

    def expect_no_watching_thread(self):
        deadline = time.monotonic() + 10
        while any(thread.name == "entitld-watch" for thread in threading.enumerate()):
            self.assertLess(time.monotonic(), deadline, "the thread of the watch goes on")
            time.sleep(0.01)

    def test_a_watch_that_is_over_leaves_no_thread_and_no_connection(self):
        joined = framed({"jsonrpc": "2.0", "id": 1, "result": {"seq": 10}})
        change = framed({"jsonrpc": "2.0", "method": "catalogChanged", "params": {"seq": 11}})
        # After one event, or none, it is silent.
        daemon = self.daemon(lambda _, params, __: joined + change if params.get("userIds") else joined)

        async def body(client):
            async for method, params in client.watch(["alice"]):
                self.assertEqual((method, params), ("catalogChanged", {"seq": 11}))
                break
            with self.assertRaises(asyncio.TimeoutError):
                await asyncio.wait_for(client.watch().__anext__(), 0.1)
            # Nobody is there, and the watch connects again and again.
            away = AsyncClient("/tmp/nobody-listens-here")
            with self.assertRaises(asyncio.TimeoutError):
                await asyncio.wait_for(away.watch(from_seq=0).__anext__(), 0.1)
            await away.aclose()
            for _ in range(2):
                self.assertTrue(await asyncio.to_thread(daemon.ended.acquire, timeout=10))

        self.run_with(daemon, body)
        self.expect_no_watching_thread()

    def test_a_watch_that_nobody_reads_ends_too(self):
        change = framed({"jsonrpc": "2.0", "method": "catalogChanged", "params": {"seq": 11}})
        joined = framed({"jsonrpc": "2.0", "id": 1, "result": {"seq": 10}})
        daemon = self.daemon(lambda *_: joined + change * 3 * TOLD_MAX)

        async def body(client):
            feed = client.watch()
            await feed.__anext__()
            await asyncio.sleep(0.1)
            await feed.aclose()

        self.run_with(daemon, body)
        self.expect_no_watching_thread()

    def test_whatever_ends_a_watch_is_raised(self):
        daemon = self.daemon(lambda *_: {"result": {}})  # without a position: a KeyError

        async def body(client):
            with self.assertRaises(KeyError):
                await asyncio.wait_for(client.watch().__anext__(), 10)
            with self.assertRaises(TypeError):
                await asyncio.wait_for(client.watch(7).__anext__(), 10)
            with self.assertRaises(EntitldError) as caught:
                await asyncio.wait_for(client.watch([]).__anext__(), 10)
            self.assertEqual(caught.exception.name, "invalid_params")

        self.run_with(daemon, body)
        self.expect_no_watching_thread()

    def test_a_cancelled_call_holds_up_nothing(self):
        def script(method, params, _):
            time.sleep(0.5 if params["userId"] == "slow" else 0)
            return {"result": {"userId": params["userId"]}}

        daemon = self.daemon(script)

        async def body(client):
            with self.assertRaises(asyncio.TimeoutError):
                await asyncio.wait_for(client.status("slow"), 0.05)
            self.assertEqual(await client.status("quick"), {"userId": "quick"})

        self.run_with(daemon, body, connections=2)

    def test_a_closed_client_says_so(self):
        daemon = self.daemon(lambda *_: {"result": {}})

        async def late():
            client = AsyncClient(daemon.path, timeout=10)
            await client.aclose()
            await client.consume_credit("alice", idempotency_key="k")

        with self.assertRaises(Unavailable) as caught:
            asyncio.run(late())
        self.assertEqual((caught.exception.name, caught.exception.retryable), ("closed", False))
        self.assertEqual(caught.exception.idempotency_key, "k")
        self.assertEqual(daemon.requests, [])

    def test_a_forked_child_has_connections_of_its_own(self):
        daemon = self.daemon(lambda method, params, _: {"result": {"userId": params["userId"]}})
        client = AsyncClient(daemon.path, timeout=10)

        async def ask():
            answers = await asyncio.gather(*(client.status(str(number)) for number in range(20)))
            return [answer["userId"] for answer in answers] == [str(number) for number in range(20)]

        self.assertTrue(asyncio.run(ask()))
        children = []
        for _ in range(8):
            child = os.fork()
            if child == 0:
                os._exit(0 if asyncio.run(ask()) else 1)
            children.append(child)
        self.assertTrue(asyncio.run(ask()))
        for child in children:
            self.assertEqual(os.waitpid(child, 0)[1], 0)
        asyncio.run(client.aclose())


if __name__ == "__main__":
    unittest.main()
