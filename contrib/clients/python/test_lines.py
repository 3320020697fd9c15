"""Connections of a client that threads share."""

import select
import threading
import time
import unittest
from unittest import mock

from entitld import Client, EntitldError, Unavailable, UnknownOutcome
from entitld.socket_line import SocketLine
from fake_daemon import DaemonCase, framed


class LinesTests(DaemonCase):
    def held_up(self):
        """A daemon whose method `slow` answers when the event is set."""
        released = threading.Event()
        self.addCleanup(released.set)

        def script(method, params, _):
            if method == "slow":
                released.wait(20)
            return {"result": params}

        return self.daemon(script), released

    def slow_call(self, client, daemon):
        before = daemon.requests.count(("slow", {}))
        thread = threading.Thread(target=client.read, args=("slow", {}))
        thread.start()
        self.addCleanup(thread.join)
        while daemon.requests.count(("slow", {})) == before:
            time.sleep(0.001)
        return thread

    def test_a_slow_call_holds_up_no_other_thread(self):
        daemon, released = self.held_up()
        client = self.client(daemon)
        thread = self.slow_call(client, daemon)
        for _ in range(3):
            client.status("alice", timeout=5)
        released.set()
        thread.join()
        client.status("alice")
        self.assertEqual(daemon.connections, 2)

    def test_where_all_connections_are_lent_a_call_waits_until_its_deadline(self):
        daemon, released = self.held_up()
        with mock.patch.object(Client, "_lines_max", 1):
            client = self.client(daemon)
        self.slow_call(client, daemon)
        with self.assertRaises(EntitldError) as caught:
            client.status("alice", timeout=0.05)
        self.assertNotIsInstance(caught.exception, UnknownOutcome)
        self.assertEqual(caught.exception.name, "timed_out")
        client.verify_purchase("alice", "a.b.c")  # has others
        threading.Timer(0.05, released.set).start()
        client.status("alice")
        self.assertEqual(daemon.connections, 2)

    def many_idle(self, count=64):
        """A client with so many idle connections, and their daemon."""
        together = threading.Barrier(count)

        def script(method, params, _):
            if method == "slow":
                together.wait(20)
            return {"result": params}

        daemon = self.daemon(script)
        client = self.client(daemon, timeout=0.25)
        threads = [threading.Thread(target=client.read, args=("slow", {}, 20)) for _ in range(count)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(len(client._lines._idle), count)
        return client, daemon

    def test_a_restart_that_ends_64_idle_connections_fails_no_call(self):
        for call in (lambda client: client.status("alice"), lambda client: client.revoke_grant("a", "g")):
            client, daemon = self.many_idle()
            daemon.end_connections()
            call(client)
            self.assertEqual((len(client._lines._all), daemon.connections), (1, 65))
            self.assertEqual(len(daemon.requests), 65, "it was sent more than once")

    def test_where_one_idle_connection_fails_the_others_are_not_tried(self):
        # Those of a host that went down say nothing: each fails only when something is sent.
        client, daemon = self.many_idle()
        tried = []

        def asked(line, *arguments):
            tried.append(line)
            return real(line, *arguments)

        real = SocketLine.ask
        daemon.end_connections()
        with mock.patch.object(SocketLine, "has_ended", lambda _: False), \
                mock.patch.object(SocketLine, "ask", asked):
            client.revoke_grant("alice", "g")
        self.assertEqual((len(tried), len(client._lines._all)), (2, 1))

    def test_a_hold_keeps_its_connection_when_another_fails(self):
        daemon = self.daemon(lambda method, *_: None if method == "bye" else {"result": {}})
        client = self.client(daemon)
        client.reserve_credits("alice", 1, 60, release_on_disconnect=True)
        self.make_another(client)
        with self.assertRaises(UnknownOutcome):
            client.write("bye", {})
        self.assertEqual([line.has_hold for line in client._lines._all], [True])

    def make_another(self, client):
        """A connection beside the one that has the hold."""
        client._lines._holding, kept = [], client._lines._holding
        client.ping()
        client._lines._holding = kept

    def test_a_connection_with_a_hold_is_lent_last_but_first_to_another_hold(self):
        carried = []
        daemon = self.daemon(lambda _, __, number: carried.append(number) or {"result": {}})
        client = self.client(daemon)
        client.reserve_credits("alice", 1, 60, release_on_disconnect=True)
        client.ping()
        self.make_another(client)
        for _ in range(2):
            client.ping()
            client.reserve_credits("alice", 1, 60, release_on_disconnect=True)
        self.assertEqual(carried, [1, 1, 2, 2, 1, 2, 1])

    def holding(self, script):
        """A client that has a hold at such a daemon."""
        held = {"result": {}}
        daemon = self.daemon(lambda method, *_: held if method == "reserveCredits" else script(method))
        client = self.client(daemon)
        client.reserve_credits("alice", 1, 60, release_on_disconnect=True)
        return client, daemon

    def late(self, call, kind=UnknownOutcome, **options):
        with self.assertRaises(EntitldError) as caught:
            call(**options)
        self.assertIs(type(caught.exception), kind)
        self.assertEqual(caught.exception.name, "timed_out")

    def test_a_hold_keeps_its_connection_when_the_reply_to_a_question_is_late(self):
        for is_there_before_the_next_call in (True, False):
            released = threading.Event()
            self.addCleanup(released.set)

            def script(method, released=released):
                if method == "canRender":
                    released.wait(20)
                return {"result": {"to": method}}

            client, daemon = self.holding(script)
            self.late(client.can_render, user_id="alice", timeout=0.05)
            if is_there_before_the_next_call:
                released.set()
                select.select([next(iter(client._lines._all))._socket], [], [], 10)
            else:
                threading.Timer(0.05, released.set).start()
            self.assertEqual(client.commit_reservation("r"), {"to": "commitReservation"})
            self.assertEqual(client.status("alice"), {"to": "getStatus"})
            self.assertEqual(daemon.connections, 1)

    def test_a_late_reply_may_come_in_pieces(self):
        reply = framed({"jsonrpc": "2.0", "id": 2, "result": {"canRender": False}})
        answer = framed({"jsonrpc": "2.0", "id": 3, "result": {"outcome": "committed"}})
        for split in (0, 1, 4, 9, len(reply) - 1):
            acts = {"canRender": reply[:split], "commitReservation": reply[split:] + answer}
            client, daemon = self.holding(acts.get)
            self.late(client.can_render, user_id="alice", timeout=0.05)
            self.assertEqual(client.commit_reservation("r")["outcome"], "committed")
            self.assertEqual(daemon.connections, 1)

    def test_a_connection_with_a_hold_that_ends_is_not_lent_again(self):
        client, daemon = self.holding(lambda method: b"" if method == "canRender" else {"result": {}})
        self.late(client.can_render, user_id="alice", timeout=0.05)
        daemon.end_connections()
        client.revoke_grant("alice", "g")  # which may not be sent twice
        self.assertEqual(daemon.connections, 2)

    def test_a_request_that_leaves_in_part_ends_even_a_hold(self):
        released = threading.Event()
        self.addCleanup(released.set)
        client, daemon = self.holding(lambda _: released.wait(20) and {"result": {}})
        self.late(client.ping, Unavailable, timeout=0)  # nothing of it leaves
        self.late(client.ping, timeout=0.05)
        self.assertEqual([line.has_hold for line in client._lines._all], [True])
        self.late(client.read, Unavailable, method="x", params={"text": "x" * 900_000}, timeout=0.05)
        self.assertEqual(client._lines._all, set())

    def test_what_interrupts_a_call_ends_even_a_hold(self):
        client, _ = self.holding(lambda _: b"")
        with mock.patch.object(SocketLine, "_receive", side_effect=KeyboardInterrupt), \
                self.assertRaises(KeyboardInterrupt):
            client.ping()
        self.assertEqual(client._lines._all, set())

    def test_idle_connections_are_ended_but_not_one_that_has_a_hold(self):
        daemon, released = self.held_up()
        client = self.client(daemon)
        slow = [self.slow_call(client, daemon) for _ in range(2)]
        client.reserve_credits("alice", 1, 60, release_on_disconnect=True)
        released.set()
        for thread in slow:
            thread.join()
        self.assertEqual(daemon.connections, 3)
        with mock.patch("entitld.lines.IDLE_SECONDS_MAX", 0.05):
            time.sleep(0.1)
            client.ping()  # on the one that was used last; the other two are old
        self.assertTrue(daemon.ended.acquire(timeout=10))
        self.assertFalse(daemon.ended.acquire(timeout=0.05), "the hold is gone")
        self.assertEqual(sorted(line.has_hold for line in client._lines._all), [False, True])
        client.close()
        for _ in range(2):
            self.assertTrue(daemon.ended.acquire(timeout=10))

    def test_a_connection_that_is_lent_when_the_client_is_closed_ends_with_its_call(self):
        daemon, released = self.held_up()
        client = self.client(daemon)
        thread = self.slow_call(client, daemon)
        client.close()
        self.assertFalse(daemon.ended.acquire(timeout=0.05))
        released.set()
        thread.join()
        self.assertTrue(daemon.ended.acquire(timeout=10))
        self.assertEqual(client.status("alice"), {"userId": "alice"})


if __name__ == "__main__":
    unittest.main()
