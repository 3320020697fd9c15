"""The HTTPS transport beside a server that says what each test wants."""

import http.server
import json
import threading
import time
import unittest

from entitld import Client, EntitldError, Unavailable, UnknownOutcome


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


class DoorTests(unittest.TestCase):
    def serving(self, *replies, **options):
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        server.daemon_threads, server.asked, server.replies = True, [], list(replies)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        options = {"timeout": 2, "write_timeout": 2, **options}
        url = f"http://127.0.0.1:{server.server_address[1]}"
        client = Client(url=url, token="secret", **options)
        self.addCleanup(client.close)
        return client, server.asked

    def failure(self, call):
        with self.assertRaises(EntitldError) as caught:
            call()
        return caught.exception

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

    def test_a_daemon_that_starts_a_rate_and_one_that_takes_no_more_are_waited_for(self):
        for early in (error(-32002, "not_ready", True), said(429, {}), said(503, {})):
            client, asked = self.serving(early, early, result({"outcome": "consumed"}))
            self.assertEqual(client.consume_credit("alice")["outcome"], "consumed")
            self.assertEqual(len(asked), 3)
        # Nothing was carried out: it is sent again even where a repeat could do it twice.
        client, asked = self.serving(said(429, {}), result({"success": True}))
        client.extend_renewal("1", 1, 1)
        self.assertEqual(len(asked), 2)

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

    def test_nobody_there_is_unavailable_and_not_in_doubt(self):
        client = Client(url="http://127.0.0.1:1", token="secret")
        failure = self.failure(lambda: client.can_render("alice", timeout=0.1))
        self.assertEqual(failure.name, "unreachable")
        self.assertNotIsInstance(failure, UnknownOutcome)

    def test_what_is_no_reply_is_malformed(self):
        for text in (b"", b"[]", b"{}", b"<html>", b"null"):
            client, _ = self.serving(said(200, text))
            self.assertEqual(self.failure(lambda: client.can_render("a")).name, "malformed_reply")
        client, _ = self.serving(said(502, b"<html>"))
        self.assertEqual(self.failure(lambda: client.can_render("a")).name, "malformed_reply")

    def test_a_watch_that_is_refused_says_why(self):
        client, _ = self.serving(said(401, {"error": "unauthorized"}))
        self.assertEqual(self.failure(lambda: next(client.watch())).name, "permission_denied")
        refusal = {"error": {"code": -32602, "message": "no", "data": {"code": "invalid_params"}}}
        client, asked = self.serving(said(400, {"jsonrpc": "2.0", "id": 1, **refusal}))
        failure = self.failure(lambda: next(client.watch(["a b"], from_seq=7)))
        self.assertEqual(failure.name, "invalid_params")
        self.assertEqual(asked[0][0], "/watch?userId=a+b&fromSeq=7")

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


if __name__ == "__main__":
    unittest.main()
