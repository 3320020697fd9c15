"""Asks entitld what users may do, over its Unix socket. Standard library only.

A `Client` holds one connection, one call at a time; threads may share it and wait for each
other. The connection is made with the first call, and again after it was lost. Results are the
dictionaries of proto/openrpc.json.
"""

import errno
import json
import os
import random
import socket
import struct
import threading
import time
import uuid

__all__ = ["Client", "EntitldError", "Unavailable"]
__version__ = "0.1.0"

FRAME_BYTES_MAX = 1 << 20
CONNECT_PAUSE_SECONDS_MAX = 0.05
WATCH_PAUSE_SECONDS_MAX = 5
# Three heartbeats.
WATCH_SILENCE_SECONDS_MAX = 45


class EntitldError(Exception):
    """The daemon's error: `code`, `name`, `message`, `retryable`, and `data` with the rest."""

    def __init__(self, code, name, message, retryable, data=None):
        super().__init__(f"{name}: {message}")
        self.code, self.name, self.message, self.retryable = code, name, message, retryable
        self.data = data or {}


class Unavailable(EntitldError):
    """The daemon did not answer. A write may have been kept: repeat it with the same key.

    `name` is unreachable, permission_denied, connection_lost, timed_out or malformed_reply;
    `code` is 0.
    """

    def __init__(self, name, message, retryable=True):
        super().__init__(0, name, message, retryable)


class Client:
    """One connection to the daemon; close it, or use it in a `with`."""

    def __init__(self, path=None, timeout=0.25, write_timeout=2.0, frame_bytes_max=FRAME_BYTES_MAX):
        path = path or os.environ.get("ENTITLD_SOCKET") or "/run/entitld/entitld.sock"
        self._path = path.removeprefix("unix://")
        self._timeout, self._write_timeout = timeout, write_timeout
        self._frame_bytes_max = frame_bytes_max
        self._lock = threading.Lock()
        self._socket = None
        self._last_id = 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        """Ends the connection; a later call makes a new one."""
        with self._lock:
            self._drop()

    # Questions

    def can_render(self, user_id, cost=1, timeout=None):
        """Whether the user may render: look at `canRender` in the result."""
        return self.read("canRender", {"userId": user_id, "cost": cost}, timeout)

    def status(self, user_id, timeout=None):
        """All that is said about a user at once."""
        return self.read("getStatus", {"userId": user_id}, timeout)

    def entitlement(self, user_id, timeout=None):
        """The access by a purchase or a grant."""
        return self.read("getEntitlement", {"userId": user_id}, timeout)["entitlement"]

    def management_url(self, user_id, platform=None, timeout=None):
        """Where the user manages the subscription, or None."""
        params = {"userId": user_id, "platform": platform}
        return self.read("getManagementURL", params, timeout)["url"]

    def credits(self, user_id, timeout=None):
        """What can be spent, what is held, and the buckets it comes from."""
        return self.read("getCredits", {"userId": user_id}, timeout)

    def history(self, user_id, after_seq=None, limit=None, timeout=None):
        """A page of what changed, oldest first; the next comes after the last `seq`."""
        params = {"userId": user_id, "afterSeq": after_seq, "limit": limit}
        return self.read("getHistory", params, timeout)["events"]

    def watch(self, user_ids=None, from_seq=None):
        """Yields (method, params) of each change, for ever, on a connection of its own.

        The first connection must succeed; one that is lost later is made again, and the watch
        goes on where it was: it may give the changes of its last `seq` twice. After a `resync`, ask anew for what you keep.
        """
        pause = 0
        while True:
            link = Client(self._path, frame_bytes_max=self._frame_bytes_max)
            try:
                params = {"userIds": user_ids, "fromSeq": from_seq}
                joined = link.read("watch", params, self._write_timeout)["seq"]
                from_seq = joined if from_seq is None else from_seq
                while True:
                    told = link._next(time.monotonic() + WATCH_SILENCE_SECONDS_MAX)
                    params = told.get("params") or {}
                    method, pause = told.get("method"), 0
                    if method == "resync":
                        from_seq = max(joined, params.get("oldest", joined))
                    elif method == "heartbeat":
                        from_seq = max(from_seq, params["seq"])
                    elif "seq" in params:
                        # One position may change many users, and more of them may still come.
                        from_seq = max(from_seq, params["seq"] - 1)
                    if method != "heartbeat":
                        yield method, params
            except EntitldError as error:
                if from_seq is None or not error.retryable:
                    raise
            finally:
                link.close()
            pause = min(max(pause * 2, 0.05), WATCH_PAUSE_SECONDS_MAX)
            time.sleep(pause * random.uniform(0.5, 1))

    def ping(self, timeout=None):
        """Returns when the daemon answers."""
        self.read("ping", {}, timeout)

    def version(self, timeout=None):
        """Which daemon answers."""
        return self.read("version", {}, timeout)

    # Commands

    def register_account(self, user_id, app_account_token=None, timeout=None):
        """Begins the user's account, or links another token to it. Repeating it is safe."""
        params = {"userId": user_id, "appAccountToken": app_account_token}
        return self.write("registerAccount", params, timeout=timeout)

    def verify_purchase(self, user_id, signed_transaction, timeout=None, **claims):
        """Links a signed purchase to the user; `claims` are named as in proto/openrpc.json."""
        params = {"userId": user_id, "signedTransaction": signed_transaction, **claims}
        return self.write("verifyPurchase", params, timeout=timeout)

    def restore_purchases(self, user_id, signed_transactions, timeout=None):
        """Links up to 100 signed purchases to the user, as the transfer policy has it."""
        params = {"userId": user_id, "signedTransactions": signed_transactions}
        return self.write("restorePurchases", params, timeout=timeout)

    def verify_receipt(self, user_id, receipt_data, product_id=None, timeout=None):
        """Links what an old receipt in base64 names to the user."""
        params = {"userId": user_id, "receiptData": receipt_data, "productId": product_id}
        return self.write("verifyReceipt", params, timeout=timeout)

    def consume_credit(self, user_id, amount=1, idempotency_key=None, timeout=None):
        """Spends credits, once for each key: look at `outcome`. A missing key is made up."""
        params = {"userId": user_id, "amount": amount}
        return self._keyed("consumeCredit", params, idempotency_key, timeout)

    def reserve_credits(self, user_id, amount, ttl_seconds, idempotency_key=None, timeout=None):
        """Sets credits aside until the `reservation` is committed, released or too old."""
        params = {"userId": user_id, "amount": amount, "ttlSeconds": ttl_seconds}
        return self._keyed("reserveCredits", params, idempotency_key, timeout)

    def commit_reservation(self, reservation, amount=None, timeout=None):
        """Spends what a reservation holds, or `amount` of it. Repeating it is safe."""
        params = {"reservation": reservation, "amount": amount}
        return self.write("commitReservation", params, timeout=timeout)

    def release_reservation(self, reservation, timeout=None):
        """Gives back what a reservation holds. Repeating it is safe."""
        return self.write("releaseReservation", {"reservation": reservation}, timeout=timeout)

    def reverse_credits(self, user_id, consume_key, idempotency_key=None, timeout=None):
        """Puts the charge `consume_key` back into the buckets it came from."""
        params = {"userId": user_id, "consumeKey": consume_key}
        return self._keyed("reverseCredits", params, idempotency_key, timeout)

    def grant_credits(self, user_id, amount, idempotency_key=None, timeout=None, **options):
        """Gives credits; for the admin socket. A missing key is made up."""
        params = {"userId": user_id, "amount": amount, **options}
        return self._keyed("grantCredits", params, idempotency_key, timeout)

    def grant_entitlement(self, user_id, plan, idempotency_key=None, timeout=None, **options):
        """Gives the access of a plan; for the admin socket. A missing key is made up."""
        params = {"userId": user_id, "plan": plan, **options}
        return self._keyed("grantEntitlement", params, idempotency_key, timeout)

    def revoke_grant(self, user_id, grant, reason=None, timeout=None):
        """Takes a grant back; for the admin socket. It has no key, so it is sent only once."""
        params = {"userId": user_id, "grant": grant, "reason": reason}
        return self.write("revokeGrant", params, repeatable=False, timeout=timeout)

    # Any method

    def read(self, method, params, timeout=None):
        """Calls a method that changes nothing."""
        return self._call(method, params, True, timeout or self._timeout)

    def write(self, method, params, repeatable=True, timeout=None):
        """Calls a method that changes something; `repeatable` when it is safe to send twice."""
        return self._call(method, params, repeatable, timeout or self._write_timeout)

    def _keyed(self, method, params, key, timeout):
        params = {**params, "idempotencyKey": key or str(uuid.uuid4())}
        return self.write(method, params, timeout=timeout)

    def _call(self, method, params, repeatable, timeout):
        deadline = time.monotonic() + timeout
        params = {key: value for key, value in params.items() if value is not None}
        with self._lock:
            was_connected = self._socket is not None
            try:
                return self._attempt(method, params, deadline)
            except Unavailable as error:
                self._drop()
                # An idle connection may have ended unseen, for instance by a restart.
                if error.name != "connection_lost" or not repeatable or not was_connected:
                    raise
            except EntitldError:
                raise
            except BaseException:
                # Interrupted half way, the connection would give the reply to the next call.
                self._drop()
                raise
            try:
                return self._attempt(method, params, deadline)
            except Unavailable:
                self._drop()
                raise

    def _attempt(self, method, params, deadline):
        self._last_id += 1
        request = {"jsonrpc": "2.0", "id": self._last_id, "method": method, "params": params}
        body = json.dumps(request, separators=(",", ":"), ensure_ascii=False).encode()
        if len(body) > self._frame_bytes_max:
            raise EntitldError(0, "request_too_large", f"the request has {len(body)} bytes", False)
        if self._socket is None:
            self._socket = self._connect(deadline)
        try:
            self._wait_at_most(deadline)
            self._socket.sendall(struct.pack(">I", len(body)) + body)
        except TimeoutError:
            raise Unavailable("timed_out", "the daemon did not answer in time") from None
        except OSError as error:
            raise Unavailable("connection_lost", str(error)) from error
        while (reply := self._next(deadline)).get("id") not in (None, self._last_id) or (
            "method" in reply
        ):
            pass  # the reply to a call that was given up, or a notification
        if "result" in reply:
            return reply["result"]
        if not isinstance(reply.get("error"), dict):
            raise Unavailable("malformed_reply", "neither result nor error", False)
        error = reply["error"]
        data = error.get("data") or {}
        name, retryable = data.get("code", "error"), bool(data.get("retryable"))
        raise EntitldError(error["code"], name, error["message"], retryable, data)

    def _connect(self, deadline):
        pause = 0.001
        while True:
            candidate = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            try:
                candidate.settimeout(max(deadline - time.monotonic(), 0.001))
                candidate.connect(self._path)
                return candidate
            except OSError as error:
                candidate.close()
                if isinstance(error, PermissionError):
                    raise Unavailable("permission_denied", str(error), False) from error
                # A full backlog answers EAGAIN at once on a Unix socket.
                if error.errno != errno.EAGAIN or time.monotonic() >= deadline:
                    raise Unavailable("unreachable", f"{self._path}: {error}") from error
            time.sleep(pause * random.uniform(0.5, 1))
            pause = min(pause * 2, CONNECT_PAUSE_SECONDS_MAX)

    def _next(self, deadline):
        try:
            (length,) = struct.unpack(">I", self._exactly(4, deadline))
            if not 1 <= length <= self._frame_bytes_max:
                raise Unavailable("malformed_reply", f"a reply of {length} bytes", False)
            message = json.loads(self._exactly(length, deadline))
        except TimeoutError:
            raise Unavailable("timed_out", "the daemon did not answer in time") from None
        except OSError as error:
            raise Unavailable("connection_lost", str(error)) from error
        except ValueError as error:
            raise Unavailable("malformed_reply", str(error), False) from error
        if not isinstance(message, dict):
            raise Unavailable("malformed_reply", "not an object", False)
        return message

    def _exactly(self, count, deadline):
        data = bytearray()
        while len(data) < count:
            self._wait_at_most(deadline)
            chunk = self._socket.recv(count - len(data))
            if not chunk:
                raise Unavailable("connection_lost", "the connection ended before the reply")
            data += chunk
        return bytes(data)

    def _wait_at_most(self, deadline):
        left = deadline - time.monotonic()
        if left <= 0:
            raise TimeoutError
        self._socket.settimeout(left)

    def _drop(self):
        if self._socket is not None:
            self._socket.close()
            self._socket = None
