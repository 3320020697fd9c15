"""The client beside the real daemon, which ENTITLD_BIN names the directory of."""

import asyncio
import contextlib
import hashlib
import os
import random
import signal
import socket
import subprocess
import tempfile
import threading
import time
import traceback
import unittest
from unittest import mock

from entitld import Client, EntitldError, Unavailable, UnknownOutcome
from entitld.aio import AsyncClient

BIN = os.environ.get("ENTITLD_BIN")
CONFIGURATION = """
storage: { directory: %(home)s/data, mapSizeGiB: 1 }
rpc: { socket: %(home)s/rpc.sock, adminSocket: %(home)s/admin.sock, sharedAnswers: true }
apple: { bundleId: com.example.app, environments: [Sandbox] }
log: { level: error, format: json }
api: { listen: "127.0.0.1:%(port)d", plaintext: true, tokensFile: %(home)s/tokens, requestsPerSecond: 100000 }
"""


def free_port():
    """A port of the loopback that nobody listens on, and that Linux lends to no connection."""
    while True:
        port = random.randrange(20_000, 32_000)
        with contextlib.suppress(OSError), socket.socket() as probe:
            probe.bind(("127.0.0.1", port))
            return port


@unittest.skipUnless(BIN, "ENTITLD_BIN is not set")
class LiveTests(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.home = directory.name
        self.port = free_port()
        with open(f"{self.home}/entitld.yaml", "w") as file:
            file.write(CONFIGURATION % {"home": self.home, "port": self.port})
        with open(f"{self.home}/tokens", "w") as file:
            file.write(f"test app {hashlib.sha256(b'secret').hexdigest()}\n")
        os.chmod(f"{self.home}/tokens", 0o644)
        self.daemon = None
        self.start()
        self.addCleanup(self.stop, signal.SIGTERM)

    def start(self):
        arguments = [f"{BIN}/entitld", "serve", "--config", f"{self.home}/entitld.yaml"]
        self.daemon = subprocess.Popen(arguments, stderr=subprocess.DEVNULL)

    def stop(self, with_signal):
        self.daemon.send_signal(with_signal)
        self.daemon.wait(30)

    def client(self, name="rpc", **options):
        options = {"timeout": 30, "write_timeout": 30, **options}
        client = Client(f"{self.home}/{name}.sock", **options)
        self.addCleanup(client.close)
        return client

    def door(self, token="secret", **options):
        options = {"timeout": 30, "write_timeout": 30, **options}
        client = Client(url=f"http://127.0.0.1:{self.port}", token=token, **options)
        self.addCleanup(client.close)
        return client

    def test_over_https_the_daemon_answers_as_at_its_socket(self):
        client, admin = self.door(), self.client("admin")
        admin.grant_credits("alice", 3)
        self.assertTrue(client.can_render("alice")["canRender"])
        self.assertEqual(client.consume_credit("alice", 2)["creditsRemaining"], 1)
        self.assertEqual(client.status("alice"), self.client().status("alice"))
        for failing, name in (
            (lambda: client.commit_reservation("nobody's"), "not_found"),
            (lambda: client.grant_credits("alice", 1), "permission_denied"),
            (lambda: self.door("another").can_render("alice"), "permission_denied"),
        ):
            with self.assertRaises(EntitldError) as caught:
                failing()
            self.assertEqual(caught.exception.name, name)

    def test_asyncio_asks_and_watches_over_both(self):
        admin = self.client("admin")
        places = ({"path": f"{self.home}/rpc.sock"},
                  {"url": f"http://127.0.0.1:{self.port}", "token": "secret"})

        async def told(place, user):
            async with AsyncClient(timeout=30, write_timeout=30, **place) as client:
                made = await asyncio.gather(*(
                    client.register_account(f"{user}-{number}") for number in range(20)))
                self.assertTrue(all(answer["created"] for answer in made))
                heard = []
                async for method, params in client.watch([f"{user}-0"], from_seq=0):
                    if method != "entitlementChanged":
                        continue
                    heard.append(params["cause"])
                    if len(heard) == 1:
                        await asyncio.to_thread(admin.grant_credits, f"{user}-0", 1)
                    else:
                        break
                return heard

        for index, place in enumerate(places):
            heard = asyncio.run(asyncio.wait_for(told(place, f"user{index}"), 30))
            self.assertEqual(heard, ["registered", "credits_granted"])

    def test_a_watch_over_https_goes_on_after_a_restart(self):
        client = self.door()
        admin = self.client("admin")
        admin.grant_credits("alice", 1)
        heard, watching = [], client.watch(["alice", "b c+d"])

        def listen():
            for method, params in watching:
                heard.append((method, params["userId"]))

        threading.Thread(target=listen, daemon=True).start()

        def expect(count):
            deadline = time.monotonic() + 30
            while len(heard) < count and time.monotonic() < deadline:
                time.sleep(0.01)
            self.assertEqual(len(heard), count, heard)

        time.sleep(0.5)
        admin.grant_credits("bob", 1)
        admin.grant_credits("b c+d", 1)
        expect(1)
        self.stop(signal.SIGTERM)
        self.start()
        admin.grant_credits("alice", 1)
        deadline = time.monotonic() + 30
        while ("entitlementChanged", "alice") not in heard and time.monotonic() < deadline:
            time.sleep(0.01)
        self.assertIn(("entitlementChanged", "alice"), heard)
        self.assertEqual(heard[0], ("entitlementChanged", "b c+d"))

    def test_children_hear_of_their_own_users_alone(self):
        client, admin = self.client(), self.client("admin")
        users = {f"user-{number}": number + 1 for number in range(64)}
        for user, amount in users.items():
            admin.grant_credits(user, amount)
        client.ping()
        asking, stopping = [], threading.Event()

        def keep_asking():
            while not stopping.is_set():
                asking.append(client.credits("user-0")["balance"])

        thread = threading.Thread(target=keep_asking)
        thread.start()
        children = []
        for user, amount in users.items():
            child = os.fork()
            if child == 0:
                try:
                    signal.alarm(60)
                    wrong = sum(client.credits(user)["balance"] != amount for _ in range(100))
                    os._exit(1 if wrong else 0)
                finally:
                    os._exit(2)
            children.append(child)
        codes = [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]
        stopping.set()
        thread.join()
        self.assertEqual(codes, [0] * len(users))
        self.assertEqual(set(asking), {1})

    def test_calls_go_on_while_the_daemon_restarts_and_no_charge_is_lost_or_doubled(self):
        self.keep_charging_over_restarts(self.client())

    def test_and_so_they_do_over_https(self):
        self.keep_charging_over_restarts(self.door())

    def keep_charging_over_restarts(self, client):
        admin = self.client("admin")
        admin.grant_credits("alice", 1_000_000)
        charged, failures, stopping = [], [], threading.Event()

        def keep_charging():
            while not stopping.is_set():
                try:
                    charged.append(client.consume_credit("alice", 3)["outcome"])
                except EntitldError as error:
                    failures.append(str(error))

        thread = threading.Thread(target=keep_charging)
        thread.start()
        for with_signal in (signal.SIGKILL, signal.SIGTERM, signal.SIGKILL):
            before = len(charged)
            while len(charged) < before + 20:
                time.sleep(0.01)
            self.stop(with_signal)
            time.sleep(0.2)
            self.start()
        before = len(charged)
        while len(charged) < before + 20:
            time.sleep(0.01)
        stopping.set()
        thread.join()
        self.assertEqual(failures, [])
        self.assertEqual(set(charged), {"consumed"})
        self.assertEqual(client.credits("alice")["balance"], 1_000_000 - 3 * len(charged))

    def test_a_kept_answer_is_never_older_than_the_last_write(self):
        admin, client = self.client("admin"), self.client(shared_answers=True)
        users = [f"user-{number}" for number in range(20)]
        for user in users:
            client.register_account(user)
        self.assertFalse(client.can_render(users[0])["canRender"])
        for number in range(1_000):
            user = users[number % len(users)]
            admin.write("adjustCredits", {"userId": user, "amount": 1, "idempotencyKey": f"{number}+"})
            self.assertTrue(client.can_render(user)["canRender"], number)
            self.assertTrue(client.can_render(user)["canRender"])
            admin.write("adjustCredits", {"userId": user, "amount": -1, "idempotencyKey": f"{number}-"})
            self.assertFalse(client.can_render(user)["canRender"], number)
        # Nothing changes: nothing is asked.
        client.can_render(users[1])
        asked = []
        client._call = lambda *_: asked.append(1)
        for _ in range(1_000):
            self.assertFalse(client.can_render(users[1])["canRender"])
        self.assertEqual(asked, [])
        del client._call

    def test_and_not_over_lives_of_the_daemon(self):
        client = self.client(shared_answers=True)
        for number, with_signal in enumerate((signal.SIGKILL, signal.SIGTERM, signal.SIGKILL)):
            user = f"user-{number}"
            admin = self.client("admin")
            client.register_account(user)
            self.assertFalse(client.can_render(user)["canRender"])
            self.stop(with_signal)
            self.start()
            admin.grant_credits(user, 1)
            self.assertTrue(client.can_render(user)["canRender"])

    def test_what_the_client_sends_is_what_the_daemon_can_read(self):
        client = self.client()

        def deep(levels):
            return 1 if levels == 0 else {"deeper": deep(levels - 1)}

        # The daemon reads it and finds parameters that it does not know.
        wide = {str(number): 1 for number in range(20_000)}
        for params in (deep(31), wide, {"text": "\U0001f600 \\ud83d \0"}):
            with self.assertRaises(EntitldError) as caught:
                client.read("consumeCredit", params)
            self.assertEqual(caught.exception.code, -32602)

    def test_a_hold_returns_when_its_client_goes(self):
        self.client("admin").grant_credits("alice", 10)
        holder, client = self.client(), self.client()
        holder.reserve_credits("alice", 4, 3600, release_on_disconnect=True)
        self.assertEqual(client.credits("alice")["held"], 4)
        holder.close()
        deadline = time.monotonic() + 30
        while client.credits("alice")["held"] and time.monotonic() < deadline:
            time.sleep(0.01)
        self.assertEqual(client.credits("alice")["balance"], 10)


    @contextlib.contextmanager
    def stopped(self):
        self.daemon.send_signal(signal.SIGSTOP)
        os.waitid(os.P_PID, self.daemon.pid, os.WSTOPPED)
        try:
            yield
        finally:
            self.daemon.send_signal(signal.SIGCONT)

    def test_a_hold_outlasts_a_question_that_timed_out(self):
        self.client("admin").grant_credits("alice", 10)
        client = self.client()
        hold = client.reserve_credits("alice", 4, 3600, release_on_disconnect=True)["reservation"]
        with self.stopped():
            kinds = set()
            for _ in range(1_000):  # more than a connection takes that nobody reads
                with self.assertRaises(Unavailable) as caught:
                    client.can_render("alice", timeout=0.001)
                kinds.add(type(caught.exception))
            self.assertEqual(kinds, {Unavailable, UnknownOutcome})
        self.assertEqual(client.commit_reservation(hold)["outcome"], "committed")
        self.assertEqual(client.credits("alice")["balance"], 6)

    def test_and_so_it_does_with_asyncio(self):
        self.client("admin").grant_credits("alice", 10)

        async def main():
            async with AsyncClient(f"{self.home}/rpc.sock", write_timeout=30) as client:
                hold = await client.reserve_credits("alice", 4, 3600, release_on_disconnect=True)
                with self.stopped():
                    failures = await asyncio.gather(
                        *(client.can_render("alice") for _ in range(20)), return_exceptions=True)
                self.assertEqual({type(failure) for failure in failures} - {Unavailable}, {UnknownOutcome})
                return await client.commit_reservation(hold["reservation"])

        self.assertEqual(asyncio.run(main())["outcome"], "committed")


@unittest.skipUnless(BIN, "ENTITLD_BIN is not set")
class ForkTests(unittest.TestCase):
    """64 children of a process that goes on asking, each with the client that it was born with.

    The door has TLS: a child that used its parent's session would spoil it for both.
    """

    client, stop = LiveTests.client, LiveTests.stop

    def setUp(self):
        tls = "tls: { certificateFile: %(home)s/door.pem, privateKeyFile: %(home)s/door.key }"
        with mock.patch.dict(globals(), CONFIGURATION=CONFIGURATION.replace("plaintext: true", tls)):
            LiveTests.setUp(self)
        admin = self.client("admin")
        self.users = {f"user-{number}": number + 1 for number in range(64)}
        for user, amount in self.users.items():
            admin.grant_credits(user, amount)

    def start(self):
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
             "-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost",
             "-keyout", f"{self.home}/door.key", "-out", f"{self.home}/door.pem"],
            check=True, capture_output=True)
        os.chmod(f"{self.home}/door.key", 0o600)
        LiveTests.start(self)

    def places(self):
        door = {"url": f"https://localhost:{self.port}", "token": "secret", "ca": f"{self.home}/door.pem"}
        return {"socket": {"path": f"{self.home}/rpc.sock"}, "https": door}

    def fork(self, wrong):
        """Checks that wrong(user, amount) is 0 in each child."""
        children = []
        for user, amount in self.users.items():
            child = os.fork()
            if child == 0:
                try:
                    signal.alarm(120)
                    os._exit(1 if wrong(user, amount) else 0)
                except BaseException:
                    traceback.print_exc()
                finally:
                    os._exit(2)
            children.append(child)
        codes = [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]
        self.assertEqual(codes, [0] * len(self.users))

    def test_over_https(self):
        client, over, asked = Client(timeout=60, **self.places()["https"]), threading.Event(), []
        self.addCleanup(client.close)
        self.addCleanup(over.set)
        client.ping()

        def keep_asking():
            while not over.is_set():
                asked.append(client.credits("user-0")["balance"])

        thread = threading.Thread(target=keep_asking)
        thread.start()
        self.fork(lambda user, amount: sum(client.credits(user)["balance"] != amount for _ in range(50)))
        over.set()
        thread.join()
        self.assertEqual(set(asked), {1})

    def test_with_asyncio(self):
        for name, place in self.places().items():
            with self.subTest(name):
                self.fork_beside_a_loop(AsyncClient(timeout=60, **place))

    def fork_beside_a_loop(self, client):
        over, asked = threading.Event(), []
        self.addCleanup(over.set)

        async def keep_asking():
            while not over.is_set():
                asked.append((await client.credits("user-0"))["balance"])

        async def live():
            await asyncio.gather(*(keep_asking() for _ in range(8)))
            await client.aclose()

        async def ask(user, amount):
            answers = await asyncio.gather(*(client.credits(user) for _ in range(50)))
            return sum(answer["balance"] != amount for answer in answers)

        thread = threading.Thread(target=lambda: asyncio.run(live()))
        thread.start()
        # All connections are made by then: a child born in the middle of a handshake of its parent's may
        # find a lock of OpenSSL held for ever, and no client can help that.
        while len(asked) < 100 and thread.is_alive():
            time.sleep(0.01)
        self.fork(lambda user, amount: asyncio.run(ask(user, amount)))
        over.set()
        thread.join()
        self.assertEqual(set(asked), {1})


if __name__ == "__main__":
    unittest.main()
