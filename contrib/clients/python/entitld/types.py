"""Made by contrib/clients/generate.py from proto/openrpc.json.

Dictionaries, as the daemon answers them; words are `str`: a newer daemon may add to them.
"""

from typing import Any, Optional, TypedDict


class RenderAnswer(TypedDict):
    """Whether a user may render."""
    # Whether the user may render.
    canRender: bool
    # What lets the user in; null where nothing does. free: the plan free names the feature.
    via: Optional[str]
    # What an account is, in one word, the first that matches: trial also when cancelled during the
    # trial; subscribed is any other access by subscription, grace or grant.
    state: str
    # Why not, the first that matches; null where canRender is true. not_in_plan: there is access, by
    # a plan that does not name the feature. unknown_product: something is paid for that no plan
    # names. sandbox_not_admitted: apple.sandboxAccess does not let this user in.
    reason: Optional[str]
    # The first moment at which the answer changes if nothing more is heard.
    nextChangeAt: Optional[str]
    # The journal position that the answer reflects.
    seq: int


class FeatureAnswer(TypedDict):
    """Whether a user may use a feature."""
    # Whether the user may use it.
    allowed: bool
    # What lets the user in; null where nothing does. free: the plan free names the feature.
    via: Optional[str]
    # What an account is, in one word, the first that matches: trial also when cancelled during the
    # trial; subscribed is any other access by subscription, grace or grant.
    state: str
    # Why not, the first that matches; null where allowed is true. not_in_plan: there is access, by a
    # plan that does not name the feature. unknown_product: something is paid for that no plan names.
    # sandbox_not_admitted: apple.sandboxAccess does not let this user in.
    reason: Optional[str]
    # The first moment at which the answer changes if nothing more is heard.
    nextChangeAt: Optional[str]
    # The journal position that the answer reflects.
    seq: int


class Status(TypedDict):
    """All that is said about a user at once."""
    # The user.
    userId: str
    # What an account is, in one word, the first that matches: trial also when cancelled during the
    # trial; subscribed is any other access by subscription, grace or grant.
    state: str
    # Whether the user may render once.
    canRender: bool
    # Access by subscription, grace or grant, trials included.
    isSubscriber: bool
    # Whether the user ever owned a subscription.
    hadSubscription: bool
    # The credits that can be spent now.
    creditsRemaining: int
    # The plan that holds; null without an account.
    plan: Optional[str]
    # The tier of the plan.
    tier: str
    # The limits of the plan, as the catalog has them; `null` is no limit.
    limits: dict[str, Any]
    # What gives access now: app_store_subscription, google_play, stripe, grant, or the store that a
    # grant names; null where nothing does.
    subscriptionMethod: Optional[str]
    # The end of what is paid, or of the grant.
    expiresAt: Optional[str]
    # The first moment at which the answer changes if nothing more is heard.
    nextChangeAt: Optional[str]
    # Which paywall to show: none with access by subscription, grace or grant, and to somebody who
    # pays for a product that no plan names.
    paywall: str
    # Whether two subscriptions of one environment renew: the user pays twice. The daemon cancels
    # neither.
    duplicateSubscriptions: bool
    # The subscription shown, if there is one.
    subscription: Optional["Subscription"]
    # The journal position that the answer reflects.
    seq: int


class Subscription(TypedDict):
    """One subscription."""
    # What a subscription is, in one word.
    status: str
    # The product of the current transaction.
    productId: str
    # The product from the next renewal on, if it changes.
    pendingProductId: Optional[str]
    # The store that sold it.
    store: str
    # Production or Sandbox.
    environment: str
    # The store's name for the subscription.
    originalTransactionId: str
    # The store's name for the current transaction.
    transactionId: Optional[str]
    # When the current transaction was made.
    purchasedAt: Optional[str]
    # The end of what is paid.
    expiresAt: Optional[str]
    # The end of the grace period, if there is one.
    gracePeriodExpiresAt: Optional[str]
    # Whether it renews; null if the store has not said.
    autoRenew: Optional[bool]
    # Whether the current period is a free trial.
    isTrial: bool
    # When the renewal was turned off.
    cancelledAt: Optional[str]
    # When the store took it back.
    revokedAt: Optional[str]
    # Whether a renewal is due and the store has not been heard.
    stale: bool


class OwnedSubscription(TypedDict):
    """One of all subscriptions of a user, with what its current period was bought for."""
    # What a subscription is, in one word.
    status: str
    # The product of the current transaction.
    productId: str
    # The product from the next renewal on, if it changes.
    pendingProductId: Optional[str]
    # The store that sold it.
    store: str
    # Production or Sandbox.
    environment: str
    # The store's name for the subscription.
    originalTransactionId: str
    # The store's name for the current transaction.
    transactionId: Optional[str]
    # When the current transaction was made.
    purchasedAt: Optional[str]
    # The end of what is paid.
    expiresAt: Optional[str]
    # The end of the grace period, if there is one.
    gracePeriodExpiresAt: Optional[str]
    # Whether it renews; null if the store has not said.
    autoRenew: Optional[bool]
    # Whether the current period is a free trial.
    isTrial: bool
    # When the renewal was turned off.
    cancelledAt: Optional[str]
    # When the store took it back.
    revokedAt: Optional[str]
    # Whether a renewal is due and the store has not been heard.
    stale: bool
    # The group of subscriptions of which a customer has one at a time.
    group: Optional[str]
    # PURCHASED or FAMILY_SHARED, as the store writes it.
    ownership: Optional[str]
    # The offer, if there was one.
    offer: Optional["OwnedSubscriptionOffer"]
    # The price, in thousandths of the currency.
    price: Optional[int]
    # The currency, in letters of ISO 4217.
    currency: Optional[str]
    # The country of the storefront, in letters of ISO 3166.
    storefront: Optional[str]
    # BILLED_UPFRONT or MONTHLY, as the store writes it.
    billingPlan: Optional[str]
    # The end of the payments to which the customer is bound.
    commitmentExpiresAt: Optional[str]
    # Whether it gives access now.
    givesAccess: bool


class OwnedSubscriptionOffer(TypedDict):
    """An offer under which a period was bought."""
    # 1 introductory, 2 promotional, 3 offer code, 4 win-back.
    type: Optional[int]
    # Which one, as you named it.
    id: Optional[str]
    # What it does to the price: FREE_TRIAL, PAY_AS_YOU_GO, PAY_UP_FRONT or ONE_TIME.
    discount: Optional[str]
    # How long it lasts: a duration of ISO 8601.
    period: Optional[str]


class _Entitlement(TypedDict):
    # Whether the user has access.
    isActive: bool


class Entitlement(_Entitlement, total=False):
    """Whether a user has access by a purchase or a grant."""
    # The product that gives it.
    productId: str
    # Its end.
    expiresAt: str
    # The store's name for the subscription.
    originalTransactionId: str
    # Production or Sandbox.
    environment: str


class Row(TypedDict):
    """A row of the daemon's tables, as dump writes it and load takes it."""
    # Its table.
    table: str
    # Its key in that table: text, or base64 where it is not UTF-8.
    key: Any
    # The decoded value.
    value: Any


class Space(TypedDict):
    """What is left of the map, or of the disk."""
    # The whole.
    bytes: int
    # What is free.
    freeBytes: int
    # What is taken in a day, less what is given back; null in the first hour.
    bytesPerDay: Optional[int]
    # How many days the rest lasts at that rate; null where nothing is taken, or in the first hour.
    daysLeft: Optional[int]


class _EntitlementChange(TypedDict):
    # Its position in the journal; to go on after it, watch from here.
    seq: int
    # The user.
    userId: str
    # Why a status changed.
    cause: str
    # The account after it.
    status: "Status"


class EntitlementChange(_EntitlementChange, total=False):
    """A change of one user's status, as a watch is told of it."""
    # True where it stands for older changes of the same user too, because too many waited; absent
    # elsewhere.
    coalesced: bool


class _StoreEvent(TypedDict):
    # Its position in the journal; to go on after it, watch from here.
    seq: int
    # Whose purchase it is.
    userId: str
    # The store, for example `app_store`.
    store: str
    # The store's word for what happened, for example `CONSUMPTION_REQUEST`.
    type: str
    # What was bought.
    productId: str
    # The store's name for the transaction.
    transactionId: str
    # The store's name for the purchase, over all its transactions.
    originalTransactionId: str
    # Production or Sandbox.
    environment: str
    # When the transaction's period began.
    purchasedAt: str


class StoreEvent(_StoreEvent, total=False):
    """What a store said of a user's purchase and what changed no status: a price that will rise, a
    question about consumption, a refund that was declined. It goes to watchers of the owner.
    """
    # The store's word for how; absent for none.
    subtype: str
    # When it ends; absent for what does not end.
    expiresAt: str
    # When it was refunded or withdrawn.
    revokedAt: str
    # The price, in thousandths of the currency.
    price: int
    # The currency, in the letters of ISO 4217.
    currency: str
    # The offer that it was bought with.
    offerId: str
    # True where it stands for older ones of the same user too, because too many waited; absent
    # elsewhere.
    coalesced: bool


class CatalogChange(TypedDict):
    """Another catalog holds, which may change the status of anybody."""
    # Its position in the journal; to go on after it, watch from here.
    seq: int
    # Counts the catalogs.
    version: int


class Heartbeat(TypedDict):
    """The daemon is there, and everything up to this position was told."""
    # The position.
    seq: int


class Resync(TypedDict):
    """Changes were missed that the daemon no longer keeps in order: ask for the statuses that matter."""
    # What comes after this position is told.
    oldest: int


class StoreWalk(TypedDict):
    """A walk through the notifications that a store says it sent."""
    # Whether it asks for failed deliveries alone.
    onlyFailures: bool
    # Until when.
    until: str
    # The pages that came.
    pages: int
    # The notifications in them.
    documents: int
    # How many had something newer.
    applied: int
    # How many do not verify.
    refused: int


class StoreWalks(TypedDict):
    """The walks of one app in one environment, and what was asked of the store there."""
    # The one under way.
    walk: Optional["StoreWalk"]
    # When the last completed walk over everything began.
    completedAt: Optional[str]
    # When the last completed walk over failed deliveries began.
    failuresCompletedAt: Optional[str]
    # How many were completed.
    completed: int
    # How many were not.
    incomplete: int
    # Why the last one was not; null if it was.
    detail: Optional[str]
    # The requests since the start.
    requests: int
    # How many of them failed.
    failures: int
    # How many the store refused because there were too many.
    limited: int
    # Whether requests are sent: `closed` says yes, `open` says no for a while after failures,
    # `probing` waits for the one that is tried.
    circuit: str


class StoreSweep(TypedDict):
    """A sweep: every subscription of which something is due is asked about."""
    # Whether it is under way.
    isRunning: bool
    # When it began.
    startedAt: str
    # The subscriptions looked at.
    looked: int
    # How many were asked about.
    asked: int
    # How many had something newer.
    applied: int
    # How many the store does not know.
    unknown: int
    # How many answers do not verify.
    refused: int


class StoreProgress(TypedDict):
    """How one store is asked."""
    # Whether a store is being asked at this moment.
    running: bool
    # What is being done.
    phase: str
    # The notifications of the walk, or the subscriptions of the sweep, so far.
    done: int
    # All subscriptions that are kept; null where nobody knows.
    total: Optional[int]
    # The walks, by app and environment.
    environments: dict[str, "StoreWalks"]
    # The sweep under way, or the last one.
    sweep: Optional["StoreSweep"]
    # Why the sweep is interrupted; null if it is not.
    sweepDetail: Optional[str]
    # When the last sweep was completed.
    sweptAt: Optional[str]
    # Subscriptions that were asked about because no message about them came.
    silentAsked: int
    # Documents of the store with something newer.
    applied: int
    # Documents of the store that do not verify.
    refused: int
    # Renewals that were due and did not come since the store was last heard; counted up to 20.
    renewalsMissed: int
    # Whether the store is unexpectedly silent.
    storeIsSilent: bool


class _Reconciling(TypedDict):
    # Whether a store is being asked at this moment.
    running: bool


class Reconciling(_Reconciling, total=False):
    """How the stores are asked: where one store has an API, the members of StoreProgress; where
    several have, `running` and `stores`.
    """
    # What is being done.
    phase: str
    # The notifications of the walk, or the subscriptions of the sweep, so far.
    done: int
    # All subscriptions that are kept; null where nobody knows.
    total: Optional[int]
    # The walks, by app and environment.
    environments: dict[str, "StoreWalks"]
    # The sweep under way, or the last one.
    sweep: Optional["StoreSweep"]
    # Why the sweep is interrupted; null if it is not.
    sweepDetail: Optional[str]
    # When the last sweep was completed.
    sweptAt: Optional[str]
    # Subscriptions that were asked about because no message about them came.
    silentAsked: int
    # Documents of the store with something newer.
    applied: int
    # Documents of the store that do not verify.
    refused: int
    # Renewals that were due and did not come since the store was last heard; counted up to 20.
    renewalsMissed: int
    # Whether the store is unexpectedly silent.
    storeIsSilent: bool
    # Where several stores have an API: how each is asked, by its name.
    stores: dict[str, "StoreProgress"]


class GetEntitlementResult(TypedDict):
    """What getEntitlement answers."""
    # Whether a user has access by a purchase or a grant.
    entitlement: "Entitlement"


class GetSubscriptionsResult(TypedDict):
    """What getSubscriptions answers."""
    subscriptions: list["OwnedSubscription"]


class GetCreditsResult(TypedDict):
    """A user's credits."""
    # What can be spent now, holds taken out.
    balance: int
    # What reservations set aside.
    held: int
    # Where the credits come from, in the order of spending: soonest end first.
    buckets: list["GetCreditsBucket"]


class GetCreditsBucket(TypedDict):
    """Credits of one origin."""
    # How many.
    amount: int
    # When they end; null for never.
    expiresAt: Optional[str]
    # Where they come from: `free`, `pack:PRODUCT`, `period:PRODUCT`, `trial:PRODUCT`, or what an
    # admin said.
    source: str


class GetManagementURLResult(TypedDict):
    """What getManagementURL answers."""
    url: Optional[str]


class _GetHistoryResult(TypedDict):
    # The changes, oldest first; none after the last one.
    events: list["GetHistoryEvent"]


class GetHistoryResult(_GetHistoryResult, total=False):
    """A page of what changed for a user."""
    # Where the journal was pruned before this moment, and the user was known then: what changed up to
    # it is not told any more.
    oldest: str


class GetHistoryEvent(TypedDict):
    """What changed for a user, when, why, and what was true before and after."""
    # Its place in the journal.
    seq: int
    # When it changed.
    at: str
    # Why a status changed.
    cause: str
    # The account before it.
    before: "Status"
    # The account after it.
    after: "Status"
    # Who had it done; null where a store, time or the daemon did.
    by: Optional["GetHistoryEventBy"]
    # What was done: the members that apply.
    detail: "GetHistoryEventDetail"


class _GetHistoryEventBy(TypedDict):
    # The role in which they called: `reader`, `app`, `support` or `admin`.
    role: str


class GetHistoryEventBy(_GetHistoryEventBy, total=False):
    """Who had it done."""
    # The user of the system, as the kernel says; absent for a caller over HTTPS.
    uid: int
    # The name of the caller's token; absent for a caller at a socket.
    token: str


class GetHistoryEventDetail(TypedDict, total=False):
    """What was done: the members that apply."""
    # The store.
    store: str
    # The store's word for what happened.
    type: str
    # The store's word for how.
    subtype: str
    # What was bought.
    productId: str
    # The store's name for the transaction.
    transactionId: str
    # The price, in thousandths of the currency.
    price: int
    # The currency, in letters of ISO 4217.
    currency: str
    # How many credits.
    amount: int
    # The plan that was given.
    plan: str
    # The name of the grant.
    grant: str
    # Why an admin did it.
    reason: str
    # Where credits come from.
    source: str


class ExplainResult(TypedDict):
    """Why a status is what it is."""
    # The moment that it holds for.
    at: str
    # The rule that decided, in one word.
    rule: str
    # The same, as a sentence.
    because: str
    # Counts the catalogs installed.
    catalogVersion: int
    # The purchases, with everything that the store said of them.
    facts: list[dict[str, Any]]
    # The grants that were used.
    grants: list[dict[str, Any]]
    # `balance`, `held`, `owed`, and `buckets`, those of paid periods to come included.
    credits: dict[str, Any]
    # The account at that moment.
    status: "Status"
    # The journal position that the answer reflects.
    seq: int


class RegisterAccountResult(TypedDict):
    """What registering an account came to."""
    # The token to hand to the store with every purchase.
    appAccountToken: str
    # Whether this call began the account.
    created: bool
    # The credits that can be spent now.
    creditsRemaining: int
    # For `setObfuscatedAccountId` of Google Play: SHA-256 of the namespace, a colon and the user id.
    obfuscatedAccountId: str


class VerifyPurchaseResult(TypedDict):
    """What a purchase came to."""
    # The access after it.
    entitlement: "Entitlement"
    # The account after it.
    status: "Status"
    # Whether a document was newer than what is kept.
    applied: bool


class RestorePurchasesResult(TypedDict):
    """What restoring purchases came to."""
    # The access after it.
    entitlement: "Entitlement"
    # The account after it.
    status: "Status"
    # One for each subscription, in order of appearance.
    results: list["RestorePurchasesResultItem"]


class RestorePurchasesResultItem(TypedDict):
    """One subscription."""
    # The store's name for it.
    originalTransactionId: str
    # What became of the subscription.
    outcome: str


class VerifyReceiptResult(TypedDict):
    """What an app receipt came to."""
    # Whether the purchase gives access now.
    isValid: bool
    # Its end.
    expiresAt: Optional[str]
    # The tier of the plan that the purchase gives; free where it gives none. That of the user is in
    # `status`.
    tier: str
    # One sentence for people.
    message: str
    # The account after it.
    status: "Status"


class SignOfferResult(TypedDict):
    """What StoreKit takes with a promotional offer, in both of Apple's forms."""
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
    """What StoreKit takes to know whether a customer gets an introductory offer."""
    # The app that it is signed for.
    bundleId: str
    # The transaction that it names.
    transactionId: str
    # A compact JWS.
    jws: str


class ConsumeCreditResult(TypedDict):
    """What a charge, or putting one back, came to."""
    # What became of the credits. unlimited: the user's plan renders without counting; nothing was
    # charged or stored.
    outcome: str
    # What can be spent now.
    creditsRemaining: int
    # Whether this is the stored first answer to the same key.
    replayed: bool
    # Its place in the journal.
    seq: int


class ReserveCreditsResult(TypedDict):
    """What setting credits aside came to."""
    # What became of the credits. released: it was reserved under this key, and returned when its
    # connection ended.
    outcome: str
    # The reservation's name, for commitReservation and releaseReservation; null where nothing is
    # held.
    reservation: Optional[str]
    # What can be spent now.
    creditsRemaining: int
    # Whether this is the stored first answer to the same key.
    replayed: bool


class CommitReservationResult(TypedDict):
    """How a reservation ended."""
    # How the reservation ended, whichever came first. A second commit gets the first answer.
    outcome: str
    # What can be spent now.
    creditsRemaining: int


class ReleaseReservationResult(TypedDict):
    """How a reservation ended."""
    # How the reservation ended, whichever came first.
    outcome: str
    # What can be spent now.
    creditsRemaining: int


class ReverseCreditsResult(TypedDict):
    """What a charge, or putting one back, came to."""
    # What became of the charge. nothing: nothing was charged, or it was put back before.
    outcome: str
    # What can be spent now.
    creditsRemaining: int
    # Whether this is the stored first answer to the same key.
    replayed: bool


class MergeAccountsResult(TypedDict):
    """An account that went into another."""
    # The account that has everything now.
    status: "Status"
    # Whether it was done before.
    replayed: bool
    # Its place in the journal.
    seq: int


class GrantEntitlementResult(TypedDict):
    """A grant that was made."""
    # The grant's name, for revokeGrant.
    grant: str
    # The account after it.
    status: "Status"
    # Whether this is the stored first answer to the same key.
    replayed: bool
    # Its place in the journal.
    seq: int


class RevokeGrantResult(TypedDict):
    """A grant that was taken back."""
    # The account after it.
    status: "Status"
    # Its place in the journal.
    seq: int


class MovePurchaseResult(TypedDict):
    """A purchase that was moved to another user."""
    # The account that has it now.
    status: "Status"
    # Its place in the journal.
    seq: int


class FindResult(TypedDict):
    """What find answers."""
    matches: list["FindMatch"]


class FindMatch(TypedDict):
    """Something that is called as support has asked."""
    # Whose it is; null for nobody yet.
    userId: Optional[str]
    # What it is: `user`, `token`, `purchase` or `transaction`.
    what: str
    # The store that sold it; null for what is no purchase.
    store: Optional[str]
    # What the store calls the purchase.
    originalTransactionId: Optional[str]


class GrantCreditsResult(TypedDict):
    """Credits that were given or corrected."""
    # What can be spent now.
    creditsRemaining: int
    # Whether this is the stored first answer to the same key.
    replayed: bool
    # Its place in the journal.
    seq: int


class AdjustCreditsResult(TypedDict):
    """Credits that were given or corrected."""
    # What can be spent now.
    creditsRemaining: int
    # Whether this is the stored first answer to the same key.
    replayed: bool
    # Its place in the journal.
    seq: int


class _SendConsumptionResult(TypedDict):
    # Whether the store has taken it.
    success: bool


class SendConsumptionResult(_SendConsumptionResult, total=False):
    """What Apple says of a request that the daemon passed on."""
    # Apple's number of the error, where it has not.
    errorCode: int
    # Apple's words for it.
    errorMessage: str


class _ExtendRenewalResult(TypedDict):
    # Whether the store has taken it.
    success: bool


class ExtendRenewalResult(_ExtendRenewalResult, total=False):
    """What Apple says of a request that the daemon passed on."""
    # The store's name for the subscription.
    originalTransactionId: str
    # What Apple calls the period that is prolonged.
    webOrderLineItemId: Optional[str]
    # Until when the subscription is prolonged.
    effectiveDate: Optional[str]
    # What Apple calls this request.
    requestIdentifier: str
    # Apple's number of the error, where it has not.
    errorCode: int
    # Apple's words for it.
    errorMessage: str


class DumpResult(TypedDict):
    """A page of rows."""
    # The journal position that the answer reflects.
    seq: int
    # The rows.
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
    """A page of who would win or lose what under another catalog."""
    # How many accounts were looked at.
    looked: int
    # Those whose status would be another.
    changes: list["PreviewCatalogChange"]
    # Where the next page begins; null at the end.
    cursor: Optional[str]


class PreviewCatalogChange(TypedDict):
    """A user whose status would be another."""
    # The user.
    userId: str
    # The members of the status that would be others, as they are.
    before: dict[str, Any]
    # The same, as they would be.
    after: dict[str, Any]


class EraseUserResult(TypedDict):
    """What erasing a user came to."""
    # Whether there was somebody to forget.
    erased: bool
    # Its place in the journal.
    seq: int


class _ExportUserResult(TypedDict):
    # The user.
    userId: str
    # As dump writes it; null, and nothing else, for a user of whom nothing is kept.
    account: Optional[dict[str, Any]]


class ExportUserResult(_ExportUserResult, total=False):
    """Everything that is kept about a person."""
    # The journal position that the answer reflects.
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
    """A backup that the daemon made."""
    # Where it is, on the daemon's host.
    path: str
    # The bytes of its files.
    bytes: int
    # SHA-256 of data.mdb, then the journal's segments in their order, then base/data.mdb where there
    # is one, in hexadecimal digits; `entitld verify` makes the same.
    digest: str
    # The journal position that it holds.
    seq: int


class SetLogLevelResult(TypedDict):
    """What setLogLevel answers."""
    level: str


class _StatsResult(TypedDict):
    # The daemon's version.
    version: str
    # The journal position that the answer reflects.
    seq: int
    # For how long it has run.
    uptimeSeconds: int
    # Counts the catalogs.
    catalogVersion: int
    # The plans of the catalog in force.
    plans: list[str]
    # The commands decided since the start.
    commands: int
    # The groups in which they were written to disk.
    groups: int
    # The commands that wait.
    queueDepth: int
    # Whether writes are refused because the disk is full.
    storageFull: bool
    # How often the clock jumped by more than a minute.
    clockJumps: int
    # The journal.
    journal: "StatsJournal"
    # The tables.
    views: "StatsViews"
    # The space that is left: `map`, of the views' map, and `disk`.
    space: "StatsSpace"


class StatsResult(_StatsResult, total=False):
    """How the daemon is; the set grows."""
    # How the stores are asked; absent where none has an API.
    reconcile: "Reconciling"


class StatsJournal(TypedDict):
    """The journal."""
    # Its size in bytes.
    bytes: int
    # The newest position that was pruned; 0 while everything is there.
    prunedSeq: int
    # From when on everything is known; null while everything is there.
    oldest: Optional[str]


class StatsViews(TypedDict):
    """The tables."""
    # The size of the map.
    mapBytes: int
    # How much of it is used.
    usedBytes: int
    # How many read at the moment.
    readers: int


class StatsSpace(TypedDict, total=False):
    """The space that is left: `map`, of the views' map, and `disk`."""
    # What is left of the map, or of the disk.
    map: "Space"
    # What is left of the map, or of the disk.
    disk: "Space"


class ReconcileResult(TypedDict, total=False):
    """What asking the stores came to."""
    # With a user: whether something was newer than what was kept.
    applied: bool
    # With a user: the account after it.
    status: "Status"
    # Without a user: true; progress is in stats.
    running: bool


class TestNotificationResult(TypedDict):
    """What became of a test notification."""
    # Whether it arrived at the daemon.
    delivered: bool
    # What Apple says of the attempt; null for Google.
    sendAttemptResult: Optional[str]


class PingResult(TypedDict):
    """What ping answers."""
    pass


class VersionResult(TypedDict):
    """Which daemon answers."""
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
    """How far an outbox is."""
    # What the configuration calls it.
    name: str
    # The system that is told.
    url: str
    # `delivering`, or `down` while nothing goes through.
    state: str
    # The journal position up to which it has read.
    through: int
    # Positions of the journal that it has still to read.
    behind: int
    # Changes that it has read and that are not delivered.
    waiting: int
    # Of those, the ones held back by settleSeconds.
    held: int
    # Changes that were given up, mostly after three days.
    parked: int
    # Whether it tells states, where the journal does not say what changed.
    retelling: bool
    # When a post last went through.
    deliveredAt: Optional[str]
    # When a post last failed.
    failedAt: Optional[str]
    # Why the last post that failed did.
    failure: Optional[str]
    # The oldest 20 that have failed and are tried again.
    failing: list["GetOutboxesOutboxFailing"]
    # The newest 20 that were given up.
    parkedChanges: list["GetOutboxesOutboxParkedChange"]


class GetOutboxesOutboxFailing(TypedDict):
    """A change that failed and is tried again."""
    # Its `webhook-id`.
    id: str
    # Whose it is.
    userId: str
    # Its position in the journal.
    seq: int
    # How often it failed.
    failures: int
    # Why, at the last attempt.
    failure: Optional[str]
    # When it is tried again.
    nextAttemptAt: Optional[str]


class GetOutboxesOutboxParkedChange(TypedDict):
    """A change that was given up."""
    # Its `webhook-id`.
    id: str
    # What it says: a change, a state, or that a person was erased.
    kind: str
    # Its position in the journal.
    seq: int
    # When it was given up.
    parkedAt: Optional[str]
    # Why it was given up.
    failure: str


class RetryOutboxResult(TypedDict):
    """What retryOutbox answers."""
    # How many parked changes are told again.
    retried: int
    # How many of those asked for stay parked: they cannot be told again, or not be read now.
    stillParked: int


class SkipOutboxResult(TypedDict):
    """What skipOutbox answers."""
    pass


class TestOutboxResult(TypedDict):
    """Whether a system takes a test message."""
    # Whether it answered 2xx.
    delivered: bool
    # Why not.
    failure: Optional[str]
