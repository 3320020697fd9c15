import Entitlements
import JSON
import Wire

/// The store's own API, as far as methods ask it; the reconciler fulfils it.
package protocol StoreClient: Sendable {
    /// The signed transaction `id`, from the first configured environment that knows it.
    ///
    /// Nothing is verified: it is judged like one that a caller shows.
    func transaction(id: String) async throws(StoreClientFailure) -> [UInt8]

    /// Asks about these subscriptions and takes in what verifies.
    ///
    /// - Parameter keys: which ones; those of other stores are left out.
    /// - Returns: whether anything was newer than what was kept.
    /// - Throws: what the store said, or that it cannot be reached.
    func reconcile(_ keys: [SubscriptionKey]) async throws(StoreClientFailure) -> Bool

    /// Begins a walk through everything now; one that runs goes on.
    func startRound()

    /// Asks the store to send a test notification, and waits for what becomes of it.
    func testNotification(
        timeoutSeconds: Int
    ) async throws(StoreClientFailure) -> (delivered: Bool, sendAttemptResult: String?)

    /// The bundle ids of the configured apps, of which there is one; the default one first.
    var bundleIDs: [String] { get }

    /// Signs a promotional offer, in both forms.
    func signed(_ wish: OfferWish, nonce: Token, at now: Moment) -> SignedOffer

    /// Signs who gets an introductory offer: a JWS.
    func signed(_ wish: EligibilityWish, nonce: Token, at now: Moment) -> String

    /// Tells the store about the use of a purchase.
    func send(_ report: ConsumptionReport) async throws(StoreClientFailure)

    /// Puts off the renewal of a subscription.
    func extend(_ wish: ExtensionWish) async throws(StoreClientFailure) -> RenewalExtension

    /// What it did and does, for `stats`.
    var progress: JSONObject { get }
}
