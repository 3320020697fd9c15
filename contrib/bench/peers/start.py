"""How long a daemon takes from its start to its first answer to canRender.

start.py SOCKET USER COMMAND…: prints one JSON object; stops the daemon with SIGTERM.
"""

import json
import signal
import socket
import struct
import subprocess
import sys
import time


def answer(path, request):
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(10)
        connection.connect(path)
        connection.sendall(request)
        head = connection.recv(4, socket.MSG_WAITALL)
        if len(head) < 4:
            return b""
        return connection.recv(struct.unpack(">I", head)[0], socket.MSG_WAITALL)


def main(path, user, command):
    call = {"jsonrpc": "2.0", "id": 1, "method": "canRender", "params": {"userId": user}}
    body = json.dumps(call).encode()
    request = struct.pack(">I", len(body)) + body
    start = time.monotonic()
    daemon = subprocess.Popen(command)
    try:
        while time.monotonic() - start < 120:
            if daemon.poll() is not None:
                sys.exit(f"start: the daemon ended with {daemon.returncode}")
            try:
                reply = answer(path, request)
            except OSError:
                reply = b""
            if b'"result"' in reply:
                took = time.monotonic() - start
                print(json.dumps({"milliseconds": took * 1e3, "reply": reply.decode()}))
                return
            time.sleep(0.0005)
        sys.exit("start: no answer within 120 s")
    finally:
        daemon.send_signal(signal.SIGTERM)
        daemon.wait(timeout=60)


main(sys.argv[1], sys.argv[2], sys.argv[3:])
