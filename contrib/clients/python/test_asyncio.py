import asyncio
import os
import time
import unittest

from entitld import Client
from entitld.aio import AsyncClient, EntitldError, Unavailable
from fake_daemon import DaemonCase


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
