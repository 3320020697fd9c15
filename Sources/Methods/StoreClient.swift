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

/// Why the store did not answer what was asked.
package enum StoreClientFailure: Error, Sendable {
    /// No configured environment knows it.
    case unknown
    /// The store refuses, and asking again is of no use; its own words.
    case refused(String)
    /// The store says no to just this, under its own number and in its own words.
    case declined(code: Int64, words: String)
    /// Nobody knows whether the store has done it.
    case uncertain(String)
    /// It cannot be reached, or wants to be left alone for so long.
    case unreachable(retryAfterMilliseconds: Int64)
}

extension RPCFailure {
    /// What a failure of the store's API is called on the wire.
    init(_ failure: StoreClientFailure) {
        switch failure {
        case .unknown: self.init(.notFound, "The store knows no such transaction.")
        case .refused(let words): self.init(.internalError, "The store refused: \(words).")
        case .declined(let code, let words):
            self.init(
                .internalError,
                "The store refused: \(code): \(words)",
                extra: [("storeCode", .integer(code))]
            )
        case .uncertain(let words):
            self.init(
                .internalError,
                "The store did not say whether it was done; look before you ask again: \(words)."
            )
        case .unreachable(let milliseconds):
            self = .overloaded("The store cannot be reached.", retryAfterMs: milliseconds)
        }
    }

    /// The configuration names no access to the store's API.
    static let noStoreClient = RPCFailure(
        .invalidParams,
        "This needs the store's API; apple.api is not configured."
    )
}
