"""The client: one method for each of the daemon's."""

import functools
import os
import random
import time
import uuid
import weakref
from operator import itemgetter
from typing import Any, Callable, Dict, Iterable, Iterator, List, Optional, Sequence, Tuple

from . import types
from .door_line import Address, DoorLine
from .errors import (
    BLIND_CODES, SHUTTING_DOWN, EntitldError, Unavailable, UnknownOutcome, still_in_doubt,
)
from .lines import Lines
from .methods import STORE_METHODS, usual_seconds
from .repeatable import REPEATABLE_METHODS
from .request import encoded, given, whole
from .shared import SharedAnswers
from .socket_line import SocketLine
from .watch import Feed

FRAME_BYTES_MAX = 1 << 20
PAUSE_SECONDS_MAX = 0.05
NOT_READY = -32002


class Client:
    """Asks the daemon; close it, or use it in a `with`. Threads may share it.

    Each call under way has a connection to itself, which later calls use again.

    From another host: `url` is the HTTPS door, `token` who asks, and `ca` a file with the certificate
    to trust, where it is not of a public authority.

    With `shared_answers`, at the socket of a daemon that says `rpc.sharedAnswers`, an answer of
    `can_render` is kept, and given again without a call as long as the daemon's marks say that it holds.
    """

    # Connections; the HTTPS door takes 128 from one address.
    _lines_max, _store_lines_max = 64, 32

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
            new_line: Callable[[], Any] = functools.partial(
                SocketLine, place, frame_bytes_max)
            self._shared = SharedAnswers(place) if shared_answers else None
        else:
            if path is not None or not token:
                raise TypeError("url needs a token, and excludes a path")
            if shared_answers:
                raise TypeError("shared_answers are for the socket")
            self._shared = None
            address = Address(url, token, ca)
            new_line = functools.partial(DoorLine, address)
        self._frame_bytes_max = frame_bytes_max
        self._timeouts = timeout, write_timeout, store_timeout
        # What takes as long as the store has lines of its own, on which only its like wait.
        self._lines = Lines(new_line, self._lines_max)
        self._store_lines = Lines(new_line, self._store_lines_max)
        _clients.add(self)

    def _forked(self) -> None:
        """In a child."""
        self._lines.begin_anew()
        self._store_lines.begin_anew()

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends the connections, those in use after their calls; a later call makes new ones."""
        self._lines.close()
        self._store_lines.close()

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
        asked = None if shared is None else shared.asking()

        def kept_too(answer: Any) -> Any:
            if shared is not None:
                shared.keep(user_id, answer, asked)
            return answer

        params = whole(userId=user_id, cost=cost) | given(minSeq=min_seq)
        return self._read("canRender", params, timeout, kept_too)

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
        params = whole(text=text) | given(minSeq=min_seq)
        return self._read("find", params, timeout, itemgetter("matches"))

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
        params = whole(userId=user_id) | given(minSeq=min_seq)
        return self._read("getEntitlement", params, timeout, itemgetter("entitlement"))

    def subscriptions(
        self, user_id: str, timeout: Optional[float] = None, min_seq: Optional[int] = None
    ) -> List[types.OwnedSubscription]:
        """All subscriptions, the best first; each says whether it gives access."""
        params = whole(userId=user_id) | given(minSeq=min_seq)
        return self._read("getSubscriptions", params, timeout, itemgetter("subscriptions"))

    def management_url(
        self, user_id: str, platform: Optional[str] = None, timeout: Optional[float] = None,
        min_seq: Optional[int] = None
    ) -> Optional[str]:
        """Where the user manages the subscription, or None."""
        params = whole(userId=user_id) | given(platform=platform, minSeq=min_seq)
        return self._read("getManagementURL", params, timeout, itemgetter("url"))

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
        return self._read("getHistory", params, timeout, itemgetter("events"))

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

        The first connection must succeed, unless `from_seq` says where to begin: then it is waited
        for, as one that is lost later is. Nothing is waited for that time does not mend, such as a
        wrong token. The watch goes on where it was: it may give the changes of its last `seq` twice.
        After a `resync`, ask anew for what you keep.
        """
        return iter(self._feed(user_ids, from_seq))

    def ping(self, timeout: Optional[float] = None) -> None:
        """Returns when the daemon answers."""
        return self._read("ping", {}, timeout, lambda _: None)

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

        With `release_on_disconnect` at most until the connection that carried it ends: with `close`,
        or when it is lost.
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
        """Takes a grant back; for the admin socket. It has no key: a lost connection leaves it in doubt."""
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
        timeout: Optional[float] = None, min_seq: Optional[int] = None
    ) -> types.SignOfferResult:
        """Signs a promotional offer in both of Apple's forms."""
        params = whole(userId=user_id, productId=product_id, offerId=offer_id) | given(
            appAccountToken=app_account_token, applicationUsername=application_username,
            transactionId=transaction_id, bundleId=bundle_id, minSeq=min_seq)
        return self.read("signOffer", params, timeout=timeout)

    def sign_introductory_offer(
        self, user_id: str, product_id: str, allow_introductory_offer: bool = True,
        transaction_id: Optional[str] = None, bundle_id: Optional[str] = None,
        timeout: Optional[float] = None, min_seq: Optional[int] = None
    ) -> types.SignIntroductoryOfferResult:
        """Signs whether a customer gets an introductory offer."""
        params = whole(userId=user_id, productId=product_id,
                        allowIntroductoryOffer=allow_introductory_offer)
        params |= given(transactionId=transaction_id, bundleId=bundle_id, minSeq=min_seq)
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
        """Puts off a renewal; for support. In doubt it is not sent again: look first."""
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
        self, user_id: str, cursor: Optional[str] = None, timeout: Optional[float] = None,
        min_seq: Optional[int] = None
    ) -> types.ExportUserResult:
        """A page of everything that is kept about a person; for the admin socket."""
        params = whole(userId=user_id) | given(cursor=cursor, minSeq=min_seq)
        return self.read("exportUser", params, timeout)

    def dump(
        self, table: Optional[str] = None, prefix: Optional[str] = None,
        cursor: Optional[str] = None, limit: Optional[int] = None,
        timeout: Optional[float] = None, min_seq: Optional[int] = None
    ) -> types.DumpResult:
        """A page of rows; for the admin socket."""
        params = given(table=table, prefix=prefix, cursor=cursor, limit=limit, minSeq=min_seq)
        return self.read("dump", params, timeout)

    def get(
        self, table: str, key: Any, timeout: Optional[float] = None, min_seq: Optional[int] = None
    ) -> Any:
        """The value of one row, whose key is text or {"base64": …}; for the admin socket."""
        params = {**whole(table=table), "key": key, **given(minSeq=min_seq)}
        return self._read("get", params, timeout, itemgetter("value"))

    def load(self, entries: Sequence[Dict[str, Any]], timeout: Optional[float] = None) -> int:
        """Puts dumped rows into an empty store, and tells how many; for the admin socket."""
        return self._write("load", {"entries": list(entries)}, timeout, itemgetter("loaded"))

    def backup(self, path: str, timeout: Optional[float] = None) -> types.BackupResult:
        """Copies the store to a new directory; for the admin socket."""
        return self.write("backup", whole(path=path), timeout=timeout)

    def stats(
        self, timeout: Optional[float] = None, min_seq: Optional[int] = None
    ) -> types.StatsResult:
        """What the daemon did and does; for support."""
        return self.read("stats", given(minSeq=min_seq), timeout)

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

    def outboxes(
        self, timeout: Optional[float] = None, min_seq: Optional[int] = None
    ) -> List[types.GetOutboxesOutbox]:
        """How far each outbox is; for support."""
        return self._read("getOutboxes", given(minSeq=min_seq), timeout, itemgetter("outboxes"))

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
        return self._read(method, params, timeout)

    def write(
        self, method: str, params: Dict[str, Any], repeatable: Optional[bool] = None,
        timeout: Optional[float] = None
    ) -> Any:
        """Calls a method that changes something; `repeatable` when it is safe to send twice.

        It is with an idempotencyKey, and for the methods of this client that need none.
        """
        return self._write(method, params, timeout, repeatable=repeatable)

    def _keyed(self, method, params, key, timeout):
        params = params | whole(idempotencyKey=str(uuid.uuid4()) if key is None else key)
        return self._write(method, params, timeout)

    def _read(self, method, params, timeout, then=lambda result: result):
        seconds = self._seconds(method, params, timeout, False)
        return self._call(method, params, True, seconds, then)

    def _write(self, method, params, timeout, then=lambda result: result, repeatable=None):
        if repeatable is None:
            repeatable = "idempotencyKey" in params or method in REPEATABLE_METHODS
        seconds = self._seconds(method, params, timeout, True)
        return self._call(method, params, repeatable, seconds, then)

    def _seconds(self, method, params, asked, is_write):
        return usual_seconds(method, params, is_write, self._timeouts) if asked is None else asked

    def _call(self, method, params, repeatable, seconds, then):
        """What `then` makes of the answer. The asyncio client has its own way to wait for it."""
        return then(self._answer(method, params, repeatable, time.monotonic() + seconds))

    def _answer(self, method, params, repeatable, deadline):
        """What the daemon answers, by the deadline; an error names the key of the call."""
        try:
            return self._asked(method, params, repeatable, deadline)
        except EntitldError as error:
            error.idempotency_key = params.get("idempotencyKey")
            raise

    def _asked(self, method, params, repeatable, deadline):
        """Asks until the deadline, as long as the daemon has not carried it out, or may again."""
        request = encoded(method, params, self._frame_bytes_max)
        lines = self._store_lines if method in STORE_METHODS else self._lines
        has_hold = bool(params.get("releaseOnDisconnect"))
        doubt, pause = None, 0.0
        while True:
            try:
                return lines.ask(request, deadline, has_hold)
            except UnknownOutcome as error:
                is_stopping = error.name == "unknown_outcome" and error.data["retryable"]
                is_lost = error.name == "connection_lost" or is_stopping
                if not repeatable or not is_lost:
                    raise
                doubt = failure = error
            except Unavailable as error:
                if error.name in ("permission_denied", "timed_out") or not error.retryable:
                    raise doubt or error
                failure = error
            except EntitldError as error:
                if doubt is not None and error.code in BLIND_CODES:
                    raise still_in_doubt(error) from error
                # Nothing of this send was carried out; what is in doubt is repeatable.
                if error.code not in (NOT_READY, SHUTTING_DOWN):
                    raise
                failure = error
            # Half of it is random, so that a crowd does not come back together.
            rest = failure.data.get("retryAfterMs", pause * random.uniform(500, 1_000)) / 1_000
            if deadline - time.monotonic() <= rest:
                raise doubt or failure
            time.sleep(rest)
            pause = min(max(pause * 2, 0.001), PAUSE_SECONDS_MAX)

    def _feed(self, user_ids, from_seq):
        return Feed(self._lines, user_ids, from_seq, self._timeouts[1])


# Every client of this process, so that a child leaves their connections to it at once: one that it
# kept open would hide from the daemon that the parent has ended.
_clients: "weakref.WeakSet[Client]" = weakref.WeakSet()


def _leave_to_parent() -> None:
    for client in list(_clients):
        client._forked()


os.register_at_fork(after_in_child=_leave_to_parent)
