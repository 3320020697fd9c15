import contextlib
import os
import random
import signal
import threading
import time
import unittest
from unittest import mock

import entitld.client
from entitld import Client, EntitldError, UnknownOutcome
from fake_daemon import BLIND_ERRORS, NOT_READY, DaemonCase, framed, nameless


class LossTests(DaemonCase):
    """What became of a call whose connection, or whose daemon, went away."""

    def failure(self, call, *arguments, **options):
        with self.assertRaises(EntitldError) as caught:
            call(*arguments, **options)
        return caught.exception

    def test_an_idle_connection_that_ended_is_made_again_for_any_call(self):
        daemon = self.daemon(lambda method, *_: ({"result": {}} if method != "bye" else None))
        client = self.client(daemon)
        client.ping()
        self.assertIsInstance(self.failure(client.write, "bye", {}), UnknownOutcome)
        client.revoke_grant("alice", "g")
        self.assertEqual([method for method, _ in daemon.requests], ["ping", "bye", "revokeGrant"])

    def test_a_read_and_a_write_with_a_key_survive_a_lost_connection(self):
        daemon = self.daemon(lambda _, __, number: {"result": {}} if number % 2 == 0 else None)
        client = self.client(daemon)
        client.ping()
        client.close()
        client.consume_credit("alice")
        self.assertEqual(daemon.connections, 4)
        keys = {params.get("idempotencyKey") for method, params in daemon.requests[2:]}
        self.assertEqual(len(keys), 1)

    def test_a_call_that_gets_no_word_is_repeated_until_its_deadline(self):
        daemon = self.daemon(lambda *_: None)
        begin = time.monotonic()
        failure = self.failure(self.client(daemon).ping, timeout=1.5)
        self.assertGreater(time.monotonic() - begin, 1.4)
        self.assertIsInstance(failure, UnknownOutcome)
        self.assertTrue(failure.retryable)
        # With pauses, of 50 ms at most.
        self.assertGreater(len(daemon.requests), 20)
        self.assertLess(len(daemon.requests), 80)

    def test_a_write_without_a_key_is_sent_once_and_its_outcome_is_unknown(self):
        daemon = self.daemon(lambda *_: None)
        client = self.client(daemon)
        for call in (
            lambda: client.revoke_grant("alice", "g"),
            lambda: client.write("adjustCredits", {"userId": "alice", "amount": 1}),
        ):
            daemon.requests.clear()
            failure = self.failure(call)
            self.assertIsInstance(failure, UnknownOutcome)
            self.assertEqual((failure.name, failure.retryable), ("connection_lost", True))
            self.assertEqual(len(daemon.requests), 1)

    def test_which_methods_are_sent_twice_without_a_key(self):
        seen = set()

        def script(method, *_):
            if method in seen:
                return {"result": {}}
            seen.add(method)
            return None

        client = self.client(self.daemon(script))
        for method in ("registerAccount", "reconcile", "sendConsumption", "load", "setLogLevel", "signOffer"):
            client.write(method, {})
        for method in (
            "movePurchase", "revokeGrant", "eraseUser", "extendRenewal", "backup", "testNotification",
            "retryOutbox", "skipOutbox", "testOutbox", "consumeCredit", "grantCredits", "newMethod",
        ):
            self.assertIsInstance(self.failure(client.write, method, {}), UnknownOutcome, method)

    def test_a_call_waits_for_a_daemon_that_is_not_there_yet(self):
        daemon = self.daemon(lambda *_: {"result": {}}, listens=False)
        client = self.client(daemon)
        starting = threading.Timer(0.1, daemon.listen)
        starting.start()
        self.addCleanup(starting.join)
        client.revoke_grant("alice", "g")
        self.assertEqual(len(daemon.requests), 1)

    def test_nobody_there_until_the_deadline_is_unreachable_and_nothing_was_done(self):
        begun = time.monotonic()
        failure = self.failure(Client("/tmp/entitld-nobody-here").consume_credit, "u", timeout=0.2)
        self.assertNotIsInstance(failure, UnknownOutcome)
        self.assertEqual((failure.name, failure.code), ("unreachable", 0))
        self.assertGreater(time.monotonic() - begun, 0.1)

    def test_what_a_starting_daemon_refuses_is_asked_again_whatever_it_is(self):
        left = [3]

        def script(*_):
            left[0] -= 1
            return NOT_READY if left[0] >= 0 else {"result": {}}

        client = self.client(self.daemon(script))
        client.status("alice")
        left[0] = 3
        client.consume_credit("alice")
        left[0] = 3
        client.revoke_grant("alice", "g")  # nothing of it was carried out
        self.assertEqual(left, [-1])

    def test_a_daemon_that_stays_unready_until_the_deadline_says_so_itself(self):
        daemon = self.daemon(lambda *_: NOT_READY)
        # With these pauses the last of the sends, at 0.5 s, has time for its answer.
        with mock.patch("entitld.client.PAUSE_SECONDS_MAX", 1), \
                mock.patch("random.uniform", lambda _, most: most):
            for call in (
                lambda client: client.status("alice", timeout=0.9),
                lambda client: client.revoke_grant("alice", "g", timeout=0.9),
            ):
                daemon.requests.clear()
                self.assertEqual(self.failure(call, self.client(daemon)).code, -32002)
                self.assertGreater(len(daemon.requests), 2)

    def test_a_write_without_a_key_that_is_lost_after_a_refusal_is_in_doubt(self):
        daemon = self.daemon(lambda _, __, number: NOT_READY if len(daemon.requests) < 3 else None)
        failure = self.failure(self.client(daemon).revoke_grant, "alice", "g")
        self.assertIsInstance(failure, UnknownOutcome)
        self.assertEqual(len(daemon.requests), 3)

    def test_a_write_that_may_have_been_kept_stays_unknown(self):
        daemon = self.daemon(lambda _, __, number: None if number == 1 else NOT_READY)
        failure = self.failure(self.client(daemon).consume_credit, "alice", timeout=0.1)
        self.assertIsInstance(failure, UnknownOutcome)

    def test_a_write_stays_unknown_where_a_later_send_is_answered_before_its_key_is_looked_up(self):
        for code, name, retryable in BLIND_ERRORS:
            data = {"code": name, "retryable": retryable, "retryAfterMs": 7}
            refusal = {"error": {"code": code, "message": "too bad", "data": data}}
            daemon = self.daemon(lambda _, __, number, refusal=refusal: None if number == 1 else refusal)
            client = self.client(daemon)
            failure = self.failure(client.consume_credit, "alice", idempotency_key="k")
            self.assertIs(type(failure), UnknownOutcome, name)
            self.assertEqual((failure.name, failure.code, failure.retryable), ("unknown_outcome", 0, True))
            self.assertIn(f"{name}: too bad", failure.message)
            self.assertEqual(failure.data, {**data, "cause": code})
            self.assertEqual((failure.__cause__.code, failure.idempotency_key), (code, "k"))
            # Where no send is in doubt, it is the daemon's word.
            self.assertEqual(self.failure(client.consume_credit, "alice").code, code)

    def test_what_is_answered_after_the_key_is_looked_up_is_said_as_it_is(self):
        for code, name in ((-32023, "idempotency_mismatch"), (-32602, "invalid_params")):
            refusal = {"error": {"code": code, "message": "no", "data": {"code": name}}}
            daemon = self.daemon(lambda _, __, number, refusal=refusal: None if number == 1 else refusal)
            failure = self.failure(self.client(daemon).consume_credit, "alice")
            self.assertEqual((type(failure), failure.code), (EntitldError, code))

    def test_a_connection_that_a_stopping_daemon_does_not_take_is_made_again(self):
        def script(_, __, number):
            if number > 20:
                return {"result": {}}
            return nameless(-32003, "shutting_down", True), None

        daemon = self.daemon(script)
        self.client(daemon).consume_credit("alice")
        self.assertEqual(daemon.connections, 21)

    def test_a_connection_on_which_a_daemon_said_that_it_stops_is_not_used_again(self):
        stopping = {"error": {"code": -32003, "message": "the daemon stops",
                              "data": {"code": "shutting_down", "retryable": True}}}
        daemon = self.daemon(lambda _, __, number: stopping if number == 1 else {"result": {}})
        client = self.client(daemon)
        with contextlib.suppress(EntitldError):
            client.ping()
        client.revoke_grant("alice", "g")
        self.assertEqual(daemon.connections, 2)

    def test_an_answer_without_an_id_is_an_unknown_outcome(self):
        daemon = self.daemon(lambda *_: nameless(-32600, "invalid_request", False))
        client = self.client(daemon)
        for call in (client.status, client.consume_credit):
            failure = self.failure(call, "alice")
            self.assertIsInstance(failure, UnknownOutcome)
            self.assertEqual((failure.name, failure.data["cause"]), ("unknown_outcome", -32600))
        self.assertEqual(len(daemon.requests), 2)


class ForkTests(DaemonCase):
    CHILDREN, CALLS = 4, 400

    def child(self, body):
        """Runs `body` in a child and returns its id; whatever it raises is exit 1."""
        child = os.fork()
        if child:
            self.addCleanup(self.reap, child)
            return child
        code = 1
        try:
            signal.alarm(60)
            body()
            code = 0
        finally:
            os._exit(code)

    def reap(self, child):
        try:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
        except (ProcessLookupError, ChildProcessError):
            pass

    def ask_about(self, client, name):
        for number in range(self.CALLS):
            user = f"{name}-{number}"
            assert client.status(user)["userId"] == user, "another user's answer"

    def test_children_get_the_answers_of_their_own_users(self):
        daemon = self.daemon(lambda _, params, __: {"result": params})
        client, stopping, mistaken = self.client(daemon), threading.Event(), []

        def keep_asking(name):
            while not stopping.is_set():
                user = f"{name}-{random.random()}"
                mistaken.extend([user] if client.status(user)["userId"] != user else [])

        # They have the connections at most moments at which this thread forks.
        threads = [threading.Thread(target=keep_asking, args=(f"t{n}",)) for n in range(4)]
        for thread in threads:
            thread.start()
        children = [
            self.child(lambda: self.ask_about(client, f"child-{os.getpid()}"))
            for _ in range(self.CHILDREN)
        ]
        codes = [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]
        stopping.set()
        for thread in threads:
            thread.join()
        self.assertEqual(codes, [0] * self.CHILDREN)
        self.assertEqual(mistaken, [])
        # Not one as before: each thread has a connection to itself while it asks.
        self.assertLessEqual(daemon.connections, len(threads) + self.CHILDREN)

    def test_a_fork_of_which_python_is_not_told_has_its_own_connection_too(self):
        daemon = self.daemon(lambda _, params, __: {"result": params})
        client = self.client(daemon)
        client.ping()
        entitld.client._clients.discard(client)
        child = self.child(lambda: self.ask_about(client, "child"))
        self.ask_about(client, "parent")
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), 0)
        self.assertEqual(daemon.connections, 2)

    def test_a_child_keeps_no_connection_of_its_parent_open(self):
        joined = framed({"jsonrpc": "2.0", "id": 1, "result": {"seq": 10}}) + framed(
            {"jsonrpc": "2.0", "method": "catalogChanged", "params": {"seq": 10}})
        released = threading.Event()
        self.addCleanup(released.set)

        def script(method, *_):
            if method == "slow":
                released.wait(20)
            return joined if method == "watch" else {"result": {}}

        daemon = self.daemon(script)
        client = self.client(daemon)
        feed = client.watch()
        next(feed)
        slow = threading.Thread(target=client.read, args=("slow", {}))
        slow.start()
        while ("slow", {}) not in daemon.requests:
            time.sleep(0.001)
        client.ping()
        # One of a watch, one that a call has, and one that waits for a call.
        self.assertEqual(daemon.connections, 3)
        lines = list(client._lines._all)
        self.assertFalse(any(line._socket.get_inheritable() for line in lines), "exec keeps them")
        self.child(lambda: time.sleep(50))
        released.set()
        slow.join()
        client.close()
        feed.close()
        for _ in range(3):
            self.assertTrue(daemon.ended.acquire(timeout=10), "the daemon does not hear of the end")

    def test_a_watch_of_the_parent_goes_on_by_itself_in_the_child(self):
        def script(method, params, number):
            change = {"method": "entitlementChanged", "params": {"seq": 10 + number, "userId": "a"}}
            return framed({"jsonrpc": "2.0", "id": 1, "result": {"seq": 10}}) + framed(
                {"jsonrpc": "2.0", **change}
            )

        feed = self.client(self.daemon(script)).watch(["a"])
        self.addCleanup(feed.close)
        self.assertEqual(next(feed)[1]["seq"], 11)

        def watch_on():
            begun = time.monotonic()
            assert next(feed)[1]["seq"] == 12
            # It does not read from its parent's connection until that is silent for too long.
            assert time.monotonic() - begun < 10

        child = self.child(watch_on)
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), 0)


if __name__ == "__main__":
    unittest.main()
