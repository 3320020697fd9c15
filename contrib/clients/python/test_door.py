"""The HTTPS transport beside a server that says what each test wants."""

import contextlib
import http.server
import json
import os
import shutil
import socket
import ssl
import subprocess
import tempfile
import threading
import time
import unittest
from unittest import mock

from entitld import Client, EntitldError, Unavailable, UnknownOutcome
from entitld.door_line import DoorLine
from fake_daemon import BLIND_ERRORS


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.asked.append((self.path, self.headers["Authorization"], body))
        replies = self.server.replies
        (replies.pop(0) if len(replies) > 1 else replies[0])(self, body)

    def do_GET(self):
        self.server.asked.append((self.path, self.headers["Authorization"], None))
        self.server.replies[0](self, None)

    def log_message(self, *_):
        pass


def said(status, body, **headers):
    def reply(handler, _):
        text = body if isinstance(body, bytes) else json.dumps(body).encode()
        handler.send_response(status)
        for name, value in headers.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.send_header("Content-Length", str(len(text)))
        handler.end_headers()
        handler.wfile.write(text)
    return reply


def result(value):
    return lambda handler, body: said(200, {"jsonrpc": "2.0", "id": body["id"], "result": value})(
        handler, body)


def error(code, name, retryable=False):
    data = {"code": name, "retryable": retryable}
    return lambda handler, body: said(200, {
        "jsonrpc": "2.0", "id": body["id"],
        "error": {"code": code, "message": name, "data": data}})(handler, body)


def hang_up(handler, _):
    handler.close_connection = True
    handler.connection.close()


def silence(handler, _):
    time.sleep(1)
    hang_up(handler, _)


def drip(head, each):
    """Writes the head, and then one byte after the other, for ever."""
    def reply(handler, _):
        handler.wfile.write(head)
        with contextlib.suppress(OSError):
            while True:
                handler.wfile.write(each)
                time.sleep(0.02)
    return reply


class DoorCase(unittest.TestCase):
    def serving(self, *replies, certificate=None, **options):
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        server.daemon_threads, server.asked, server.replies = True, [], list(replies)
        if certificate is not None:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate)
            server.socket = context.wrap_socket(
                server.socket, server_side=True, do_handshake_on_connect=False)
            server.handle_error = lambda *_: None
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        options = {"timeout": 2, "write_timeout": 2, **options}
        scheme = "https" if certificate else "http"
        url = f"{scheme}://127.0.0.1:{server.server_address[1]}"
        client = Client(url=url, token="secret", **options)
        self.addCleanup(client.close)
        return client, server.asked

    def failure(self, call):
        with self.assertRaises(EntitldError) as caught:
            call()
        return caught.exception


class DoorTests(DoorCase):
    def test_a_call_is_one_request_with_its_token(self):
        client, asked = self.serving(result({"canRender": True}))
        self.assertTrue(client.can_render("alice")["canRender"])
        path, token, body = asked[0]
        self.assertEqual((path, token), ("/rpc", "Bearer secret"))
        self.assertEqual(body["params"], {"userId": "alice", "cost": 1})

    def test_an_error_of_the_daemon_is_its_error(self):
        client, asked = self.serving(error(-32029, "overloaded", True))
        failure = self.failure(lambda: client.can_render("alice"))
        self.assertEqual((failure.name, failure.code, len(asked)), ("overloaded", -32029, 1))
        self.assertNotIsInstance(failure, Unavailable)

    def test_what_may_be_repeated_is_and_what_may_not_is_in_doubt(self):
        client, asked = self.serving(hang_up, result({"outcome": "consumed"}))
        self.assertEqual(client.consume_credit("alice")["outcome"], "consumed")
        keys = {body["params"]["idempotencyKey"] for _, _, body in asked}
        self.assertEqual((len(asked), len(keys)), (2, 1))
        client, asked = self.serving(hang_up, result({}))
        self.assertIsInstance(self.failure(lambda: client.extend_renewal("1", 1, 1)), UnknownOutcome)
        self.assertEqual(len(asked), 1)

    def test_a_write_stays_unknown_where_a_later_send_is_answered_before_its_key_is_looked_up(self):
        for code, name, retryable in BLIND_ERRORS:
            for early in (hang_up, said(502, b"")):
                client, asked = self.serving(early, error(code, name, retryable))
                failure = self.failure(lambda: client.consume_credit("alice"))
                self.assertIs(type(failure), UnknownOutcome, name)
                self.assertEqual((failure.name, failure.retryable), ("unknown_outcome", True))
                self.assertEqual(failure.data, {"code": name, "retryable": retryable, "cause": code})
                self.assertEqual(failure.idempotency_key, asked[0][2]["params"]["idempotencyKey"])
                self.assertEqual(self.failure(lambda: client.consume_credit("alice")).code, code)
        client, _ = self.serving(hang_up, error(-32023, "idempotency_mismatch"))
        self.assertEqual(self.failure(lambda: client.consume_credit("alice")).code, -32023)

    def test_a_daemon_that_starts_a_rate_and_one_that_takes_no_more_are_waited_for(self):
        # 502 and 504 are a proxy's whose daemon restarts: to give up at once would fail such calls.
        for early in (error(-32002, "not_ready", True), said(429, {}), said(502, b"<html>"),
                      said(503, {}), said(504, b"<html>")):
            client, asked = self.serving(early, early, result({"outcome": "consumed"}))
            self.assertEqual(client.consume_credit("alice")["outcome"], "consumed")
            self.assertEqual(len(asked), 3)
        # Nothing was carried out: it is sent again even where a repeat could do it twice.
        for early in (said(429, {}), error(-32002, "not_ready", True), error(-32003, "shutting_down", True)):
            client, asked = self.serving(early, result({"success": True}))
            client.extend_renewal("1", 1, 1)
            self.assertEqual(len(asked), 2)
        # Behind a proxy it may have been.
        for status in (502, 503, 504):
            client, asked = self.serving(said(status, b""), result({"success": True}))
            failure = self.failure(lambda: client.extend_renewal("1", 1, 1))
            self.assertIsInstance(failure, UnknownOutcome)
            self.assertEqual((failure.name, failure.retryable, len(asked)), ("connection_lost", True, 1))

    def test_the_deadline_alone_ends_the_waiting_for_a_daemon_behind_a_proxy(self):
        for early in (error(-32002, "not_ready", True), said(502, b"")):
            client, asked = self.serving(*[early] * 20, result({"canRender": True}), timeout=20)
            self.assertTrue(client.can_render("alice")["canRender"])
            self.assertEqual(len(asked), 21)

    def test_as_long_is_waited_as_the_daemon_asks_for(self):
        for status in (429, 503):
            client, asked = self.serving(said(status, b"", Retry_After="1"), result({"canRender": True}))
            begin = time.monotonic()
            self.assertTrue(client.can_render("alice")["canRender"])
            self.assertGreaterEqual(time.monotonic() - begin, 0.99)
            self.assertEqual(len(asked), 2)
            client, asked = self.serving(said(status, b"", Retry_After="60"))
            self.failure(lambda: client.can_render("alice"))
            self.assertEqual(len(asked), 1)

    def test_a_token_that_is_not_known_is_told_at_once(self):
        client, asked = self.serving(said(401, {"error": "unauthorized"}))
        failure = self.failure(lambda: client.can_render("alice"))
        self.assertEqual((failure.name, len(asked)), ("permission_denied", 1))
        self.assertNotIsInstance(failure, UnknownOutcome)

    def test_the_deadline_ends_the_waiting(self):
        client, _ = self.serving(silence)
        began = time.monotonic()
        failure = self.failure(lambda: client.can_render("alice", timeout=0.1))
        self.assertIsInstance(failure, UnknownOutcome)
        self.assertEqual(failure.name, "timed_out")
        self.assertLess(time.monotonic() - began, 0.9)

    def test_the_deadline_ends_a_reply_that_drips(self):
        for head, each in (
            (b"HTTP/1.1 200 OK\r\nX: ", b"x"),
            (b"HTTP/1.1 200 OK\r\nContent-Length: 9999\r\n\r\n", b" "),
            (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", b"1\r\n \r\n"),
        ):
            client, _ = self.serving(drip(head, each))
            began = time.monotonic()
            failure = self.failure(lambda: client.can_render("alice", timeout=0.2))
            self.assertIsInstance(failure, UnknownOutcome)
            self.assertEqual(failure.name, "timed_out")
            self.assertLess(time.monotonic() - began, 2)

    def test_a_slow_call_holds_up_no_other_thread(self):
        released = threading.Event()
        self.addCleanup(released.set)

        def script(handler, body):
            if body["method"] == "slow":
                released.wait(20)
            result({})(handler, body)

        client, asked = self.serving(script)
        slow = threading.Thread(target=client.read, args=("slow", {}, 20))
        slow.start()
        while not asked:
            time.sleep(0.001)
        client.can_render("alice")
        released.set()
        slow.join()

    def test_a_server_that_ends_each_connection_is_asked_on_new_ones(self):
        def last(handler, body):
            handler.close_connection = True
            reply = {"jsonrpc": "2.0", "id": body["id"], "result": {}}
            said(200, reply, Connection="close")(handler, body)

        client, asked = self.serving(last)
        for _ in range(3):
            client.extend_renewal("1", 1, 1)
        self.assertEqual(len(asked), 3)

    def test_connections_that_ended_while_they_were_idle_fail_no_call(self):
        together = threading.Barrier(20)
        open_ones = []

        def script(handler, body):
            if body["method"] == "slow":
                open_ones.append(handler.connection)
                together.wait(20)
            result({})(handler, body)

        client, asked = self.serving(script)
        threads = [threading.Thread(target=client.read, args=("slow", {}, 20)) for _ in range(20)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for connection in open_ones:
            connection.shutdown(socket.SHUT_RDWR)
        client.extend_renewal("1", 1, 1, timeout=5)  # which may not be sent twice
        client.can_render("alice", timeout=0.25)
        self.assertEqual((len(asked), len(client._lines._all)), (22, 1))

    def test_nobody_there_is_unavailable_and_not_in_doubt(self):
        client = Client(url="http://127.0.0.1:1", token="secret")
        failure = self.failure(lambda: client.can_render("alice", timeout=0.1))
        self.assertEqual(failure.name, "unreachable")
        self.assertNotIsInstance(failure, UnknownOutcome)

    def test_what_is_no_reply_is_malformed(self):
        for text in (b"", b"[]", b"{}", b"<html>", b"null"):
            client, _ = self.serving(said(200, text))
            self.assertEqual(self.failure(lambda: client.can_render("a")).name, "malformed_reply")
        client, _ = self.serving(said(404, b"<html>"))
        self.assertEqual(self.failure(lambda: client.can_render("a")).name, "malformed_reply")

    def test_a_watch_that_is_refused_says_why(self):
        client, _ = self.serving(said(401, {"error": "unauthorized"}))
        self.assertEqual(self.failure(lambda: next(client.watch())).name, "permission_denied")
        refusal = {"error": {"code": -32602, "message": "no", "data": {"code": "invalid_params"}}}
        client, asked = self.serving(said(400, {"jsonrpc": "2.0", "id": 1, **refusal}))
        failure = self.failure(lambda: next(client.watch(["a b"], from_seq=7)))
        self.assertEqual(failure.name, "invalid_params")
        self.assertEqual(asked[0][0], "/watch?userId=a+b&fromSeq=7")

    def test_a_watch_outlasts_the_time_that_it_had_to_begin(self):
        def stream(handler, _):
            handler.send_response(200)
            handler.end_headers()
            handler.wfile.write(b'event: heartbeat\nid: 4\ndata: {"seq":4}\n\n')
            time.sleep(0.5)
            handler.wfile.write(b'event: catalogChanged\nid: 5\ndata: {"seq":5}\n\n')
            time.sleep(20)

        client, asked = self.serving(stream, write_timeout=0.25)
        feed = client.watch()
        self.assertEqual(next(feed), ("catalogChanged", {"seq": 5}))
        self.assertEqual(len(asked), 1)
        feed.close()

    def test_options_that_make_no_sense_are_refused(self):
        for url in ("https://a/b", "https://u@a", "https://a?b", "ftp://a"):
            with self.assertRaises(TypeError):
                Client(url=url, token="t")
        with self.assertRaises(TypeError):
            Client(url="https://a", token="t", shared_answers=True)
        for options in (
            {"url": "https://a.example"}, {"url": "http://a.example", "token": "t"},
            {"url": "https://a.example", "token": "t", "path": "/a"}, {"token": "t"}, {"ca": "x"},
        ):
            with self.assertRaises(TypeError):
                Client(**options)

    def test_a_token_that_no_header_can_carry_is_not_shown(self):
        for token in ("secret\n", "secret line", "secr\u00e9t", "\n"):
            with self.assertRaises(TypeError) as refused:
                Client(url="https://a.example", token=token)
            self.assertNotIn("secr", str(refused.exception))


@unittest.skipUnless(shutil.which("openssl"), "openssl makes the certificate")
class CertificateTests(DoorCase):
    @classmethod
    def setUpClass(cls):
        directory = tempfile.TemporaryDirectory()
        cls.addClassCleanup(directory.cleanup)
        cls.file = os.path.join(directory.name, "door.pem")
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
             "-subj", "/CN=door", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", cls.file, "-out",
             f"{cls.file}.crt"], check=True, capture_output=True)
        with open(cls.file, "a") as both, open(f"{cls.file}.crt") as certificate:
            both.write(certificate.read())

    def test_calls_and_watches_go_over_tls(self):
        client, asked = self.serving(result({"canRender": True}), certificate=self.file, ca=self.file)
        connect = DoorLine._connect
        with mock.patch.object(DoorLine, "_connect", autospec=True, side_effect=connect) as connecting:
            for _ in range(3):
                self.assertTrue(client.can_render("alice")["canRender"])
        self.assertEqual(connecting.call_count, 1)
        client, _ = self.serving(drip(b"HTTP/1.1 200 OK\r\nX: ", b"x"), certificate=self.file, ca=self.file)
        began = time.monotonic()
        failure = self.failure(lambda: client.can_render("alice", timeout=0.3))
        self.assertEqual(failure.name, "timed_out")
        self.assertLess(time.monotonic() - began, 2)
        told = b'event: heartbeat\nid: 4\ndata: {"seq":4}\n\nevent: catalogChanged\ndata: {"seq":5}\n\n'
        client, _ = self.serving(said(200, told), certificate=self.file, ca=self.file)
        feed = client.watch()
        self.assertEqual(next(feed), ("catalogChanged", {"seq": 5}))
        feed.close()

    def test_a_certificate_that_is_not_trusted_is_final(self):
        client, asked = self.serving(result({}), certificate=self.file, timeout=20)
        failure = self.failure(lambda: client.can_render("alice"))
        self.assertEqual((failure.name, failure.retryable, asked), ("unreachable", False, []))
        self.assertNotIsInstance(failure, UnknownOutcome)

    def test_any_other_failure_of_tls_may_pass(self):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.file)
        listener = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(listener.close)

        def serve():
            with listener.accept()[0] as connection:
                connection.recv(9)
                connection.sendall(b"HTTP/1.1 502 Bad Gateway\r\n\r\n")  # in place of a handshake
            with context.wrap_socket(listener.accept()[0], server_side=True) as connection:
                connection.recv(9_999)
                body = b'{"jsonrpc":"2.0","id":1,"result":{"canRender":true}}'
                connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body))
                connection.recv(9_999)

        threading.Thread(target=serve, daemon=True).start()
        url = f"https://127.0.0.1:{listener.getsockname()[1]}"
        client = Client(url=url, token="t", ca=self.file, timeout=10)
        self.addCleanup(client.close)
        self.assertTrue(client.can_render("alice")["canRender"])


if __name__ == "__main__":
    unittest.main()
