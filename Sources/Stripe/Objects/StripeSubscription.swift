import Entitlements
import JSON

/// A subscription (https://docs.stripe.com/api/subscriptions/object), as versions of the API before
/// and after 2025-03-31 write it.
package struct StripeSubscription: Hashable, Sendable {
    /// Its id: `sub_…`.
    package let id: StripeID
    /// Live mode, or test mode.
    package let environment: StoreEnvironment
    /// The customer's id at Stripe.
    package let customer: StripeID?
    /// The state.
    package let status: Status
    /// The state as Stripe writes it.
    package let statusWord: String
    /// The items that are sold, in Stripe's order.
    package let items: [Item]
    /// The requested end, in either of the two ways in which Stripe writes it; it may be later than
    /// the present period.
    package let cancelsAt: Moment?
    /// When the end was last requested.
    package let canceledAt: Moment?
    /// When it ended.
    package let endedAt: Moment?
    /// Why it ends, as Stripe writes it, such as `cancellation_requested`.
    package let endReason: String?
    /// When a trial ends or ended.
    package let trialEnds: Moment?
    /// The present pause in collecting invoices, if any.
    package let pause: Pause?
    /// Why it is paused as a whole, if the version of the API says so.
    package let pauseReason: PauseReason?
    /// The newest invoice.
    package let latestInvoice: StripeID?
    /// When it began.
    package let started: Moment
    /// When it was made.
    package let created: Moment
    /// Text that the seller attached.
    package let metadata: StripeMetadata

    /// The states that Stripe names.
    package enum Status: String, Hashable, Sendable, CaseIterable {
        /// The first payment is not made; Stripe waits 23 hours for it.
        case incomplete
        /// The first payment was never made.
        case incompleteExpired = "incomplete_expired"
        /// In a trial.
        case trialing
        /// Paid.
        case active
        /// The newest invoice is not paid, and Stripe keeps trying.
        case pastDue = "past_due"
        /// Stripe has stopped trying, and keeps the subscription open.
        case unpaid
        /// Ended.
        case canceled
        /// Neither served nor billed: the trial ended without a payment method, the seller paused
        /// it, or a payment failed.
        case paused
        /// An unknown state.
        case unknown = ""
    }

    /// Why and until when invoices are not collected.
    package struct Pause: Hashable, Sendable {
        /// `keep_as_draft`, `mark_uncollectible` or `void`.
        package let behavior: String
        /// When the pause ends automatically.
        package let resumesAt: Moment?
    }

    /// Why a subscription is `paused`: `status_details.paused.subscription.type`, in versions of
    /// the API since 2026-09-30 (Stripe's page "Pause subscriptions").
    package enum PauseReason: String, Hashable, Sendable, CaseIterable {
        /// The seller paused it.
        case requested = "pause_requested"
        /// The trial ended without a payment method.
        case trialEnd = "trial_end_without_payment_method"
        /// A renewal was not paid at the first attempt.
        case firstFailure = "first_payment_failure"
        /// A renewal was not paid, and Stripe has stopped trying.
        case finalFailure = "final_payment_failure"
        /// Stripe paused it by itself, or an unknown reason.
        case other = "system"
    }

    /// One item of a subscription.
    package struct Item: Hashable, Sendable {
        /// Its id: `si_…`.
        package let id: StripeID?
        /// The price.
        package let price: StripePrice
        /// The quantity.
        package let quantity: Int64
        /// When the present period began.
        package let periodStart: Moment
        /// When the present period ends.
        package let periodEnd: Moment
    }

    /// Reads the subscription in `object`.
    init(_ object: StripeObject) throws(ShapeFault) {
        guard object.kind == "subscription" else { throw ShapeFault("object") }
        id = try object.id()
        environment = try object.environment()
        customer = try object.customer()
        guard let word = try object.text("status"), !word.isEmpty, word.utf8.count <= 64 else {
            throw ShapeFault("status")
        }
        statusWord = word
        status = Status(rawValue: word) ?? .unknown
        items = try Self.items(of: object)
        let end = items.map(\.periodEnd).min()
        let flag = try object.flag("cancel_at_period_end") ?? false
        cancelsAt = try object.moment("cancel_at") ?? (flag ? end : nil)
        canceledAt = try object.moment("canceled_at")
        endedAt = try object.moment("ended_at")
        endReason = try object.object("cancellation_details")?.text("reason")
        trialEnds = try object.moment("trial_end")
        pause = try Self.pause(of: object)
        pauseReason = try Self.pauseReason(of: object)
        latestInvoice = try object.reference("latest_invoice")
        guard let created = try object.moment("created") else { throw ShapeFault("created") }
        self.created = created
        started = try object.moment("start_date") ?? created
        metadata = try StripeMetadata(of: object)
    }

    private static func pause(of object: StripeObject) throws(ShapeFault) -> Pause? {
        guard let pause = try object.object("pause_collection") else { return nil }
        return Pause(
            behavior: try pause.text("behavior") ?? "",
            resumesAt: try pause.moment("resumes_at")
        )
    }

    private static func pauseReason(
        of object: StripeObject
    ) throws(ShapeFault) -> PauseReason? {
        let details = try object.object("status_details")?.object("paused")
        guard let word = try details?.object("subscription")?.text("type") else { return nil }
        return PauseReason(rawValue: word) ?? .other
    }

    /// The items.
    ///
    /// Since 2025-03-31 each item has its own period; before, the subscription had one.
    private static func items(of object: StripeObject) throws(ShapeFault) -> [Item] {
        let created = try object.moment("created")
        let begun = try object.moment("start_date") ?? created
        let start = try object.moment("current_period_start") ?? begun
        let end = try object.moment("current_period_end")
        var items: [Item] = []
        let listed = try object.list("items") ?? []
        var sold: [StripeObject] = []
        for item in listed where try isSold(item) { sold.append(item) }
        for item in sold.isEmpty ? listed : sold {
            let price = try item.object("price", or: "plan")
            guard let price else { throw ShapeFault("price") }
            guard let from = try item.moment("current_period_start") ?? start,
                let until = try item.moment("current_period_end") ?? end, from <= until
            else { throw ShapeFault("current_period_end") }
            let quantity = try item.integer("quantity") ?? 1
            guard (0...Int64(Int32.max)).contains(quantity) else { throw ShapeFault("quantity") }
            items.append(
                Item(
                    id: try item.reference("id"),
                    price: try StripePrice(price),
                    quantity: max(1, quantity),
                    periodStart: from,
                    periodEnd: until
                )
            )
        }
        guard !items.isEmpty else { throw ShapeFault("items") }
        return items
    }

    /// Whether an item is sold: one of quantity 0 costs nothing, unless its price is metered.
    private static func isSold(_ item: StripeObject) throws(ShapeFault) -> Bool {
        guard try item.integer("quantity") == 0 else { return true }
        let price = try item.object("price", or: "plan")
        let recurring = try price?.object("recurring") ?? price
        return try recurring?.text("usage_type") == "metered"
    }
}

/// A price of a product: both have ids, and a price may have a name by which it is looked up.
package struct StripePrice: Hashable, Sendable {
    /// The price: `price_…`, or an older plan's.
    package let id: StripeID
    /// The product: `prod_…`.
    package let product: StripeID
    /// The seller's own name for the price, which can move to another one.
    package let lookupKey: String?
    /// The amount for each unit, in the smallest unit of the currency; nil if it is not fixed.
    package let amount: Int64?
    /// The currency, in three lower-case letters.
    package let currency: String?
    /// Whether it is paid once, and not for each period.
    package let isOneTime: Bool

    /// Creates the price with these names.
    init(
        id: StripeID,
        product: StripeID,
        lookupKey: String? = nil,
        amount: Int64? = nil,
        currency: String? = nil
    ) {
        self.id = id
        self.product = product
        self.lookupKey = lookupKey
        self.amount = amount
        self.currency = currency
        isOneTime = false
    }

    /// Reads the price or plan in `object`.
    init(_ object: StripeObject) throws(ShapeFault) {
        id = try object.id()
        product = try object.reference("product") ?? id
        lookupKey = try object.text("lookup_key")
            .flatMap { (1...StripeLimits.nameBytesMax).contains($0.utf8.count) ? $0 : nil }
        amount = try object.integer("unit_amount", or: "amount")
        currency = try object.text("currency")
        isOneTime = try object.text("type") == "one_time"
    }
}

/// Names and texts that the seller attached to an object (https://docs.stripe.com/metadata).
package struct StripeMetadata: Hashable, Sendable {
    private let texts: [String: String]

    /// Reads the metadata of `object`.
    init(of object: StripeObject) throws(ShapeFault) {
        var texts: [String: String] = [:]
        for member in try object.object("metadata")?.value.object?.members ?? [] {
            texts[member.key] = member.value.string
        }
        self.texts = texts
    }

    /// The user whom the text under `key` names, if it can be a user id.
    package func user(under key: String) -> UserID? { texts[key].flatMap { UserID($0) } }
}

extension StripeObject {
    /// Live mode, or test mode.
    func environment() throws(ShapeFault) -> StoreEnvironment {
        guard let isLive = try flag("livemode") else { throw ShapeFault("livemode") }
        return isLive ? .production : .sandbox
    }

    /// The customer; if customers are accounts, the account.
    func customer() throws(ShapeFault) -> StripeID? {
        try reference("customer", or: "customer_account")
    }
}
