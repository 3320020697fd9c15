"""The client: one method for each of the daemon's."""

import os
import random
import time
import uuid
import weakref
from typing import Any, Callable, Dict, Iterable, Iterator, List, Optional, Sequence, Tuple

from . import types
from .door_line import Address, DoorLine
from .errors import EntitldError, Unavailable, UnknownOutcome
from .request import encoded, given, whole
from .shared import SharedAnswers
from .socket_line import SocketLine

FRAME_BYTES_MAX = 1 << 20
# How often a call is sent that gets no word, because its connection ends each time.
SENDS_MAX = 16
PAUSE_SECONDS_MAX, WATCH_PAUSE_SECONDS_MAX = 0.05, 5
WATCH_SILENCE_SECONDS_MAX = 45  # three heartbeats
NOT_READY, SHUTTING_DOWN = -32002, -32003
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


class Client:
    """One connection to the daemon; close it, or use it in a `with`.

    From another host: `url` is the HTTPS door, `token` who asks, and `ca` a file with the certificate
    to trust, where it is not of a public authority.

    With `shared_answers`, at the socket of a daemon that says `rpc.sharedAnswers`, an answer of
    `can_render` is kept, and given again without a call as long as the daemon's marks say that it holds.
    """

    def __init__(
        self, path: Optional[str] = None, timeout: float = 0.25, write_timeout: float = 2.0,
        frame_bytes_max: int = FRAME_BYTES_MAX, store_timeout: float = 30.0,
        url: Optional[str] = None, token: Optional[str] = None, ca: Optional[str] = None,
        shared_answers: bool = False
    ) -> None:
        if url is None:
            if token is not None or ca is not None:
                raise TypeError("token and ca need a url")
            path = path or os.environ.get("ENTITLD_SOCKET") or "/run/entitld/entitld.sock"
            place = path.removeprefix("unix://")
            self._new_line: Callable[[], Any] = lambda: SocketLine(place, frame_bytes_max)
            self._shared = SharedAnswers(place) if shared_answers else None
        else:
            if path is not None or not token:
                raise TypeError("url needs a token, and excludes a path")
            if shared_answers:
                raise TypeError("shared_answers are for the socket")
            self._shared = None
            address = Address(url, token, ca)
            self._new_line = lambda: DoorLine(address)
        self._frame_bytes_max = frame_bytes_max
        self._timeouts = timeout, write_timeout, store_timeout
        self._renew()
        _clients.add(self)

    def _renew(self) -> None:
        # What takes as long as the store has a line of its own, on which only its like wait.
        self._line, self._store_line = self._new_line(), self._new_line()
        self._pid = os.getpid()

    def _forked(self) -> None:
        """In a child: leaves the connections to the parent. They are closed, not shut down."""
        # Whoever holds their locks is a thread of the parent.
        self._line.drop()
        self._store_line.drop()
        self._renew()

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends the connection; a later call makes a new one."""
        for line in (self._line, self._store_line):
            with line.lock:
                line.drop()

    def can_render(
        self, user_id: str, cost: int = 1, timeout: Optional[float] = None,
        min_seq: Optional[int] = None
    ) -> types.RenderAnswer:
        """Whether the user may render: look at `canRender` in the result."""
        is_kept = type(user_id) is str and type(cost) is int and cost == 1 and min_seq is None
        shared = self._shared if is_kept else None
        kept: Any = None if shared is None else shared.answer(user_id)
        if kept is not None:
            return kept
        generation = None if shared is None else shared.generation()
        params = whole(userId=user_id, cost=cost) | given(minSeq=min_seq)
        answer = self.read("canRender", params, timeout)
        if shared is not None:
            shared.keep(user_id, answer, generation)
        return answer

    def can(
        self, user_id: str, feature: str, cost: int = 1, timeout: Optional[float] = None,
        min_seq: Optional[int] = None
    ) -> types.FeatureAnswer:
        """Whether the user may use a feature of the catalog: look at `allowed` in the result."""
        params = whole(userId=user_id, feature=feature, cost=cost) | given(minSeq=min_seq)
        return self.read("can", params, timeout)

    def find(
        self, text: str, timeout: Optional[float] = None, min_seq: Optional[int] = None
    ) -> List[types.FindMatch]:
        """Whose something is that support has from a mail or a receipt."""
        return self.read("find", whole(text=text) | given(minSeq=min_seq), timeout)["matches"]

    def status(
        self, user_id: str, timeout: Optional[float] = None, min_seq: Optional[int] = None,
        at: Optional[str] = None
    ) -> types.Status:
        """All that is said about a user at once; with `at` what was known at a past moment."""
        params = whole(userId=user_id) | given(at=at, minSeq=min_seq)
        return self.read("getStatus", params, timeout)

    def entitlement(
        self, user_id: str, timeout: Optional[float] = None, min_seq: Optional[int] = None
    ) -> types.Entitlement:
        """The access by a purchase or a grant."""
        return self.read("getEntitlement", whole(userId=user_id) | given(minSeq=min_seq), timeout)["entitlement"]

    def subscriptions(
        self, user_id: str, timeout: Optional[float] = None, min_seq: Optional[int] = None
    ) -> List[types.OwnedSubscription]:
        """All subscriptions, the best first; each says whether it gives access."""
        return self.read("getSubscriptions", whole(userId=user_id) | given(minSeq=min_seq), timeout)["subscriptions"]

    def management_url(
        self, user_id: str, platform: Optional[str] = None, timeout: Optional[float] = None,
        min_seq: Optional[int] = None
    ) -> Optional[str]:
        """Where the user manages the subscription, or None."""
        params = whole(userId=user_id) | given(platform=platform, minSeq=min_seq)
        return self.read("getManagementURL", params, timeout)["url"]

    def credits(
        self, user_id: str, timeout: Optional[float] = None, min_seq: Optional[int] = None
    ) -> types.GetCreditsResult:
        """What can be spent, what is held, and the buckets it comes from."""
        return self.read("getCredits", whole(userId=user_id) | given(minSeq=min_seq), timeout)

    def history(
        self, user_id: str, after_seq: Optional[int] = None, limit: Optional[int] = None,
        timeout: Optional[float] = None, min_seq: Optional[int] = None
    ) -> List[types.GetHistoryEvent]:
        """A page of what changed, oldest first; the next comes after the last `seq`."""
        params = whole(userId=user_id) | given(afterSeq=after_seq, limit=limit, minSeq=min_seq)
        return self.read("getHistory", params, timeout)["events"]

    def explain(
        self, user_id: str, at: Optional[str] = None, timeout: Optional[float] = None,
        min_seq: Optional[int] = None
    ) -> types.ExplainResult:
        """Why a user's status is what it is, or with `at` what it was."""
        params = whole(userId=user_id) | given(at=at, minSeq=min_seq)
        return self.read("explain", params, timeout)

    def watch(
        self, user_ids: Optional[Iterable[str]] = None, from_seq: Optional[int] = None
    ) -> Iterator[Tuple[str, Dict[str, Any]]]:
        """Yields (method, params) of each change, for ever, on a connection of its own.

        The first connection must succeed; one that is lost later is made again, and the watch
        goes on where it was: it may give the changes of its last `seq` twice. After a `resync`,
        ask anew for what you keep.
        """
        pause = 0.0
        while True:
            line = self._new_line()
            try:
                joined = line.watch(user_ids, from_seq, time.monotonic() + self._timeouts[1])
                from_seq = joined if from_seq is None else from_seq
                while True:
                    method, params = line.told(time.monotonic() + WATCH_SILENCE_SECONDS_MAX)
                    pause = 0.0
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

    def ping(self, timeout: Optional[float] = None) -> None:
        """Returns when the daemon answers."""
        self.read("ping", {}, timeout)

    def version(self, timeout: Optional[float] = None) -> types.VersionResult:
        """Which daemon answers."""
        return self.read("version", {}, timeout)

    def register_account(
        self, user_id: str, app_account_token: Optional[str] = None,
        timeout: Optional[float] = None, signed_app_transaction: Optional[str] = None
    ) -> types.RegisterAccountResult:
        """Begins the user's account, or links another token to it. Repeating it is safe."""
        params = whole(userId=user_id) | given(
            appAccountToken=app_account_token, signedAppTransaction=signed_app_transaction
        )
        return self.write("registerAccount", params, timeout=timeout)

    def verify_purchase(
        self, user_id: str, signed_transaction: Optional[str] = None,
        timeout: Optional[float] = None, **claims: Any
    ) -> types.VerifyPurchaseResult:
        """Links a signed purchase to the user; `claims` are named as in proto/openrpc.json.

        Without a signed transaction, one of `transactionId`, `purchaseToken`, `checkoutSession` and
        `stripeSubscription` names what the daemon asks the store about.
        """
        params = whole(userId=user_id) | given(signedTransaction=signed_transaction, **claims)
        return self.write("verifyPurchase", params, timeout=timeout)

    def restore_purchases(
        self, user_id: str, signed_transactions: Optional[Sequence[str]] = None,
        timeout: Optional[float] = None, **claims: Any
    ) -> types.RestorePurchasesResult:
        """Links up to 100 signed purchases to the user, as the transfer policy has it.

        `purchaseTokens` are those of Google Play; with the others they are 100 at most. `receiptData`
        stands in place of both. Claims are named as in proto/openrpc.json.
        """
        params = whole(userId=user_id) | given(signedTransactions=signed_transactions, **claims)
        return self.write("restorePurchases", params, timeout=timeout)

    def verify_receipt(
        self, user_id: str, receipt_data: str, product_id: Optional[str] = None,
        timeout: Optional[float] = None, **claims: Any
    ) -> types.VerifyReceiptResult:
        """Links what an old receipt in base64 names to the user."""
        params = whole(userId=user_id, receiptData=receipt_data)
        params |= given(productId=product_id, **claims)
        return self.write("verifyReceipt", params, timeout=timeout)

    def consume_credit(
        self, user_id: str, amount: int = 1, idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None
    ) -> types.ConsumeCreditResult:
        """Spends credits, once for each key: look at `outcome`. A missing key is made up."""
        params = whole(userId=user_id, amount=amount)
        return self._keyed("consumeCredit", params, idempotency_key, timeout)

    def reserve_credits(
        self, user_id: str, amount: int, ttl_seconds: int,
        idempotency_key: Optional[str] = None, timeout: Optional[float] = None,
        release_on_disconnect: bool = False
    ) -> types.ReserveCreditsResult:
        """Sets credits aside until the `reservation` is committed, released or too old.

        With `release_on_disconnect` at most until this client's connection ends.
        """
        params = whole(userId=user_id, amount=amount, ttlSeconds=ttl_seconds)
        params |= given(releaseOnDisconnect=release_on_disconnect or None)
        return self._keyed("reserveCredits", params, idempotency_key, timeout)

    def commit_reservation(
        self, reservation: str, amount: Optional[int] = None, timeout: Optional[float] = None
    ) -> types.CommitReservationResult:
        """Spends what a reservation holds, or `amount` of it. Repeating it is safe."""
        params = whole(reservation=reservation) | given(amount=amount)
        return self.write("commitReservation", params, timeout=timeout)

    def release_reservation(
        self, reservation: str, timeout: Optional[float] = None
    ) -> types.ReleaseReservationResult:
        """Gives back what a reservation holds. Repeating it is safe."""
        return self.write("releaseReservation", whole(reservation=reservation), timeout=timeout)

    def merge_accounts(
        self, from_user_id: str, into_user_id: str, idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None
    ) -> types.MergeAccountsResult:
        """Gives what an anonymous account has to the one that logged in. A missing key is made up."""
        params = whole(fromUserId=from_user_id, intoUserId=into_user_id)
        return self._keyed("mergeAccounts", params, idempotency_key, timeout)

    def reverse_credits(
        self, user_id: str, consume_key: str, idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None
    ) -> types.ReverseCreditsResult:
        """Puts the charge `consume_key` back into the buckets it came from."""
        params = whole(userId=user_id, consumeKey=consume_key)
        return self._keyed("reverseCredits", params, idempotency_key, timeout)

    def reconcile(self, user_id: str, timeout: Optional[float] = None) -> types.ReconcileResult:
        """Asks the store about the user now."""
        return self.write("reconcile", whole(userId=user_id), timeout=timeout)

    def grant_credits(
        self, user_id: str, amount: int, idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None, **options: Any
    ) -> types.GrantCreditsResult:
        """Gives credits; for the admin socket. A missing key is made up."""
        params = whole(userId=user_id, amount=amount) | given(**options)
        return self._keyed("grantCredits", params, idempotency_key, timeout)

    def adjust_credits(
        self, user_id: str, amount: int, idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None, **options: Any
    ) -> types.AdjustCreditsResult:
        """Changes the credits by `amount`, which may be negative; for support. A missing key is made up."""
        if type(amount) is not int:
            raise TypeError(f"amount must be a whole number, not {amount!r}")
        params = {**whole(userId=user_id), "amount": amount, **given(**options)}
        return self._keyed("adjustCredits", params, idempotency_key, timeout)

    def grant_entitlement(
        self, user_id: str, plan: str, idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None, **options: Any
    ) -> types.GrantEntitlementResult:
        """Gives the access of a plan; for the admin socket. A missing key is made up."""
        params = whole(userId=user_id, plan=plan) | given(**options)
        return self._keyed("grantEntitlement", params, idempotency_key, timeout)

    def revoke_grant(
        self, user_id: str, grant: str, reason: Optional[str] = None,
        timeout: Optional[float] = None
    ) -> types.RevokeGrantResult:
        """Takes a grant back; for the admin socket. It has no key, so it is sent only once."""
        params = whole(userId=user_id, grant=grant) | given(reason=reason)
        return self.write("revokeGrant", params, timeout=timeout)

    def move_purchase(
        self, original_transaction_id: str, to_user_id: str, reason: str,
        store: str = "app_store", timeout: Optional[float] = None
    ) -> types.MovePurchaseResult:
        """Gives a purchase to another user; for support."""
        params = whole(store=store, originalTransactionId=original_transaction_id,
                        toUserId=to_user_id, reason=reason)
        return self.write("movePurchase", params, timeout=timeout)

    def sign_offer(
        self, user_id: str, product_id: str, offer_id: str,
        app_account_token: Optional[str] = None, application_username: Optional[str] = None,
        transaction_id: Optional[str] = None, bundle_id: Optional[str] = None,
        timeout: Optional[float] = None
    ) -> types.SignOfferResult:
        """Signs a promotional offer in both of Apple's forms."""
        params = whole(userId=user_id, productId=product_id, offerId=offer_id) | given(
            appAccountToken=app_account_token, applicationUsername=application_username,
            transactionId=transaction_id, bundleId=bundle_id)
        return self.read("signOffer", params, timeout=timeout)

    def sign_introductory_offer(
        self, user_id: str, product_id: str, allow_introductory_offer: bool,
        transaction_id: Optional[str] = None, bundle_id: Optional[str] = None,
        timeout: Optional[float] = None
    ) -> types.SignIntroductoryOfferResult:
        """Signs whether a customer gets an introductory offer."""
        params = whole(userId=user_id, productId=product_id,
                        allowIntroductoryOffer=allow_introductory_offer)
        params |= given(transactionId=transaction_id, bundleId=bundle_id)
        return self.read("signIntroductoryOffer", params, timeout=timeout)

    def send_consumption(
        self, transaction_id: str, customer_consented: bool, delivery_status: str,
        sample_content_provided: bool, consumption_percentage: Optional[int] = None,
        refund_preference: Optional[str] = None, bundle_id: Optional[str] = None,
        timeout: Optional[float] = None
    ) -> types.SendConsumptionResult:
        """Answers Apple's question about a purchase whose refund is asked for; for support."""
        params = whole(
            transactionId=transaction_id, customerConsented=customer_consented,
            deliveryStatus=delivery_status, sampleContentProvided=sample_content_provided,
        ) | given(consumptionPercentage=consumption_percentage,
                   refundPreference=refund_preference, bundleId=bundle_id)
        return self.write("sendConsumption", params, timeout=timeout)

    def extend_renewal(
        self, transaction_id: str, extend_by_days: int, extend_reason_code: int,
        request_identifier: Optional[str] = None, bundle_id: Optional[str] = None,
        timeout: Optional[float] = None
    ) -> types.ExtendRenewalResult:
        """Puts off a renewal; for support. Never sent twice: look before you ask again."""
        params = whole(transactionId=transaction_id, extendByDays=extend_by_days,
                        extendReasonCode=extend_reason_code)
        params |= given(requestIdentifier=request_identifier, bundleId=bundle_id)
        return self.write("extendRenewal", params, timeout=timeout)

    def test_notification(
        self, timeout_seconds: Optional[int] = None, timeout: Optional[float] = None,
        store: Optional[str] = None
    ) -> types.TestNotificationResult:
        """Waits for a test notification, of Apple unless the store is google_play; for the admin socket."""
        params = given(timeoutSeconds=timeout_seconds, store=store)
        return self.write("testNotification", params, timeout=timeout)

    def erase_user(
        self, user_id: str, timeout: Optional[float] = None
    ) -> types.EraseUserResult:
        """Forgets a person; for the admin socket."""
        return self.write("eraseUser", whole(userId=user_id), timeout=timeout)

    def export_user(
        self, user_id: str, cursor: Optional[str] = None, timeout: Optional[float] = None
    ) -> types.ExportUserResult:
        """A page of everything that is kept about a person; for the admin socket."""
        return self.read("exportUser", whole(userId=user_id) | given(cursor=cursor), timeout)

    def dump(
        self, table: Optional[str] = None, prefix: Optional[str] = None,
        cursor: Optional[str] = None, limit: Optional[int] = None, timeout: Optional[float] = None
    ) -> types.DumpResult:
        """A page of rows; for the admin socket."""
        params = given(table=table, prefix=prefix, cursor=cursor, limit=limit)
        return self.read("dump", params, timeout)

    def get(self, table: str, key: Any, timeout: Optional[float] = None) -> Any:
        """The value of one row, whose key is text or {"base64": …}; for the admin socket."""
        return self.read("get", {**whole(table=table), "key": key}, timeout)["value"]

    def load(self, entries: Sequence[Dict[str, Any]], timeout: Optional[float] = None) -> int:
        """Puts dumped rows into an empty store, and tells how many; for the admin socket."""
        return self.write("load", {"entries": list(entries)}, timeout=timeout)["loaded"]

    def backup(self, path: str, timeout: Optional[float] = None) -> types.BackupResult:
        """Copies the store to a new directory; for the admin socket."""
        return self.write("backup", whole(path=path), timeout=timeout)

    def stats(self, timeout: Optional[float] = None) -> types.StatsResult:
        """What the daemon did and does; for support."""
        return self.read("stats", {}, timeout)

    def set_log_level(
        self, level: str, timeout: Optional[float] = None
    ) -> types.SetLogLevelResult:
        """For the admin socket."""
        return self.write("setLogLevel", whole(level=level), timeout=timeout)

    def preview_catalog(
        self, catalog: str, cursor: Optional[str] = None, limit: Optional[int] = None,
        timeout: Optional[float] = None
    ) -> types.PreviewCatalogResult:
        """A page of who would win or lose what under another catalog, its text; for the admin socket."""
        params = whole(catalog=catalog) | given(cursor=cursor, limit=limit)
        return self.read("previewCatalog", params, timeout)

    def outboxes(self, timeout: Optional[float] = None) -> List[types.GetOutboxesOutbox]:
        """How far each outbox is; for support."""
        return self.read("getOutboxes", {}, timeout)["outboxes"]

    def retry_outbox(
        self, name: str, id: Optional[str] = None, everything: bool = False,
        timeout: Optional[float] = None
    ) -> types.RetryOutboxResult:
        """Tells again what an outbox gave up, or the state of every account; for the admin socket."""
        params = whole(name=name) | given(id=id, everything=everything or None)
        return self.write("retryOutbox", params, timeout=timeout)

    def skip_outbox(
        self, name: str, id: str, timeout: Optional[float] = None
    ) -> types.SkipOutboxResult:
        """Gives up a change that a receiver never takes; for the admin socket."""
        return self.write("skipOutbox", whole(name=name, id=id), timeout=timeout)

    def test_outbox(self, name: str, timeout: Optional[float] = None) -> types.TestOutboxResult:
        """Posts a test message now; for the admin socket."""
        return self.write("testOutbox", whole(name=name), timeout=timeout)

    def read(self, method: str, params: Dict[str, Any], timeout: Optional[float] = None) -> Any:
        """Calls a method that changes nothing."""
        return self._call(method, params, True, self._seconds(method, params, timeout, False))

    def write(
        self, method: str, params: Dict[str, Any], repeatable: Optional[bool] = None,
        timeout: Optional[float] = None
    ) -> Any:
        """Calls a method that changes something; `repeatable` when it is safe to send twice.

        It is with an idempotencyKey, and for the methods of this client that need none.
        """
        if repeatable is None:
            repeatable = "idempotencyKey" in params or method in REPEATABLE_METHODS
        return self._call(method, params, repeatable, self._seconds(method, params, timeout, True))

    def _keyed(self, method, params, key, timeout):
        params = params | whole(idempotencyKey=str(uuid.uuid4()) if key is None else key)
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
        request = encoded(method, params, self._frame_bytes_max)
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
            rest = failure.data.get("retryAfterMs", pause * random.uniform(500, 1_000)) / 1_000
            if deadline - time.monotonic() <= rest:
                raise doubt or failure
            time.sleep(rest)
            pause = min(max(pause * 2, 0.001), PAUSE_SECONDS_MAX)

    def _own_line(self, method):
        # For a fork of which Python was not told.
        if self._pid != os.getpid():
            self._forked()
        return self._store_line if method in STORE_METHODS else self._line


# Every client of this process, so that a child leaves their connections to it at once: one that it
# kept open would hide from the daemon that the parent has ended.
_clients: "weakref.WeakSet[Client]" = weakref.WeakSet()


def _leave_to_parent() -> None:
    for client in list(_clients):
        client._forked()


os.register_at_fork(after_in_child=_leave_to_parent)
