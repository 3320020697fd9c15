"""Ports for programs that are started later."""

import contextlib
import random
import socket


def free_port():
    """A port of the loopback that nobody listens on, and that Linux lends to no connection."""
    while True:
        port = random.randrange(20_000, 32_000)
        with contextlib.suppress(OSError), socket.socket() as probe:
            probe.bind(("127.0.0.1", port))
            return port
