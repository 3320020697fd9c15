/// A store: it turns bytes from outside into facts, or refuses them.
///
/// It also knows what only this store says of itself: where it sends, what it is answered, where
/// customers go, and how to tell a caller what is wrong. What its server can be asked is
/// `StoreQuestions`.
///
/// The only door through which facts enter: what it has not called genuine goes no further.
package protocol Storefront: Sendable {
    /// What is known of the store, configured or not.
    var profile: StoreProfile { get }

    /// Whether apps are configured; without any nothing is genuine, and what the store sends should
    /// come again.
    var hasApps: Bool { get }

    /// What it has judged so far.
    var figures: VerdictFigures { get }

    /// Judges what may be a notification, received at `now`.
    func verdict(on delivery: StoreDelivery, at now: Moment) -> NotificationVerdict

    /// The page on which a customer manages a purchase of `product`, or all of them where none is
    /// named; nil where there is no page for everybody.
    func managementURL(ofProduct product: String?) -> String?

    /// What the store is told of what became of a notification.
    func reply(to outcome: NotificationOutcome) -> WebhookReply

    /// Judges a purchase document that an app server shows at `now`, with the renewal document
    /// beside it if there is one.
    func verdict(
        onPurchase document: [UInt8],
        renewal: [UInt8]?,
        at now: Moment
    ) -> PurchaseVerdict

    /// Judges an app receipt, as the base64 text that an app server shows at `now`.
    func verdict(onReceipt text: [UInt8], at now: Moment) -> ReceiptVerdict

    /// Judges an app transaction that an app server shows at `now`.
    func verdict(onAppTransaction document: [UInt8], at now: Moment) -> AppTransactionVerdict

    /// What a caller is told of a fault in such a document, where the store has words of its own.
    func sentence(on fault: DocumentFault, in document: ShownDocument) -> String?

    /// The same of a fault in a receipt.
    func sentence(on fault: ReceiptFault) -> String?
}

extension Storefront {
    /// Which store.
    package var store: Store { profile.store }

    /// Most stores have one page for everything.
    package func managementURL(ofProduct product: String?) -> String? { profile.managementURL }

    /// Where the store sends its notifications.
    package var webhook: StoreWebhook { profile.webhook }

    package var hasApps: Bool { true }

    package var figures: VerdictFigures { VerdictFigures() }

    package func reply(to outcome: NotificationOutcome) -> WebhookReply { WebhookReply(outcome) }

    /// A store that signs no documents takes none.
    package func verdict(
        onPurchase document: [UInt8],
        renewal: [UInt8]?,
        at now: Moment
    ) -> PurchaseVerdict {
        .refused(.wrongDocument, detail: "this store signs no documents")
    }

    /// A store without receipts takes none.
    package func verdict(onReceipt text: [UInt8], at now: Moment) -> ReceiptVerdict {
        .refused(.malformed, detail: "this store has no receipts")
    }

    /// A store without app transactions takes none.
    package func verdict(
        onAppTransaction document: [UInt8],
        at now: Moment
    ) -> AppTransactionVerdict {
        .refused(.malformed, detail: "this store has no app transactions")
    }

    package func sentence(on fault: DocumentFault, in document: ShownDocument) -> String? { nil }

    package func sentence(on fault: ReceiptFault) -> String? { nil }
}

/// What a caller shows that a store has signed.
package enum ShownDocument: Hashable, Sendable {
    case purchase
    case receipt
    case appTransaction
}

/// What a storefront says of what may be a notification.
package enum NotificationVerdict: Sendable {
    /// Genuine.
    case genuine(Notification)
    /// Genuine, and says only that something changed: the store is asked what, under the hint, and
    /// the notification is kept with what it answers.
    case announced(Notification, PurchaseHint)
    /// Genuine, but of an environment that is not configured.
    case foreign(type: String)
    /// Genuine, and of a shape that is not known here: nothing is made of it, and the document is
    /// kept for a look.
    case unreadable(type: String, detail: String, document: [UInt8])
    /// No notification at all.
    case malformed
    /// Not to be believed; the detail is for the log.
    case refused(DocumentFault, detail: String)
    /// It cannot be judged before `StoreQuestions.upkeep`, or not at all now: it should come again.
    case undecided(detail: String)
}

/// What a storefront says of a purchase document.
package enum PurchaseVerdict: Sendable {
    /// Genuine; the transaction is present in the fact.
    case genuine(Fact)
    /// Not to be believed; the detail is for the log.
    case refused(DocumentFault, detail: String)
}

/// What a storefront says of an app transaction.
package enum AppTransactionVerdict: Sendable {
    /// Genuine, and of one of these apps.
    case genuine(AppTransaction)
    /// Not to be believed; the detail is for the log.
    case refused(DocumentFault, detail: String)
}

/// What a storefront says of an app receipt.
package enum ReceiptVerdict: Sendable {
    /// Genuine, and of this app.
    case genuine(VerifiedReceipt)
    /// Not to be believed; the detail is for the log.
    case refused(ReceiptFault, detail: String)
}

/// Why a receipt goes no further; the raw value is `data.reason` in proto/errors.json.
package enum ReceiptFault: String, Error, Hashable, Sendable, CaseIterable {
    /// Not a receipt at all.
    case malformed
    /// The signature does not hold.
    case signature
    /// The certificates do not lead to a trusted root.
    case chain
    /// Another app's.
    case bundle
    /// An environment that does not exist here.
    case environment
    /// Made more than five minutes in the future.
    case futureDate = "future_date"
    /// Base64 of base64.
    case doubleBase64 = "double_base64"
    /// A signed document of StoreKit 2 in the place of a receipt.
    case jwsNotReceipt = "jws_not_receipt"
    /// Made by Xcode, which signs with a key that everybody has.
    case xcode
}

/// What a genuine receipt states: which app, where, and what was bought in it until when it was
/// made.
package struct VerifiedReceipt: Hashable, Sendable {
    /// The app's bundle id.
    package let bundleID: String
    /// Where its purchases were made.
    package let environment: StoreEnvironment
    /// When the store made it; the signing time of all its facts.
    package let created: Moment
    /// SHA-256 of what was signed.
    package let digest: Digest256
    /// One for each purchase in it, in its order; several may be of one subscription.
    package let facts: [Fact]

    /// The receipt that states this.
    package init(
        bundleID: String,
        environment: StoreEnvironment,
        created: Moment,
        digest: Digest256,
        facts: [Fact]
    ) {
        self.bundleID = bundleID
        self.environment = environment
        self.created = created
        self.digest = digest
        self.facts = facts
    }
}
