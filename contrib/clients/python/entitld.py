"""Asks entitld what users may do, over its Unix socket or HTTPS. Standard library only.

A `Client` holds one connection, one call at a time; threads may share it and wait for each
other. The connection is made with the first call, and again after it was lost, and a process that
was forked makes its own. Results are the dictionaries of proto/openrpc.json.
"""

import errno
import http.client
import json
import os
import random
import socket
import ssl
import struct
import threading
import time
import urllib.parse
import uuid
import weakref

__all__ = ["Client", "EntitldError", "Unavailable", "UnknownOutcome"]
__version__ = "0.1.0"

FRAME_BYTES_MAX = 1 << 20
# Limits of the daemon's JSON (proto/framing.md).
DEPTH_MAX = 32
OBJECT_MEMBERS_MAX = 20_000
# How often a call is sent that gets no word, because its connection ends each time.
SENDS_MAX = 16
PAUSE_SECONDS_MAX, WATCH_PAUSE_SECONDS_MAX = 0.05, 5
WATCH_SILENCE_SECONDS_MAX = 45  # three heartbeats
IDLE_SECONDS_MAX = 30  # of a connection over HTTPS; the daemon ends it after 60
NOT_READY, SHUTTING_DOWN = -32002, -32003
# What a daemon that restarts, or whose backlog is full, answers to connect().
PASSING_ERRORS = (errno.ECONNREFUSED, errno.ECONNRESET, errno.EAGAIN, errno.ENOENT, errno.EINTR)
# For these the daemon may ask the store, or check or make signatures.
STORE_METHODS = frozenset((
    "verifyPurchase", "restorePurchases", "verifyReceipt", "reconcile", "testNotification",
    "sendConsumption", "extendRenewal", "signOffer", "signIntroductoryOffer",
))
# These read the journal, and take as long as it is.
PAST_METHODS = frozenset(("getHistory", "explain", "exportUser"))
# Doing these again changes nothing, though they take no key.
REPEATABLE_METHODS = STORE_METHODS - {"testNotification", "extendRenewal"}
REPEATABLE_METHODS |= {"registerAccount", "commitReservation", "releaseReservation"}
TEST_SECONDS = 60  # that testNotification waits where nothing else is said


class EntitldError(Exception):
    """The daemon's error: `code`, `name`, `message`, `retryable`, and `data` with the rest."""

    def __init__(self, code, name, message, retryable, data=None):
        super().__init__(f"{name}: {message}")
        self.code, self.name, self.message, self.retryable = code, name, message, retryable
        self.data = data or {}


class Unavailable(EntitldError):
    """No answer came. Unless it is an UnknownOutcome, the daemon has not carried the call out.

    `code` is 0; `name` is unreachable, permission_denied, timed_out or connection_lost.
    """

    def __init__(self, name, message, retryable=True, data=None):
        super().__init__(0, name, message, retryable, data)


class UnknownOutcome(Unavailable):
    """The call was sent, and nobody can tell what became of it: a write may have been kept.

    `name` is connection_lost, timed_out, malformed_reply, or unknown_outcome (it named no call).
    """


class Client:
    """One connection to the daemon; close it, or use it in a `with`.

    From another host: `url` is the HTTPS door, `token` who asks, and `ca` a file with the certificate
    to trust, where it is not of a public authority.
    """

    def __init__(self, path=None, timeout=0.25, write_timeout=2.0, frame_bytes_max=FRAME_BYTES_MAX,
                 store_timeout=30.0, url=None, token=None, ca=None):
        if url is None:
            if token is not None or ca is not None:
                raise TypeError("token and ca need a url")
            path = path or os.environ.get("ENTITLD_SOCKET") or "/run/entitld/entitld.sock"
            place = path.removeprefix("unix://")
            self._new_line = lambda: _SocketLine(place, frame_bytes_max)
        else:
            if path is not None or not token:
                raise TypeError("url needs a token, and excludes a path")
            address = _Address(url, token, ca)
            self._new_line = lambda: _DoorLine(address)
        self._frame_bytes_max = frame_bytes_max
        self._timeouts = timeout, write_timeout, store_timeout
        self._renew()
        _clients.add(self)

    def _renew(self):
        # What takes as long as the store has a line of its own, on which only its like wait.
        self._line, self._store_line = self._new_line(), self._new_line()
        self._pid = os.getpid()

    def _forked(self):
        """In a child: leaves the connections to the parent. They are closed, not shut down."""
        # Whoever holds their locks is a thread of the parent.
        self._line.drop()
        self._store_line.drop()
        self._renew()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        """Ends the connection; a later call makes a new one."""
        for line in (self._line, self._store_line):
            with line.lock:
                line.drop()

    def can_render(self, user_id, cost=1, timeout=None):
        """Whether the user may render: look at `canRender` in the result."""
        return self.read("canRender", _whole(userId=user_id, cost=cost), timeout)

    def can(self, user_id, feature, cost=1, timeout=None):
        """Whether the user may use a feature of the catalog: look at `allowed` in the result."""
        return self.read("can", _whole(userId=user_id, feature=feature, cost=cost), timeout)

    def find(self, text, timeout=None):
        """Whose something is that support has from a mail or a receipt."""
        return self.read("find", _whole(text=text), timeout)["matches"]

    def status(self, user_id, timeout=None):
        """All that is said about a user at once."""
        return self.read("getStatus", _whole(userId=user_id), timeout)

    def entitlement(self, user_id, timeout=None):
        """The access by a purchase or a grant."""
        return self.read("getEntitlement", _whole(userId=user_id), timeout)["entitlement"]

    def subscriptions(self, user_id, timeout=None):
        """All subscriptions, the best first; each says whether it gives access."""
        return self.read("getSubscriptions", _whole(userId=user_id), timeout)["subscriptions"]

    def management_url(self, user_id, platform=None, timeout=None):
        """Where the user manages the subscription, or None."""
        params = _whole(userId=user_id) | _given(platform=platform)
        return self.read("getManagementURL", params, timeout)["url"]

    def credits(self, user_id, timeout=None):
        """What can be spent, what is held, and the buckets it comes from."""
        return self.read("getCredits", _whole(userId=user_id), timeout)

    def history(self, user_id, after_seq=None, limit=None, timeout=None):
        """A page of what changed, oldest first; the next comes after the last `seq`."""
        params = _whole(userId=user_id) | _given(afterSeq=after_seq, limit=limit)
        return self.read("getHistory", params, timeout)["events"]

    def watch(self, user_ids=None, from_seq=None):
        """Yields (method, params) of each change, for ever, on a connection of its own.

        The first connection must succeed; one that is lost later is made again, and the watch
        goes on where it was: it may give the changes of its last `seq` twice. After a `resync`,
        ask anew for what you keep.
        """
        pause = 0
        while True:
            line = self._new_line()
            try:
                joined = line.watch(user_ids, from_seq, time.monotonic() + self._timeouts[1])
                from_seq = joined if from_seq is None else from_seq
                while True:
                    method, params = line.told(time.monotonic() + WATCH_SILENCE_SECONDS_MAX)
                    pause = 0
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
                line.drop()
            pause = min(max(pause * 2, 0.05), WATCH_PAUSE_SECONDS_MAX)
            time.sleep(pause * random.uniform(0.5, 1))

    def ping(self, timeout=None):
        """Returns when the daemon answers."""
        self.read("ping", {}, timeout)

    def version(self, timeout=None):
        """Which daemon answers."""
        return self.read("version", {}, timeout)

    def register_account(
        self, user_id, app_account_token=None, timeout=None, signed_app_transaction=None
    ):
        """Begins the user's account, or links another token to it. Repeating it is safe."""
        params = _whole(userId=user_id) | _given(
            appAccountToken=app_account_token, signedAppTransaction=signed_app_transaction
        )
        return self.write("registerAccount", params, timeout=timeout)

    def verify_purchase(self, user_id, signed_transaction=None, timeout=None, **claims):
        """Links a signed purchase to the user; `claims` are named as in proto/openrpc.json.

        Without a signed transaction, one of `transactionId`, `purchaseToken`, `checkoutSession` and
        `stripeSubscription` names what the daemon asks the store about.
        """
        params = _whole(userId=user_id) | _given(signedTransaction=signed_transaction, **claims)
        return self.write("verifyPurchase", params, timeout=timeout)

    def restore_purchases(self, user_id, signed_transactions, timeout=None, **claims):
        """Links up to 100 signed purchases to the user, as the transfer policy has it.

        `purchaseTokens` are those of Google Play; with the others they are 100 at most.
        """
        params = _whole(userId=user_id, signedTransactions=signed_transactions)
        return self.write("restorePurchases", params | _given(**claims), timeout=timeout)

    def verify_receipt(self, user_id, receipt_data, product_id=None, timeout=None, **claims):
        """Links what an old receipt in base64 names to the user."""
        params = _whole(userId=user_id, receiptData=receipt_data)
        params |= _given(productId=product_id, **claims)
        return self.write("verifyReceipt", params, timeout=timeout)

    def consume_credit(self, user_id, amount=1, idempotency_key=None, timeout=None):
        """Spends credits, once for each key: look at `outcome`. A missing key is made up."""
        params = _whole(userId=user_id, amount=amount)
        return self._keyed("consumeCredit", params, idempotency_key, timeout)

    def reserve_credits(self, user_id, amount, ttl_seconds, idempotency_key=None, timeout=None,
                        release_on_disconnect=False):
        """Sets credits aside until the `reservation` is committed, released or too old.

        With `release_on_disconnect` at most until this client's connection ends.
        """
        params = _whole(userId=user_id, amount=amount, ttlSeconds=ttl_seconds)
        params |= _given(releaseOnDisconnect=release_on_disconnect or None)
        return self._keyed("reserveCredits", params, idempotency_key, timeout)

    def commit_reservation(self, reservation, amount=None, timeout=None):
        """Spends what a reservation holds, or `amount` of it. Repeating it is safe."""
        params = _whole(reservation=reservation) | _given(amount=amount)
        return self.write("commitReservation", params, timeout=timeout)

    def release_reservation(self, reservation, timeout=None):
        """Gives back what a reservation holds. Repeating it is safe."""
        return self.write("releaseReservation", _whole(reservation=reservation), timeout=timeout)

    def merge_accounts(self, from_user_id, into_user_id, idempotency_key=None, timeout=None):
        """Gives what an anonymous account has to the one that logged in. A missing key is made up."""
        params = _whole(fromUserId=from_user_id, intoUserId=into_user_id)
        return self._keyed("mergeAccounts", params, idempotency_key, timeout)

    def reverse_credits(self, user_id, consume_key, idempotency_key=None, timeout=None):
        """Puts the charge `consume_key` back into the buckets it came from."""
        params = _whole(userId=user_id, consumeKey=consume_key)
        return self._keyed("reverseCredits", params, idempotency_key, timeout)

    def reconcile(self, user_id, timeout=None):
        """Asks the store about the user now."""
        return self.write("reconcile", _whole(userId=user_id), timeout=timeout)

    def grant_credits(self, user_id, amount, idempotency_key=None, timeout=None, **options):
        """Gives credits; for the admin socket. A missing key is made up."""
        params = _whole(userId=user_id, amount=amount) | _given(**options)
        return self._keyed("grantCredits", params, idempotency_key, timeout)

    def grant_entitlement(self, user_id, plan, idempotency_key=None, timeout=None, **options):
        """Gives the access of a plan; for the admin socket. A missing key is made up."""
        params = _whole(userId=user_id, plan=plan) | _given(**options)
        return self._keyed("grantEntitlement", params, idempotency_key, timeout)

    def revoke_grant(self, user_id, grant, reason=None, timeout=None):
        """Takes a grant back; for the admin socket. It has no key, so it is sent only once."""
        params = _whole(userId=user_id, grant=grant) | _given(reason=reason)
        return self.write("revokeGrant", params, timeout=timeout)

    def move_purchase(self, original_transaction_id, to_user_id, reason, store="app_store",
                      timeout=None):
        """Gives a purchase to another user; for support."""
        params = _whole(store=store, originalTransactionId=original_transaction_id,
                        toUserId=to_user_id, reason=reason)
        return self.write("movePurchase", params, timeout=timeout)

    def sign_offer(self, user_id, product_id, offer_id, app_account_token=None,
                   application_username=None, transaction_id=None, bundle_id=None, timeout=None):
        """Signs a promotional offer in both of Apple's forms."""
        params = _whole(userId=user_id, productId=product_id, offerId=offer_id) | _given(
            appAccountToken=app_account_token, applicationUsername=application_username,
            transactionId=transaction_id, bundleId=bundle_id)
        return self.read("signOffer", params, timeout=timeout)

    def sign_introductory_offer(self, user_id, product_id, allow_introductory_offer,
                                transaction_id=None, bundle_id=None, timeout=None):
        """Signs whether a customer gets an introductory offer."""
        params = _whole(userId=user_id, productId=product_id,
                        allowIntroductoryOffer=allow_introductory_offer)
        params |= _given(transactionId=transaction_id, bundleId=bundle_id)
        return self.read("signIntroductoryOffer", params, timeout=timeout)

    def send_consumption(self, transaction_id, customer_consented, delivery_status,
                         sample_content_provided, consumption_percentage=None,
                         refund_preference=None, bundle_id=None, timeout=None):
        """Answers Apple's question about a purchase whose refund is asked for; for support."""
        params = _whole(
            transactionId=transaction_id, customerConsented=customer_consented,
            deliveryStatus=delivery_status, sampleContentProvided=sample_content_provided,
        ) | _given(consumptionPercentage=consumption_percentage,
                   refundPreference=refund_preference, bundleId=bundle_id)
        return self.write("sendConsumption", params, timeout=timeout)

    def extend_renewal(self, transaction_id, extend_by_days, extend_reason_code,
                       request_identifier=None, bundle_id=None, timeout=None):
        """Puts off a renewal; for support. Never sent twice: look before you ask again."""
        params = _whole(transactionId=transaction_id, extendByDays=extend_by_days,
                        extendReasonCode=extend_reason_code)
        params |= _given(requestIdentifier=request_identifier, bundleId=bundle_id)
        return self.write("extendRenewal", params, timeout=timeout)

    def test_notification(self, timeout_seconds=None, timeout=None, store=None):
        """Waits for a test notification, of Apple unless the store is google_play; for the admin socket."""
        params = _given(timeoutSeconds=timeout_seconds, store=store)
        return self.write("testNotification", params, timeout=timeout)

    def read(self, method, params, timeout=None):
        """Calls a method that changes nothing."""
        return self._call(method, params, True, self._seconds(method, params, timeout, False))

    def write(self, method, params, repeatable=None, timeout=None):
        """Calls a method that changes something; `repeatable` when it is safe to send twice.

        It is with an idempotencyKey, and for the methods of this client that need none.
        """
        if repeatable is None:
            repeatable = "idempotencyKey" in params or method in REPEATABLE_METHODS
        return self._call(method, params, repeatable, self._seconds(method, params, timeout, True))

    def _keyed(self, method, params, key, timeout):
        params = params | _whole(idempotencyKey=str(uuid.uuid4()) if key is None else key)
        return self.write(method, params, timeout=timeout)

    def _seconds(self, method, params, asked, is_write):
        reading, writing, store = self._timeouts
        if asked is not None:
            return asked
        if method in STORE_METHODS:
            waits = method == "testNotification"
            return store + (params.get("timeoutSeconds", TEST_SECONDS) if waits else 0)
        return writing if is_write or method in PAST_METHODS or "at" in params else reading

    def _call(self, method, params, repeatable, seconds):
        """Asks until the deadline, as long as the daemon has not carried it out, or may again."""
        deadline = time.monotonic() + seconds
        request = _request(method, params, self._frame_bytes_max)
        doubt, sends, pause = None, 0, 0.0
        while True:
            try:
                return self._own_line(method).ask(request, deadline)
            except UnknownOutcome as error:
                is_stopping = error.name == "unknown_outcome" and error.data["retryable"]
                sends += not is_stopping
                is_lost = error.name == "connection_lost" or is_stopping
                if not repeatable or not is_lost or sends >= SENDS_MAX:
                    raise
                doubt = failure = error
            except Unavailable as error:
                if error.name in ("permission_denied", "timed_out") or not error.retryable:
                    raise doubt or error
                failure = error
            except EntitldError as error:
                if not repeatable or error.code not in (NOT_READY, SHUTTING_DOWN):
                    raise
                failure = error
                # Half of it is random, so that a crowd does not come back together.
            rest = pause * random.uniform(0.5, 1)
            if deadline - time.monotonic() <= rest:
                raise doubt or failure
            time.sleep(rest)
            pause = min(max(pause * 2, 0.001), PAUSE_SECONDS_MAX)

    def _own_line(self, method):
        # For a fork of which Python was not told.
        if self._pid != os.getpid():
            self._forked()
        return self._store_line if method in STORE_METHODS else self._line


class _Line:
    """One connection of one process, on which one call at a time waits for its reply."""

    def __init__(self):
        self.lock = threading.Lock()

    def ask(self, request, deadline):
        """The result; Unavailable where the request has not left whole, else UnknownOutcome."""
        if not self.lock.acquire(timeout=max(deadline - time.monotonic(), 0)):
            raise Unavailable("timed_out", "the calls of other threads took all the time")
        try:
            return self._asked(request, deadline)
        except BaseException as error:
            # After anything but the daemon's own error, the connection may still bring the reply.
            if isinstance(error, Unavailable) or not isinstance(error, EntitldError):
                self.drop()
            raise
        finally:
            self.lock.release()


class _SocketLine(_Line):
    """One connection to the socket."""

    def __init__(self, path, frame_bytes_max):
        super().__init__()
        self._path, self._frame_bytes_max = path, frame_bytes_max
        self._socket = None
        self._last_id = 0

    def _asked(self, request, deadline):
        self._send(request, deadline)
        return self._result(deadline)

    def watch(self, user_ids, from_seq, deadline):
        """Begins to watch; the position from which everything is told."""
        params = {"userIds": user_ids, "fromSeq": from_seq}
        return self.ask(_request("watch", params, self._frame_bytes_max), deadline)["seq"]

    def told(self, deadline):
        """The next notification of what is watched, and its parameters."""
        message = self.next(deadline)
        return message.get("method"), message.get("params") or {}

    def next(self, deadline):
        """The next message, whatever it is."""
        if self._socket is None:
            raise UnknownOutcome("connection_lost", "there is no connection")
        try:
            (length,) = struct.unpack(">I", self._exactly(4, deadline))
            if not 1 <= length <= self._frame_bytes_max:
                raise UnknownOutcome("malformed_reply", f"a reply of {length} bytes", False)
            message = json.loads(self._exactly(length, deadline))
        except TimeoutError:
            raise UnknownOutcome("timed_out", "the daemon did not answer in time") from None
        except OSError as error:
            raise UnknownOutcome("connection_lost", str(error)) from error
        except ValueError as error:
            raise UnknownOutcome("malformed_reply", str(error), False) from error
        if not isinstance(message, dict):
            raise UnknownOutcome("malformed_reply", "not an object", False)
        return message

    def _send(self, request, deadline):
        self._last_id += 1
        body = b'{"jsonrpc":"2.0","id":%d,%s' % (self._last_id, request)
        if self._socket is None:
            self._socket = self._connected(deadline)
        try:
            self._wait_at_most(deadline)
            self._socket.sendall(struct.pack(">I", len(body)) + body)
        # The daemon carries out whole frames only, and this one has not left whole.
        except TimeoutError:
            raise Unavailable("timed_out", "the daemon did not take the request in time") from None
        except OSError as error:
            raise Unavailable("connection_lost", str(error)) from error

    def _result(self, deadline):
        while (reply := self.next(deadline)).get("id") not in (None, self._last_id) or (
            "method" in reply
        ):
            pass  # the reply to a call that was given up, or a notification
        return _outcome(reply)

    def _connected(self, deadline):
        candidate = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            candidate.settimeout(max(deadline - time.monotonic(), 0.001))
            candidate.connect(self._path)
            return candidate
        except BaseException as error:
            candidate.close()
            if not isinstance(error, OSError):
                raise
            name = "permission_denied" if isinstance(error, PermissionError) else "unreachable"
            # The daemon may be about to start.
            is_passing = isinstance(error, TimeoutError) or error.errno in PASSING_ERRORS
            raise Unavailable(name, f"{self._path}: {error}", is_passing) from error

    def _exactly(self, count, deadline):
        data = bytearray()
        while len(data) < count:
            self._wait_at_most(deadline)
            chunk = self._socket.recv(count - len(data))
            if not chunk:
                raise UnknownOutcome("connection_lost", "the connection ended before the reply")
            data += chunk
        return bytes(data)

    def _wait_at_most(self, deadline):
        if self._socket is None:
            raise OSError(errno.EBADF, "the process was forked in the middle of this call")
        left = deadline - time.monotonic()
        if left <= 0:
            raise TimeoutError
        self._socket.settimeout(left)

    def drop(self):
        """Closes this end, for whoever holds the lock."""
        if self._socket is not None:
            self._socket.close()
            self._socket = None


class _Address:
    """Where the HTTPS door is, and what is shown there."""

    def __init__(self, url, token, ca):
        parts = urllib.parse.urlsplit(url)
        is_here = parts.hostname in ("127.0.0.1", "localhost", "::1")
        if parts.scheme != "https" and not (parts.scheme == "http" and is_here):
            raise TypeError("url must be https://HOST:PORT; http only to this host")
        self.url, self.host, self.port = url, parts.hostname, parts.port
        self.headers = {"Authorization": f"Bearer {token}"}
        self.context = ssl.create_default_context(cafile=ca) if parts.scheme == "https" else None

    def connection(self, seconds):
        if self.context is None:
            return http.client.HTTPConnection(self.host, self.port, timeout=seconds)
        return http.client.HTTPSConnection(
            self.host, self.port, timeout=seconds, context=self.context)


class _DoorLine(_Line):
    """One connection over HTTPS."""

    def __init__(self, address):
        super().__init__()
        self._address = address
        self._connection = self._events = None
        self._used = 0.0

    def _asked(self, request, deadline):
        if time.monotonic() - self._used > IDLE_SECONDS_MAX:
            self.drop()
        body = b'{"jsonrpc":"2.0","id":1,' + request
        response = self._sent("POST", "/rpc", body, {"Content-Type": "application/json"}, deadline)
        with _failing_as(UnknownOutcome):
            text = response.read()
        self._used = time.monotonic()
        if response.status != 200:
            self._refuse(response.status, text)
        try:
            reply = json.loads(text)
        except ValueError as error:
            raise UnknownOutcome("malformed_reply", str(error), False) from error
        if not isinstance(reply, dict):
            raise UnknownOutcome("malformed_reply", "not an object", False)
        return _outcome(reply)

    def watch(self, user_ids, from_seq, deadline):
        """Begins to watch; the position from which everything is told."""
        query = [("userId", user) for user in user_ids or ()]
        query += [("fromSeq", from_seq)] if from_seq is not None else []
        path = "/watch" + ("?" + urllib.parse.urlencode(query) if query else "")
        response = self._sent("GET", path, None, {"Accept": "text/event-stream"}, deadline)
        if response.status != 200:
            with _failing_as(UnknownOutcome):
                self._refuse(response.status, response.read())
        self._events = response
        # Without a position it begins with a heartbeat, which names one.
        return from_seq if from_seq is not None else self.told(deadline)[1]["seq"]

    def told(self, deadline):
        """The next event of what is watched, and its parameters."""
        name, data = None, ""
        while True:
            self._wait_at_most(deadline)
            with _failing_as(UnknownOutcome):
                line = self._events.readline()
            if not line:
                raise UnknownOutcome("connection_lost", "the daemon ended the watch")
            field, _, value = line.decode().rstrip("\n").partition(": ")
            if field == "event":
                name = value
            elif field == "data":
                data += value
            elif not field and name:
                return name, json.loads(data)

    def drop(self):
        """Closes this end, for whoever holds the lock."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _sent(self, method, path, body, headers, deadline):
        """The response to a request; its body is still to be read."""
        if self._connection is None:
            self._connect(deadline)
        self._wait_at_most(deadline, Unavailable)
        # Only whole requests are carried out, and this one has not left whole.
        with _failing_as(Unavailable):
            self._connection.request(method, path, body, {**self._address.headers, **headers})
        with _failing_as(UnknownOutcome):
            return self._connection.getresponse()

    def _connect(self, deadline):
        connection = self._address.connection(max(deadline - time.monotonic(), 0.001))
        try:
            connection.connect()
        except BaseException as error:
            connection.close()
            if not isinstance(error, OSError):
                raise
            # A certificate that is not trusted is not trusted later either.
            is_passing = not isinstance(error, ssl.SSLError)
            raise Unavailable("unreachable", f"{self._address.url}: {error}", is_passing) from error
        self._connection = connection

    def _wait_at_most(self, deadline, kind=UnknownOutcome):
        left = deadline - time.monotonic()
        if left <= 0:
            raise kind("timed_out", "the daemon did not answer in time")
        if self._connection is not None and self._connection.sock is not None:
            self._connection.sock.settimeout(left)

    @staticmethod
    def _refuse(status, body):
        if status == 401:
            raise Unavailable("permission_denied", "the daemon does not know this token", False)
        if status == 413:
            raise EntitldError(0, "request_too_large", "the daemon takes no such length", False)
        if status == 429:
            raise Unavailable("overloaded", "too many requests of this token")
        if status == 503:  # also where an answer came too late
            raise UnknownOutcome("connection_lost", "the daemon takes no more for now")
        try:
            reply = json.loads(body)
        except ValueError:
            reply = None
        if isinstance(reply, dict) and isinstance(reply.get("error"), dict):
            _outcome(reply)
        raise UnknownOutcome("malformed_reply", f"HTTP {status} is no reply of entitld", False)


class _failing_as:
    """Turns what fails over a connection into an error of this kind."""

    def __init__(self, kind):
        self._kind = kind

    def __enter__(self):
        return self

    def __exit__(self, _, error, __):
        if isinstance(error, TimeoutError):
            raise self._kind("timed_out", "the daemon did not answer in time") from error
        if isinstance(error, (OSError, http.client.HTTPException)):
            message = str(error) or type(error).__name__
            raise self._kind("connection_lost", message) from error


def _outcome(reply):
    """The result of a reply, or its error."""
    if "result" in reply and reply.get("id") is not None:
        return reply["result"]
    error = reply.get("error")
    if not isinstance(error, dict) or "code" not in error or "message" not in error:
        raise UnknownOutcome("malformed_reply", "neither result nor error", False)
    data = error.get("data") or {}
    name, retryable = data.get("code", "error"), bool(data.get("retryable"))
    if reply.get("id") is None:
        message = f"the daemon answered, without saying to which call: {error['message']}"
        data = {**data, "cause": error["code"], "retryable": retryable}
        raise UnknownOutcome("unknown_outcome", message, True, data)
    raise EntitldError(error["code"], name, error["message"], retryable, data)


# Every client of this process, so that a child leaves their connections to it at once: one that it
# kept open would hide from the daemon that the parent has ended.
_clients = weakref.WeakSet()


os.register_at_fork(after_in_child=lambda: [client._forked() for client in list(_clients)])


def _request(method, params, frame_bytes_max):
    """The request from its method on; refused here is whatever the daemon could not read."""
    params = {key: value for key, value in params.items() if value is not None}
    if fault := _fault(params, 2):
        raise _malformed(fault)
    members = {"method": method, "params": params}
    try:
        text = json.dumps(members, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
        body = text[1:].encode()
    except ValueError as error:  # half of a surrogate pair, NaN, an infinity
        raise _malformed(error) from error
    # 50 bytes are more than what is in front of it.
    if len(body) + 50 > frame_bytes_max:
        raise EntitldError(0, "request_too_large", f"the request has {len(body)} bytes", False)
    return body


def _malformed(fault):
    return EntitldError(0, "malformed_request", f"the request cannot be sent: {fault}", False)


def _fault(value, depth):
    """What the daemon's reader would refuse in a value at this depth, or None."""
    if isinstance(value, dict):
        if len(value) > OBJECT_MEMBERS_MAX:
            return f"an object has more than {OBJECT_MEMBERS_MAX} members"
        if not all(isinstance(name, str) for name in value):
            return "the name of a member is not a string"
        inner = value.values()
    elif isinstance(value, (list, tuple)):
        inner = value
    else:
        return None
    if depth > DEPTH_MAX:
        return f"it is more than {DEPTH_MAX} deep"
    return next((fault for fault in (_fault(item, depth + 1) for item in inner) if fault), None)


_TEXT = ("a string that is not empty", lambda value: isinstance(value, str) and value != "")
_COUNT = ("a whole number from 1 up", lambda value: type(value) is int and value >= 1)
_POSITION = ("a whole number from 0 up", lambda value: type(value) is int and value >= 0)
_FLAG = ("True or False", lambda value: isinstance(value, bool))
_KINDS = {
    **dict.fromkeys(
        ("amount", "cost", "ttlSeconds", "limit", "timeoutSeconds", "extendByDays"), _COUNT),
    **dict.fromkeys(("afterSeq", "extendReasonCode", "consumptionPercentage"), _POSITION),
    **dict.fromkeys(("releaseOnDisconnect", "customerConsented", "sampleContentProvided",
                     "allowIntroductoryOffer"), _FLAG),
    "applicationUsername": ("a string", lambda value: isinstance(value, str)),
    "signedTransactions": ("a list of strings", lambda value: (
        isinstance(value, (list, tuple)) and all(isinstance(one, str) for one in value))),
}


def _whole(**params):
    """These parameters, each of which has to be there and of its kind."""
    for name, value in params.items():
        wanted, holds = _KINDS.get(name, _TEXT)
        if not holds(value):
            raise TypeError(f"{name} must be {wanted}, not {value!r}")
    return params


def _given(**params):
    """Those of these parameters that are not None, each of its kind."""
    return _whole(**{name: value for name, value in params.items() if value is not None})
