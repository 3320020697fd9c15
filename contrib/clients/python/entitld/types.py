"""Made by contrib/clients/generate.py from proto/openrpc.json.

Dictionaries, as the daemon answers them; words are `str`: a newer daemon may add to them.
"""

from typing import Any, Optional, TypedDict


class RenderAnswer(TypedDict):
    canRender: bool
    # What lets the user in; null where nothing does. free: the plan free names the feature.
    via: Optional[str]
    state: str
    # Why not, the first that matches; null where canRender is true. not_in_plan: there is access, by
    # a plan that does not name the feature. unknown_product: something is paid for that no plan
    # names. sandbox_not_admitted: apple.sandboxAccess does not let this user in.
    reason: Optional[str]
    nextChangeAt: Optional[str]
    seq: int


class FeatureAnswer(TypedDict):
    allowed: bool
    # What lets the user in; null where nothing does. free: the plan free names the feature.
    via: Optional[str]
    state: str
    # Why not, the first that matches; null where canRender is true. not_in_plan: there is access, by
    # a plan that does not name the feature. unknown_product: something is paid for that no plan
    # names. sandbox_not_admitted: apple.sandboxAccess does not let this user in.
    reason: Optional[str]
    nextChangeAt: Optional[str]
    seq: int


class Status(TypedDict):
    userId: str
    state: str
    canRender: bool
    # Access by subscription, grace or grant, trials included.
    isSubscriber: bool
    # Whether the user ever owned a subscription.
    hadSubscription: bool
    creditsRemaining: int
    plan: Optional[str]
    tier: str
    # Those of the plan, as the catalog has them; null is no limit.
    limits: dict[str, Any]
    # What gives access now: app_store_subscription, google_play, stripe, grant, or the store that a
    # grant names; null where nothing does.
    subscriptionMethod: Optional[str]
    expiresAt: Optional[str]
    nextChangeAt: Optional[str]
    # What to offer: none with access by subscription, grace or grant, and to somebody who pays for a
    # product that no plan names.
    paywall: str
    # Two subscriptions of one environment renew: the user pays twice. The daemon cancels neither.
    duplicateSubscriptions: bool
    subscription: Optional["Subscription"]
    seq: int


class Subscription(TypedDict):
    status: str
    productId: str
    # From the next renewal on, if it changes.
    pendingProductId: Optional[str]
    store: str
    environment: str
    originalTransactionId: str
    transactionId: Optional[str]
    purchasedAt: Optional[str]
    expiresAt: Optional[str]
    gracePeriodExpiresAt: Optional[str]
    autoRenew: Optional[bool]
    isTrial: bool
    cancelledAt: Optional[str]
    revokedAt: Optional[str]
    # A renewal is due and the store has not been heard.
    stale: bool


class OwnedSubscription(TypedDict):
    status: str
    productId: str
    # From the next renewal on, if it changes.
    pendingProductId: Optional[str]
    store: str
    environment: str
    originalTransactionId: str
    transactionId: Optional[str]
    purchasedAt: Optional[str]
    expiresAt: Optional[str]
    gracePeriodExpiresAt: Optional[str]
    autoRenew: Optional[bool]
    isTrial: bool
    cancelledAt: Optional[str]
    revokedAt: Optional[str]
    # A renewal is due and the store has not been heard.
    stale: bool
    # The group of subscriptions of which a customer has one at a time.
    group: Optional[str]
    # PURCHASED or FAMILY_SHARED, as the store writes it.
    ownership: Optional[str]
    offer: Optional["OwnedSubscriptionOffer"]
    # In thousandths of the currency.
    price: Optional[int]
    currency: Optional[str]
    # The country, in letters of ISO 3166.
    storefront: Optional[str]
    # BILLED_UPFRONT or MONTHLY, as the store writes it.
    billingPlan: Optional[str]
    # The end of the payments to which the customer is bound.
    commitmentExpiresAt: Optional[str]
    givesAccess: bool


class OwnedSubscriptionOffer(TypedDict):
    # 1 introductory, 2 promotional, 3 offer code, 4 win-back.
    type: Optional[int]
    id: Optional[str]
    # FREE_TRIAL, PAY_AS_YOU_GO, PAY_UP_FRONT or ONE_TIME.
    discount: Optional[str]
    # A duration of ISO 8601.
    period: Optional[str]


class _Entitlement(TypedDict):
    isActive: bool


class Entitlement(_Entitlement, total=False):
    productId: str
    expiresAt: str
    originalTransactionId: str
    environment: str


class Row(TypedDict):
    table: str
    key: Any
    # The decoded value.
    value: Any


class Space(TypedDict):
    bytes: int
    freeBytes: int
    # What is taken in a day, less what is given back; null in the first hour.
    bytesPerDay: Optional[int]
    # How many days the rest lasts at that rate; null where nothing is taken, or in the first hour.
    daysLeft: Optional[int]


class GetEntitlementResult(TypedDict):
    """What getEntitlement answers."""
    entitlement: "Entitlement"


class GetSubscriptionsResult(TypedDict):
    """What getSubscriptions answers."""
    subscriptions: list["OwnedSubscription"]


class GetCreditsResult(TypedDict):
    """What getCredits answers."""
    # Spendable now, holds taken out.
    balance: int
    # Set aside by reservations.
    held: int
    # In the order of spending: soonest end first.
    buckets: list["GetCreditsBucket"]


class GetCreditsBucket(TypedDict):
    amount: int
    expiresAt: Optional[str]
    # `free`, `pack:PRODUCT`, `period:PRODUCT`, or what an admin said.
    source: str


class GetManagementURLResult(TypedDict):
    """What getManagementURL answers."""
    url: Optional[str]


class _GetHistoryResult(TypedDict):
    # What changed, when, why, and what was true before and after.
    events: list["GetHistoryEvent"]


class GetHistoryResult(_GetHistoryResult, total=False):
    """What getHistory answers."""
    # Where the journal was pruned before this moment, and the user was known then: what changed up to
    # it is not told any more.
    oldest: str


class GetHistoryEvent(TypedDict):
    seq: int
    at: str
    cause: str
    before: "Status"
    after: "Status"
    # Who had it done; null where a store, time or the daemon did.
    by: Optional["GetHistoryEventBy"]
    # What was done: the members that apply.
    detail: "GetHistoryEventDetail"


class _GetHistoryEventBy(TypedDict):
    role: str


class GetHistoryEventBy(_GetHistoryEventBy, total=False):
    # The user of the system, as the kernel says.
    uid: int
    # The name of the caller's token.
    token: str


class GetHistoryEventDetail(TypedDict, total=False):
    """What was done: the members that apply."""
    store: str
    # The store's word for what happened.
    type: str
    subtype: str
    productId: str
    transactionId: str
    # In thousandths of the currency.
    price: int
    currency: str
    # How many credits.
    amount: int
    plan: str
    grant: str
    reason: str
    source: str


class ExplainResult(TypedDict):
    """What explain answers."""
    at: str
    # The rule that decided.
    rule: str
    # The same, as a sentence.
    because: str
    # Counts the catalogs installed.
    catalogVersion: int
    # The purchases, with everything that the store said of them.
    facts: list[dict[str, Any]]
    grants: list[dict[str, Any]]
    # `balance`, `held`, `owed`, and `buckets`, those of paid periods to come included.
    credits: dict[str, Any]
    status: "Status"
    seq: int


class RegisterAccountResult(TypedDict):
    """What registerAccount answers."""
    appAccountToken: str
    # Whether this call began the account.
    created: bool
    creditsRemaining: int
    # For `setObfuscatedAccountId` of Google Play: SHA-256 of the namespace, a colon and the user id.
    obfuscatedAccountId: str


class VerifyPurchaseResult(TypedDict):
    """What verifyPurchase answers."""
    entitlement: "Entitlement"
    status: "Status"
    # Whether a document was newer than what is kept.
    applied: bool


class RestorePurchasesResult(TypedDict):
    """What restorePurchases answers."""
    entitlement: "Entitlement"
    status: "Status"
    # One for each subscription, in order of appearance.
    results: list["RestorePurchasesResultItem"]


class RestorePurchasesResultItem(TypedDict):
    originalTransactionId: str
    outcome: str


class VerifyReceiptResult(TypedDict):
    """What verifyReceipt answers."""
    # Whether the purchase gives access now.
    isValid: bool
    expiresAt: Optional[str]
    tier: str
    # One sentence for people.
    message: str
    status: "Status"


class SignOfferResult(TypedDict):
    """What signOffer answers."""
    # The app that it is signed for.
    bundleId: str
    # The key: keyID of StoreKit.
    keyId: str
    # The nonce: a UUID in small letters.
    nonce: str
    # The moment in milliseconds since 1970, as StoreKit takes it.
    timestamp: int
    # What was signed as the customer: the token, the user name, or nothing.
    applicationUsername: str
    # The older form: a signature in base64.
    signature: str
    # The newer form: a compact JWS.
    jws: str


class SignIntroductoryOfferResult(TypedDict):
    """What signIntroductoryOffer answers."""
    # The app that it is signed for.
    bundleId: str
    # The transaction that it names.
    transactionId: str
    # A compact JWS.
    jws: str


class ConsumeCreditResult(TypedDict):
    """What consumeCredit answers."""
    # unlimited: the user's plan renders without counting; nothing was charged or stored.
    outcome: str
    # What can be spent now.
    creditsRemaining: int
    # Whether this is the stored first answer to the same key.
    replayed: bool
    seq: int


class ReserveCreditsResult(TypedDict):
    """What reserveCredits answers."""
    # released: it was reserved under this key, and returned when its connection ended.
    outcome: str
    # The reservation's name; null where nothing is held.
    reservation: Optional[str]
    # What can be spent now.
    creditsRemaining: int
    # Whether this is the stored first answer to the same key.
    replayed: bool


class CommitReservationResult(TypedDict):
    """What commitReservation answers."""
    # A second commit gets the first answer.
    outcome: str
    # What can be spent now.
    creditsRemaining: int


class ReleaseReservationResult(TypedDict):
    """What releaseReservation answers."""
    outcome: str
    # What can be spent now.
    creditsRemaining: int


class ReverseCreditsResult(TypedDict):
    """What reverseCredits answers."""
    # nothing: nothing was charged, or it was put back before.
    outcome: str
    # What can be spent now.
    creditsRemaining: int
    # Whether this is the stored first answer to the same key.
    replayed: bool


class MergeAccountsResult(TypedDict):
    """What mergeAccounts answers."""
    status: "Status"
    # Whether it was done before.
    replayed: bool
    seq: int


class GrantEntitlementResult(TypedDict):
    """What grantEntitlement answers."""
    # The grant's name, for revokeGrant.
    grant: str
    status: "Status"
    # Whether this is the stored first answer to the same key.
    replayed: bool
    seq: int


class RevokeGrantResult(TypedDict):
    """What revokeGrant answers."""
    status: "Status"
    seq: int


class MovePurchaseResult(TypedDict):
    """What movePurchase answers."""
    status: "Status"
    seq: int


class FindResult(TypedDict):
    """What find answers."""
    matches: list["FindMatch"]


class FindMatch(TypedDict):
    # Whose it is; null for nobody yet.
    userId: Optional[str]
    # What was found.
    what: str
    store: Optional[str]
    originalTransactionId: Optional[str]


class GrantCreditsResult(TypedDict):
    """What grantCredits answers."""
    # What can be spent now.
    creditsRemaining: int
    # Whether this is the stored first answer to the same key.
    replayed: bool
    seq: int


class AdjustCreditsResult(TypedDict):
    """What adjustCredits answers."""
    # What can be spent now.
    creditsRemaining: int
    # Whether this is the stored first answer to the same key.
    replayed: bool
    seq: int


class _SendConsumptionResult(TypedDict):
    # Whether the store has taken it.
    success: bool


class SendConsumptionResult(_SendConsumptionResult, total=False):
    """What sendConsumption answers."""
    # Apple's number of the error, where it has not.
    errorCode: int
    # Apple's words for it.
    errorMessage: str


class _ExtendRenewalResult(TypedDict):
    # Whether the store has taken it.
    success: bool


class ExtendRenewalResult(_ExtendRenewalResult, total=False):
    """What extendRenewal answers."""
    # The subscription.
    originalTransactionId: str
    # The period.
    webOrderLineItemId: Optional[str]
    effectiveDate: Optional[str]
    # What Apple calls this request.
    requestIdentifier: str
    # Apple's number of the error, where it has not.
    errorCode: int
    # Apple's words for it.
    errorMessage: str


class DumpResult(TypedDict):
    """What dump answers."""
    seq: int
    entries: list["Row"]
    # For the next page; null after the last row.
    cursor: Optional[str]


class GetResult(TypedDict):
    """What get answers."""
    # The decoded value.
    value: Any


class LoadResult(TypedDict):
    """What load answers."""
    # How many rows are now as they were to be.
    loaded: int


class PreviewCatalogResult(TypedDict):
    """What previewCatalog answers."""
    # How many accounts were looked at.
    looked: int
    changes: list["PreviewCatalogChange"]
    # Where the next page begins; null at the end.
    cursor: Optional[str]


class PreviewCatalogChange(TypedDict):
    userId: str
    # The members of the status that would be others, as they are.
    before: dict[str, Any]
    # The same, as they would be.
    after: dict[str, Any]


class EraseUserResult(TypedDict):
    """What eraseUser answers."""
    # Whether there was somebody to forget.
    erased: bool
    seq: int


class _ExportUserResult(TypedDict):
    userId: str
    # As dump writes it; null, and nothing else, for a user of whom nothing is kept.
    account: Optional[dict[str, Any]]


class ExportUserResult(_ExportUserResult, total=False):
    """What exportUser answers."""
    seq: int
    # Where the journal was pruned before this moment: earlier events are not kept.
    oldest: str
    # Their tokens.
    tokens: list[Any]
    # With their facts, as dump writes them.
    subscriptions: list[Any]
    # First answers under their keys.
    settlements: list[Any]
    # Credits that were held.
    reservations: list[Any]
    # Credit packs.
    packs: list[Any]
    # The journal's entries about them, oldest first.
    events: list[Any]
    # For the next page; null after the last.
    cursor: Optional[str]


class BackupResult(TypedDict):
    """What backup answers."""
    path: str
    # The bytes of its files.
    bytes: int
    # SHA-256 of data.mdb, then the journal's segments in their order, then base/data.mdb where there
    # is one.
    digest: str
    seq: int


class SetLogLevelResult(TypedDict):
    """What setLogLevel answers."""
    level: str


class StatsResult(TypedDict):
    """What stats answers."""
    version: str
    seq: int
    uptimeSeconds: int
    catalogVersion: int
    plans: list[str]
    commands: int
    groups: int
    queueDepth: int
    storageFull: bool
    clockJumps: int
    journal: "StatsJournal"
    views: "StatsViews"
    # The space that is left: of the views' map, and of the disk.
    space: "StatsSpace"


class StatsJournal(TypedDict):
    bytes: int
    # The newest position that was pruned; 0 while everything is there.
    prunedSeq: int
    # From when on everything is known; null while everything is there.
    oldest: Optional[str]


class StatsViews(TypedDict):
    mapBytes: int
    usedBytes: int
    readers: int


class StatsSpace(TypedDict, total=False):
    """The space that is left: of the views' map, and of the disk."""
    map: "Space"
    disk: "Space"


class ReconcileResult(TypedDict, total=False):
    """What reconcile answers."""
    # With a user: whether something was newer than what was kept.
    applied: bool
    status: "Status"
    # Without a user: true; progress is in stats.
    running: bool


class TestNotificationResult(TypedDict):
    """What testNotification answers."""
    # Whether it arrived here.
    delivered: bool
    # What Apple says of the attempt; null for Google.
    sendAttemptResult: Optional[str]


class PingResult(TypedDict):
    """What ping answers."""
    pass


class VersionResult(TypedDict):
    """What version answers."""
    # The daemon's version.
    entitld: str
    # The major version of the protocol: of frames, methods and words.
    protocol: str
    # The version of what is on disk.
    format: int


class GetOutboxesResult(TypedDict):
    """What getOutboxes answers."""
    outboxes: list["GetOutboxesOutbox"]


class GetOutboxesOutbox(TypedDict):
    name: str
    url: str
    # down while nothing goes through.
    state: str
    through: int
    # Positions of the journal that it has still to read.
    behind: int
    # Changes that it has read and that are not delivered.
    waiting: int
    # Of those, the ones held back by settleSeconds.
    held: int
    # Changes that were given up after three days.
    parked: int
    # Whether it tells states, where the journal does not say what changed.
    retelling: bool
    deliveredAt: Optional[str]
    failedAt: Optional[str]
    # Why the last post that failed did.
    failure: Optional[str]
    # The oldest 20 that have failed and are tried again.
    failing: list["GetOutboxesOutboxFailing"]
    # The newest 20 that were given up.
    parkedChanges: list["GetOutboxesOutboxParkedChange"]


class GetOutboxesOutboxFailing(TypedDict):
    # The webhook-id.
    id: str
    userId: str
    seq: int
    failures: int
    failure: Optional[str]
    nextAttemptAt: Optional[str]


class GetOutboxesOutboxParkedChange(TypedDict):
    id: str
    seq: int
    parkedAt: Optional[str]
    failure: str


class RetryOutboxResult(TypedDict):
    """What retryOutbox answers."""
    # How many parked changes are told again.
    retried: int


class SkipOutboxResult(TypedDict):
    """What skipOutbox answers."""
    pass


class TestOutboxResult(TypedDict):
    """What testOutbox answers."""
    # Whether it answered 2xx.
    delivered: bool
    # Why not.
    failure: Optional[str]
