"""Fills Redis or memcached with one value of 100 bytes, or one balance, for each account.

fill.py redis|balances|memcached SOCKET ACCOUNTS
"""

import socket
import sys

VALUE = "v" * 100


def commands(kind, account):
    user = f"user-{account:07d}"
    if kind == "memcached":
        return f"set {user} 0 0 100 noreply\r\n{VALUE}\r\n"
    key, value = (user, VALUE) if kind == "redis" else ("b:" + user, "1000000")
    return f"*3\r\n$3\r\nSET\r\n${len(key)}\r\n{key}\r\n${len(value)}\r\n{value}\r\n"


def main(kind, path, accounts):
    server = socket.socket(socket.AF_UNIX)
    server.connect(path)
    replies = 0
    for start in range(1, accounts + 1, 1000):
        end = min(start + 1000, accounts + 1)
        server.sendall("".join(commands(kind, number) for number in range(start, end)).encode())
        # Redis answers each, memcached nothing.
        expected = 0 if kind == "memcached" else (end - start) * 5
        while expected > 0:
            chunk = server.recv(65536)
            if not chunk or b"-" in chunk:
                sys.exit(f"fill: {kind} refused: {chunk[:200]!r}")
            expected -= len(chunk)
            replies += chunk.count(b"+OK")
    server.sendall(b"get user-0000001\r\n" if kind == "memcached" else b"*1\r\n$6\r\nDBSIZE\r\n")
    last = server.recv(65536)
    if kind == "memcached" and not last.startswith(b"VALUE"):
        sys.exit(f"fill: memcached kept nothing: {last[:200]!r}")


main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
