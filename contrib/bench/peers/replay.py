#!/usr/bin/env python3
"""Keeps what a simulated store sends, and sends it again, many messages at a time.

    replay.py keep FILE PORT              takes requests until it is ended
    replay.py send FILE URL CONNECTIONS   sends them; prints how many

A simulated store sends one message after another, and writes its books between them. A server
that has something to do all the time is shown by the same messages, sent side by side.
"""

import http.client
import http.server
import json
import sys
import threading
import urllib.parse


def keep(path, port):
    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self):
            body = self.rfile.read(int(self.headers["Content-Length"]))
            kept = {
                name: value
                for name, value in self.headers.items()
                if name.lower() in ("authorization", "stripe-signature", "content-type")
            }
            line = json.dumps({"headers": kept, "body": body.decode()})
            with lock, open(path, "a") as file:
                file.write(line + "\n")
            self.send_response(200)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_):
            pass

    lock = threading.Lock()
    http.server.ThreadingHTTPServer(("127.0.0.1", port), Handler).serve_forever()


def send(path, url, connections):
    messages = [json.loads(line) for line in open(path)]
    address = urllib.parse.urlsplit(url)
    rest = iter(messages)
    lock = threading.Lock()
    refused = []

    def one():
        connection = http.client.HTTPConnection(address.netloc, timeout=60)
        while True:
            with lock:
                message = next(rest, None)
            if message is None:
                return
            connection.request("POST", address.path, message["body"].encode(), message["headers"])
            response = connection.getresponse()
            said = response.read()
            if response.status != 200:
                refused.append((response.status, said))

    threads = [threading.Thread(target=one) for _ in range(connections)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if refused:
        sys.exit(f"{len(refused)} of {len(messages)} are refused, the first one with {refused[0]}")
    print(len(messages))


if sys.argv[1] == "keep":
    keep(sys.argv[2], int(sys.argv[3]))
else:
    send(sys.argv[2], sys.argv[3], int(sys.argv[4]))
