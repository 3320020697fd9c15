"""Asks entitld what users may do, over its Unix socket or HTTPS. Standard library only.

Threads may share a `Client`: each call under way has a connection to itself, which later calls use
again. A process that was forked makes its own connections. Results are the dictionaries of
proto/openrpc.json, typed in `entitld.types`. `entitld.aio` is the same for asyncio.
"""

from .client import Client
from .errors import EntitldError, Unavailable, UnknownOutcome

__all__ = ["Client", "EntitldError", "Unavailable", "UnknownOutcome"]
__version__ = "0.1.0"
