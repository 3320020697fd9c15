import Entitlements
import JSON
import Synchronization

@testable import Methods

/// A store and its server in one: it answers what a test tells it, and announces what a test sends.
final class AskedShop: Storefront, StoreClient {
    /// What it is asked, and what it answers.
    struct Books {
        /// Nothing else is known to it.
        var purchases: [PurchaseHint: [Fact]] = [:]
        /// Why it answers nothing; nil while it answers.
        var failure: StoreAPIFailure?
        var asked: [PurchaseHint] = []
        /// For which purchases pages were made.
        var pages: [SubscriptionKey] = []
    }

    let profile: StoreProfile
    let books = Mutex(Books())
    private let page: String?

    init(
        _ store: Store,
        hints: Set<PurchaseHint.Kind>,
        platform: String,
        page: String? = nil,
        makesPages: Bool = false
    ) {
        var profile = StoreProfile(
            store,
            section: store.name,
            webhook: StoreWebhook(paths: [], challenge: "", bodyBytesMax: 1_000),
            managementURL: page
        )
        profile.hints = hints
        profile.platform = platform
        profile.takesAccountIDs = store == .googlePlay
        if makesPages { profile.errands = [.managementPages] }
        self.profile = profile
        self.page = page
    }

    var asked: [PurchaseHint] { books.withLock { $0.asked } }
    var pages: [SubscriptionKey] { books.withLock { $0.pages } }
    var store: Store { profile.store }
    var apps: [String] { [] }

    func managementURL(ofProduct product: String?) -> String? {
        page.map { $0 + (product.map { "?sku=\($0)" } ?? "") }
    }

    /// A body is an object with one member, the purchase token that it announces; blanks around it
    /// make it another message.
    func verdict(on delivery: StoreDelivery, at now: Moment) -> NotificationVerdict {
        let value = try? JSONValue.parse(delivery.body)
        guard let token = value?["token"]?.string else { return .malformed }
        let hash = delivery.body.reduce(UInt64(14_695_981_039_346_656_037)) {
            ($0 ^ UInt64($1)) &* 1_099_511_628_211
        }
        let notification = Notification(
            id: NotificationID(digest: Digest256(hash, 0, 0, 1)),
            type: "PUSH",
            subtype: "",
            document: Digest256(hash, 0, 0, 2),
            facts: []
        )
        return .announced(notification, .purchaseToken(token))
    }

    func purchase(
        _ hint: PurchaseHint,
        within milliseconds: Int64
    ) async throws(StoreAPIFailure) -> PurchaseAnswer {
        let (failure, known) = books.withLock { books in
            books.asked.append(hint)
            return (books.failure, books.purchases[hint])
        }
        if let failure { throw failure }
        guard let known else { throw StoreAPIFailure(.unknown, "no such purchase") }
        return .stated(known)
    }

    func managementPage(
        of key: SubscriptionKey,
        nonce: Token
    ) async throws(StoreAPIFailure) -> String? {
        let failure = books.withLock { books in
            books.pages.append(key)
            return books.failure
        }
        if let failure { throw failure }
        return "https://portal.example.com/\(key.originalID)"
    }

    func upkeep() async throws(StoreAPIFailure) {}
    func reconcile(_ keys: [SubscriptionKey]) async throws(StoreAPIFailure) -> Bool { false }
    func startRound() -> Bool { true }
    func testNotification(
        timeoutSeconds: Int
    ) async throws(StoreAPIFailure) -> TestNotificationResult {
        throw StoreAPIFailure(.refused, "none")
    }
    func signed(_ wish: OfferWish, nonce: Token, at now: Moment) -> SignedOffer? { nil }
    func signed(_ wish: EligibilityWish, nonce: Token, at now: Moment) -> String? { nil }
    func send(_ report: ConsumptionReport) async throws(StoreAPIFailure) {}
    func extend(_ wish: ExtensionWish) async throws(StoreAPIFailure) -> RenewalExtension {
        throw StoreAPIFailure(.refused, "none")
    }
    func stats(kept: Int?) -> JSONObject { [:] }
}

extension AskedShop {
    static func play() -> AskedShop {
        AskedShop(
            .googlePlay,
            hints: [.purchaseToken],
            platform: "android",
            page: "https://play.example.com"
        )
    }

    static func stripe() -> AskedShop {
        AskedShop(
            .stripe,
            hints: [.checkoutSession, .subscription],
            platform: "web",
            makesPages: true
        )
    }

    /// Knows `facts` under `hint` from now on.
    func know(_ hint: PurchaseHint, _ facts: [Fact]) {
        books.withLock { $0.purchases[hint] = facts }
    }

    /// Answers nothing but this; again as ever with nil.
    func fail(_ kind: StoreAPIFailure.Kind?) {
        books.withLock { $0.failure = kind.map { StoreAPIFailure($0, "away") } }
    }
}

/// A purchase as its store states it.
struct StatedPurchase {
    var store = Store.googlePlay
    var environment = StoreEnvironment.production
    var originalID = "token-1"
    var order = "GPA.1-2"
    var product = "monthly"
    var status = StatusCode.active
    var word = "ACTIVE"
    /// When the store said so.
    var stated: Int64 = AskedService.start
    var begins: Int64 = AskedService.start
    var ends: Int64? = AskedService.start + 30 * AskedService.day
    var kind = TransactionFact.renewingKind
    var renews: Bool? = true
    var token: Token?
    var user: String?
    /// The purchase whose place it took.
    var former: String?

    var key: SubscriptionKey {
        SubscriptionKey(store: store, environment: environment, originalID: originalID)
    }

    var fact: Fact {
        let version = Version(signed: Moment(stated), digest: Digest256(0, 0, 0, 0))
        var one = TransactionFact(
            id: order,
            version: version,
            productID: product,
            purchased: Moment(begins)
        )
        one.expires = ends.map { Moment($0) }
        one.kind = kind
        one.reason = "PURCHASE"
        one.token = token
        one.terms.previousOriginalID = former
        var renewal: RenewalFact?
        if let renews {
            var said = RenewalFact(version: version)
            said.autoRenew = renews
            renewal = said
        }
        return Fact(
            snapshotOf: key,
            status: StatusFact(version: version, status, word: word),
            transactions: [one],
            renewal: renewal,
            user: user.flatMap { UserID($0) }.map { UserFact(user: $0, version: version) }
        )
    }
}
