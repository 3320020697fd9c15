"""Asks entitld what users may do, over its Unix socket or HTTPS. Standard library only.

A `Client` holds one connection, one call at a time; threads may share it and wait for each
other. The connection is made with the first call, and again after it was lost, and a process that
was forked makes its own. Results are the dictionaries of proto/openrpc.json, typed in `entitld.types`.
`entitld.aio` is the same for asyncio.
"""

from .client import Client
from .errors import EntitldError, Unavailable, UnknownOutcome

__all__ = ["Client", "EntitldError", "Unavailable", "UnknownOutcome"]
__version__ = "0.1.0"
