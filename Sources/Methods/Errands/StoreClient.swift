import Entitlements
import JSON

/// The server of one store, as far as methods ask it; the reconciler fulfils it.
package protocol StoreClient: Sendable {
    /// Which store.
    var store: Store { get }

    /// The names of the configured apps, the default one first.
    var apps: [String] { get }

    /// What the store says of the purchase that `hint` leads to, from the first configured
    /// environment that knows it.
    ///
    /// A document is not verified: it is judged like one that a caller shows.
    func purchase(
        _ hint: PurchaseHint,
        within milliseconds: Int64
    ) async throws(StoreAPIFailure) -> PurchaseAnswer

    /// Asks for what the store's room lacks to judge notifications by, if it lacks anything.
    func upkeep() async throws(StoreAPIFailure)

    /// Asks about these subscriptions and takes in what it vouches for.
    ///
    /// - Parameter keys: which ones; those of other stores are left out.
    /// - Returns: whether anything was newer than what was kept.
    /// - Throws: what the store said, or that it cannot be reached.
    func reconcile(_ keys: [SubscriptionKey]) async throws(StoreAPIFailure) -> Bool

    /// A page on which the customer manages a purchase, made for this occasion; nil where the store
    /// makes none.
    func managementPage(
        of key: SubscriptionKey,
        nonce: Token
    ) async throws(StoreAPIFailure) -> String?

    /// Begins a walk through everything now; answers false where one is under way.
    func startRound() -> Bool

    /// Asks the store to send a test notification, and waits for what becomes of it.
    func testNotification(
        timeoutSeconds: Int
    ) async throws(StoreAPIFailure) -> TestNotificationResult

    /// Signs a promotional offer, in both forms.
    func signed(_ wish: OfferWish, nonce: Token, at now: Moment) -> SignedOffer?

    /// Signs who gets an introductory offer: a JWS.
    func signed(_ wish: EligibilityWish, nonce: Token, at now: Moment) -> String?

    /// Tells the store about the use of a purchase.
    func send(_ report: ConsumptionReport) async throws(StoreAPIFailure)

    /// Puts off the renewal of a subscription.
    func extend(_ wish: ExtensionWish) async throws(StoreAPIFailure) -> RenewalExtension

    /// What it did and does, for `stats`; of `kept` subscriptions, where that is known.
    func stats(kept: Int?) -> JSONObject
}

extension StoreClient {
    /// Most stores have one page for everybody.
    package func managementPage(
        of key: SubscriptionKey,
        nonce: Token
    ) async throws(StoreAPIFailure) -> String? { nil }
}
