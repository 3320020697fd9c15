/// What can be asked of a store's server: questions as values, and what its replies mean.
///
/// Each store fulfils it in its room. There is no socket here and no clock: Reconciler sends the
/// requests, within the budgets, again where that helps, and hands over replies and times. A
/// question that a store does not know is nil, and so are most of them unless the store says
/// otherwise.
package protocol StoreQuestions: Sendable {
    /// Which store.
    var store: Store { get }

    /// The apps that callers may name, the default one first.
    var apps: [String] { get }

    /// What has a budget, a circuit and marks of its own, in the order in which it is asked about
    /// something that any of them may know.
    var scopes: [StoreScope] { get }

    /// Those of `scopes` that may know what is kept under `key`.
    func scopes(of key: SubscriptionKey) -> [StoreScope]

    /// How many requests go to a scope, in 1,000 s; every budget that its questions name is there.
    func budgets(of scope: StoreScope) -> [StoreBudget: Int64]

    /// What its requests are authorised with at `now`.
    func access(to scope: StoreScope, at now: Moment) -> StoreAccess

    /// What a reply means whose status no question reads.
    func failure(of reply: StoreReply, at now: Moment) -> StoreAPIFailure

    /// What holds now of a purchase; `kept` is what is known of it.
    func state(
        of key: SubscriptionKey,
        kept: Subscription?,
        in scope: StoreScope
    ) -> StoreQuestion<StoreStatement>?

    /// Everything that was of a purchase, page by page, where `state` tells the last of it only.
    func history(of key: SubscriptionKey, in scope: StoreScope) -> StoreQuestion<StoreStatement>?

    /// How far back `missed` reaches; nil where nothing can be walked through.
    func reach(of scope: StoreScope) -> StoreReach?

    /// What happened in `window`, page by page; with `onlyFailures`, what could not be delivered.
    func missed(
        in window: Range<Moment>,
        onlyFailures: Bool,
        of scope: StoreScope
    ) -> StoreQuestion<StoreStatement>?

    /// The purchase that a caller or a notification names.
    func purchase(_ hint: PurchaseHint, in scope: StoreScope) -> StoreQuestion<PurchaseAnswer>?

    /// What the purchase that a hint names may be kept under, for a store that forgets purchases:
    /// of one that it does not know any more, `state` says what that means for what is kept.
    func keys(of hint: PurchaseHint) -> [SubscriptionKey]

    /// Whether its notifications say only that something changed, so that some may wait for what it
    /// answers.
    var announces: Bool { get }

    /// Whether the store waits to hear of purchases, so that it is worth looking for them.
    var hearsOfPurchases: Bool { get }

    /// What the store wants to hear once a purchase is on disk, has an owner and is named by a plan
    /// or a pack; nil where it wants to hear nothing, or has. `packs` are the ids of those of its
    /// transactions that are packs.
    func acknowledgement(
        of purchase: Subscription,
        packs: Set<String>,
        in scope: StoreScope
    ) -> StoreQuestion<StoreStatement>?

    /// A page on which the customer manages a purchase, made for this occasion; nil where there is
    /// none, or one for all of them.
    ///
    /// - Parameters:
    ///   - key: the purchase.
    ///   - returnURL: where the page leads back to; nil for what the store is configured with.
    ///   - nonce: another one for each page.
    /// - Returns: the question; its answer is the page's address.
    func managementPage(
        of key: SubscriptionKey,
        returnURL: String?,
        nonce: Token
    ) -> StoreQuestion<String>?

    /// What the room itself has to know to judge, and lacks at `now`, such as keys of the store's;
    /// it keeps what the reply says.
    func upkeep(at now: Moment) -> StoreQuestion<Void>?

    /// Asks for a test notification.
    func testNotification(in scope: StoreScope) -> StoreQuestion<PendingTest>?

    /// Tells the store about the use of a purchase.
    func consumption(_ report: ConsumptionReport, in scope: StoreScope) -> StoreQuestion<Void>?

    /// Puts off the renewal of a subscription.
    func extend(_ wish: ExtensionWish, in scope: StoreScope) -> StoreQuestion<RenewalExtension>?

    /// Signs a promotional offer, in both forms; nil where the store wants none signed.
    func signed(_ wish: OfferWish, nonce: Token, at now: Moment) -> SignedOffer?

    /// Signs who gets an introductory offer: a JWS.
    func signed(_ wish: EligibilityWish, nonce: Token, at now: Moment) -> String?
}

extension StoreQuestions {
    package var apps: [String] { [] }

    package func scopes(of key: SubscriptionKey) -> [StoreScope] {
        key.store == store ? scopes.filter { $0.environment == key.environment } : []
    }

    /// The scopes of the app that a caller names; all of them where none is named.
    package func scopes(ofApp app: String?) -> [StoreScope] {
        guard let app else { return scopes }
        let other = app == apps.first ? nil : app
        return scopes.filter { $0.bundleID == other }
    }

    package func history(
        of key: SubscriptionKey,
        in scope: StoreScope
    ) -> StoreQuestion<StoreStatement>? { nil }

    package func reach(of scope: StoreScope) -> StoreReach? { nil }

    package func missed(
        in window: Range<Moment>,
        onlyFailures: Bool,
        of scope: StoreScope
    ) -> StoreQuestion<StoreStatement>? { nil }

    package func purchase(
        _ hint: PurchaseHint,
        in scope: StoreScope
    ) -> StoreQuestion<PurchaseAnswer>? { nil }

    package func keys(of hint: PurchaseHint) -> [SubscriptionKey] { [] }

    package var announces: Bool { false }

    package var hearsOfPurchases: Bool { false }

    package func acknowledgement(
        of purchase: Subscription,
        packs: Set<String>,
        in scope: StoreScope
    ) -> StoreQuestion<StoreStatement>? { nil }

    package func managementPage(
        of key: SubscriptionKey,
        returnURL: String?,
        nonce: Token
    ) -> StoreQuestion<String>? { nil }

    package func upkeep(at now: Moment) -> StoreQuestion<Void>? { nil }

    package func testNotification(in scope: StoreScope) -> StoreQuestion<PendingTest>? { nil }

    package func consumption(
        _ report: ConsumptionReport,
        in scope: StoreScope
    ) -> StoreQuestion<Void>? { nil }

    package func extend(
        _ wish: ExtensionWish,
        in scope: StoreScope
    ) -> StoreQuestion<RenewalExtension>? { nil }

    package func signed(_ wish: OfferWish, nonce: Token, at now: Moment) -> SignedOffer? { nil }

    package func signed(_ wish: EligibilityWish, nonce: Token, at now: Moment) -> String? { nil }
}

/// What a store's requests are authorised with.
package enum StoreAccess: Sendable {
    /// The value of the field `Authorization`.
    case authorization(String)
    /// It has to be asked for; whoever asks keeps it until it ends.
    case exchange(StoreQuestion<StoreCredential>)
}

/// An authorization that counts for a while.
package struct StoreCredential: Hashable, Sendable {
    /// The value of the field `Authorization`.
    package let authorization: String
    /// From when on another one is asked for; some time before it ends.
    package let renewal: Moment

    /// A credential.
    package init(authorization: String, renewal: Moment) {
        self.authorization = authorization
        self.renewal = renewal
    }
}

/// How far back what was missed can be walked through.
package struct StoreReach: Hashable, Sendable {
    /// How far back the store's history reaches, in ms.
    package let milliseconds: Int64
    /// How far before the last completed walk the next one begins, in ms: as long as the store
    /// repeats what it could not deliver.
    package let overlapMilliseconds: Int64
    /// What stays away from the history's end, which moves while a walk is under way, in ms.
    package let marginMilliseconds: Int64

    /// A reach; all in ms.
    package init(milliseconds: Int64, overlapMilliseconds: Int64, marginMilliseconds: Int64) {
        self.milliseconds = milliseconds
        self.overlapMilliseconds = overlapMilliseconds
        self.marginMilliseconds = marginMilliseconds
    }
}

/// A test notification that was asked for.
package struct PendingTest: Sendable {
    /// What became of it; nil where the store does not know yet.
    package let result: StoreQuestion<TestNotificationResult?>

    /// A test of which `result` tells.
    package init(result: StoreQuestion<TestNotificationResult?>) { self.result = result }
}

/// How a test notification fared.
package struct TestNotificationResult: Hashable, Sendable {
    /// Whether the store got a 2xx for it.
    package let delivered: Bool
    /// The store's word for its last attempt; nil where there was none in time.
    package let sendAttemptResult: String?

    /// A result.
    package init(delivered: Bool, sendAttemptResult: String?) {
        self.delivered = delivered
        self.sendAttemptResult = sendAttemptResult
    }
}
