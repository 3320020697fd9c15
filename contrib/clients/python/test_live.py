"""The client beside the real daemon, which ENTITLD_BIN names the directory of."""

import os
import signal
import subprocess
import tempfile
import threading
import time
import unittest

from entitld import Client, EntitldError

BIN = os.environ.get("ENTITLD_BIN")
CONFIGURATION = """
storage: { directory: %(home)s/data, mapSizeGiB: 1 }
rpc: { socket: %(home)s/rpc.sock, adminSocket: %(home)s/admin.sock }
apple: { bundleId: com.example.app, environments: [Sandbox] }
log: { level: error, format: json }
"""


@unittest.skipUnless(BIN, "ENTITLD_BIN is not set")
class LiveTests(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.home = directory.name
        with open(f"{self.home}/entitld.yaml", "w") as file:
            file.write(CONFIGURATION % {"home": self.home})
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

    def test_children_hear_of_their_own_users_alone(self):
        client, admin = self.client(), self.client("admin")
        users = {f"user-{number}": number + 1 for number in range(8)}
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
                    wrong = sum(client.credits(user)["balance"] != amount for _ in range(1_000))
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
        client, admin = self.client(), self.client("admin")
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


if __name__ == "__main__":
    unittest.main()
