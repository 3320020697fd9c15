import json
import os
import socket
import struct
import tempfile
import threading
import unittest

from entitld import Client, EntitldError, Unavailable


class FakeDaemon:
    """Listens at `path` and answers with what `script(method, params, connection)` returns.

    A dictionary is a reply's `result` or `error` member, bytes are sent as they are, None hangs up;
    (bytes, None) does both.
    """

    def __init__(self, script):
        self._directory = tempfile.TemporaryDirectory()
        self.path = os.path.join(self._directory.name, "s")
        self.script, self.requests, self.connections = script, [], 0
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(self.path)
        self._listener.listen(8)
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            self.connections += 1
            threading.Thread(
                target=self._serve, args=(connection, self.connections), daemon=True
            ).start()

    def _serve(self, connection, number):
        with connection, connection.makefile("rb") as stream:
            while header := stream.read(4):
                request = json.loads(stream.read(struct.unpack(">I", header)[0]))
                self.requests.append((request["method"], request["params"]))
                act = self.script(request["method"], request["params"], number)
                if act is None:
                    return
                if isinstance(act, dict):
                    body = json.dumps({"jsonrpc": "2.0", "id": request["id"], **act}).encode()
                    act = struct.pack(">I", len(body)) + body
                hangs_up = isinstance(act, tuple)
                connection.sendall(act[0] if hangs_up else act)
                if hangs_up:
                    return

    def close(self):
        self._listener.close()
        self._directory.cleanup()


class ClientTests(unittest.TestCase):
    def daemon(self, script):
        daemon = FakeDaemon(script)
        self.addCleanup(daemon.close)
        return daemon

    def client(self, daemon, **options):
        client = Client(daemon.path, **{"timeout": 10, "write_timeout": 10, **options})
        self.addCleanup(client.close)
        return client

    def test_every_call_sends_its_method_and_named_parameters(self):
        results = {
            "getEntitlement": {"entitlement": {"isActive": True}},
            "getManagementURL": {"url": None},
            "getHistory": {"events": []},
        }
        daemon = self.daemon(lambda method, *_: {"result": results.get(method, {"method": method})})
        with self.client(daemon) as client:
            self.assertEqual(client.can_render("alice", cost=2), {"method": "canRender"})
            self.assertEqual(client.entitlement("alice"), {"isActive": True})
            self.assertIsNone(client.management_url("alice", platform="ios"))
            client.status("alice")
            client.ping()
            client.version()
            client.register_account("alice")
            client.verify_purchase("alice", "a.b.c", productId="p")
            client.grant_entitlement("alice", "premium", "k", reason="gift")
            client.revoke_grant("alice", "g")
            client.credits("alice")
            client.restore_purchases("alice", ["a.b.c"])
            client.verify_receipt("alice", "AAAA")
            client.consume_credit("alice", 2, "k")
            client.reserve_credits("alice", 3, 60, "r")
            client.commit_reservation("r1", 2)
            client.release_reservation("r1")
            client.reverse_credits("alice", "k", "b")
            client.grant_credits("alice", 5, "g", reason="gift")
            self.assertEqual(client.history("alice", after_seq=7), [])
        self.assertEqual(daemon.connections, 1)
        self.assertEqual(daemon.requests, [
            ("canRender", {"userId": "alice", "cost": 2}),
            ("getEntitlement", {"userId": "alice"}),
            ("getManagementURL", {"userId": "alice", "platform": "ios"}),
            ("getStatus", {"userId": "alice"}),
            ("ping", {}),
            ("version", {}),
            ("registerAccount", {"userId": "alice"}),
            ("verifyPurchase", {"userId": "alice", "signedTransaction": "a.b.c", "productId": "p"}),
            ("grantEntitlement",
             {"userId": "alice", "plan": "premium", "idempotencyKey": "k", "reason": "gift"}),
            ("revokeGrant", {"userId": "alice", "grant": "g"}),
            ("getCredits", {"userId": "alice"}),
            ("restorePurchases", {"userId": "alice", "signedTransactions": ["a.b.c"]}),
            ("verifyReceipt", {"userId": "alice", "receiptData": "AAAA"}),
            ("consumeCredit", {"userId": "alice", "amount": 2, "idempotencyKey": "k"}),
            ("reserveCredits",
             {"userId": "alice", "amount": 3, "ttlSeconds": 60, "idempotencyKey": "r"}),
            ("commitReservation", {"reservation": "r1", "amount": 2}),
            ("releaseReservation", {"reservation": "r1"}),
            ("reverseCredits", {"userId": "alice", "consumeKey": "k", "idempotencyKey": "b"}),
            ("grantCredits",
             {"userId": "alice", "amount": 5, "reason": "gift", "idempotencyKey": "g"}),
            ("getHistory", {"userId": "alice", "afterSeq": 7}),
        ])

    def test_an_error_object_is_raised_and_the_connection_goes_on(self):
        error = {"code": -32029, "message": "too much",
                 "data": {"code": "overloaded", "retryable": True, "retryAfterMs": 100}}
        replies = {"getStatus": {"error": error}, "ping": {"result": {}}}
        daemon = self.daemon(lambda method, *_: replies[method])
        client = self.client(daemon)
        with self.assertRaises(EntitldError) as caught:
            client.status("alice")
        self.assertNotIsInstance(caught.exception, Unavailable)
        self.assertEqual((caught.exception.code, caught.exception.name), (-32029, "overloaded"))
        self.assertTrue(caught.exception.retryable)
        self.assertEqual(caught.exception.data["retryAfterMs"], 100)
        client.ping()
        self.assertEqual(daemon.connections, 1)

    def test_a_missing_socket_is_unreachable(self):
        with self.assertRaises(Unavailable) as caught:
            Client("/tmp/entitld-nobody-here").ping()
        self.assertEqual(caught.exception.name, "unreachable")

    def test_silence_times_out_and_the_next_call_has_a_new_connection(self):
        daemon = self.daemon(lambda _, __, connection: b"" if connection == 1 else {"result": {}})
        client = self.client(daemon)
        with self.assertRaises(Unavailable) as caught:
            client.ping(timeout=0.05)
        self.assertEqual(caught.exception.name, "timed_out")
        client.ping()
        self.assertEqual(daemon.connections, 2)

    def test_a_read_is_repeated_after_an_idle_connection_was_lost(self):
        served = []

        def script(method, params, connection):
            served.append(connection)
            return {"result": {}} if served.count(1) < 2 or connection == 2 else None

        daemon = self.daemon(script)
        client = self.client(daemon)
        client.ping()
        client.ping()
        self.assertEqual(served, [1, 1, 2])

    def test_a_write_without_a_key_is_sent_once(self):
        daemon = self.daemon(lambda method, *_: {"result": {}} if method == "ping" else None)
        client = self.client(daemon)
        client.ping()
        with self.assertRaises(Unavailable) as caught:
            client.revoke_grant("alice", "g")
        self.assertEqual(caught.exception.name, "connection_lost")
        self.assertEqual(len(daemon.requests), 2)

    def test_a_reply_over_the_limit_is_refused_by_its_length(self):
        daemon = self.daemon(lambda *_: struct.pack(">I", 1025))
        with self.assertRaises(Unavailable) as caught:
            self.client(daemon, frame_bytes_max=1024).ping()
        self.assertEqual(caught.exception.name, "malformed_reply")

    def test_a_large_reply_comes_in_pieces(self):
        daemon = self.daemon(lambda _, params, __: {"result": params})
        large = "x" * 500_000
        self.assertEqual(self.client(daemon).read("echo", {"large": large}), {"large": large})

    def test_a_watch_goes_on_after_its_last_position_on_a_new_connection(self):
        def script(method, params, connection):
            self.assertEqual(method, "watch")
            seq = 10 + connection
            frames = b""
            for message in (
                {"id": 1, "result": {"seq": 10}},
                {"method": "heartbeat", "params": {"seq": seq - 1}},
                {"method": "entitlementChanged", "params": {"seq": seq, "userId": "alice"}},
                {"method": "entitlementChanged", "params": {"seq": seq, "userId": "bob"}},
            ):
                body = json.dumps({"jsonrpc": "2.0", **message}).encode()
                frames += struct.pack(">I", len(body)) + body
            return (frames, None) if connection == 1 else frames

        daemon = self.daemon(script)
        feed = self.client(daemon).watch(["alice"])
        self.addCleanup(feed.close)
        told = [next(feed)[1] for _ in range(4)]
        self.assertEqual(
            [(change["seq"], change["userId"]) for change in told],
            [(11, "alice"), (11, "bob"), (12, "alice"), (12, "bob")],
        )
        self.assertEqual(
            [params.get("fromSeq") for _, params in daemon.requests], [None, 10]
        )

    def test_a_watch_that_was_never_joined_fails(self):
        with self.assertRaises(Unavailable):
            next(Client("/tmp/entitld-nobody-here").watch())

    def test_threads_share_a_client(self):
        daemon = self.daemon(lambda _, params, __: {"result": params})
        client, matched = self.client(daemon), []

        def ask(user):
            matched.append(client.status(user)["userId"] == user)

        threads = [threading.Thread(target=ask, args=(f"u{number}",)) for number in range(32)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(matched, [True] * 32)
        self.assertEqual(daemon.connections, 1)


if __name__ == "__main__":
    unittest.main()
