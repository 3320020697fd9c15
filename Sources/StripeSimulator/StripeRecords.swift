/// A subscription, as the account's books hold it; moments are seconds since 1970.
package struct SoldSubscription: Codable, Hashable, Sendable {
    /// Its id.
    package let id: String
    /// Whose it is.
    package let customer: String
    /// What is paid for.
    package var price: SoldPrice
    /// The user in its metadata.
    var user: String?
    let created: Int64
    /// The present period.
    package var start: Int64
    package var end: Int64
    /// Stripe's word.
    package var status: String
    var cancelAtPeriodEnd = false
    var cancelAt: Int64?
    var canceledAt: Int64?
    var endedAt: Int64?
    var endReason: String?
    var trialEnd: Int64?
    /// `pause_collection.behavior`.
    var pause: String?
    /// What it changes to once that is paid.
    var proposed: SoldPrice?
    package var latestInvoice = ""

    /// Whether Stripe goes on with it.
    var isLive: Bool { status != "canceled" && status != "incomplete_expired" }
    /// Whether an end is scheduled.
    var isEnding: Bool { cancelAtPeriodEnd || cancelAt != nil }
}

/// What a period is billed with.
struct SoldInvoice: Codable, Hashable, Sendable {
    let id: String
    let subscription: String
    let customer: String
    let reason: String
    let created: Int64
    let start: Int64
    let end: Int64
    let price: SoldPrice
    let user: String?
    /// Stripe's word, such as `draft`, `open` or `paid`.
    var status: String
    /// What it was paid with.
    var payment: String?
}

/// Money that was taken; the payment that took it has the same number.
struct SoldCharge: Codable, Hashable, Sendable {
    /// What went back.
    struct Refund: Codable, Hashable, Sendable {
        let id: String
        let amount: Int64
        let created: Int64
        var hasFailed = false
    }

    let id: String
    let payment: String
    let customer: String
    let amount: Int64
    let created: Int64
    var refunds: [Refund] = []
    /// Stripe's word of a dispute; nil: there was none.
    var dispute: String?
    var disputed: Int64 = 0

    var refunded: Int64 { refunds.reduce(0) { $0 + ($1.hasFailed ? 0 : $1.amount) } }
    var disputeID: String { "dp_" + id.dropFirst(3) }
}

/// A visit to the payment page.
struct SoldVisit: Codable, Hashable, Sendable {
    let id: String
    let customer: String
    let price: SoldPrice
    let quantity: Int64
    let created: Int64
    /// `client_reference_id`.
    let reference: String?
    /// The user in its metadata.
    let user: String?
    var subscription: String?
    var payment: String?
    var paymentStatus: String
    var status = "complete"
}

/// An event that was told, or will be.
package struct KeptEvent: Codable, Hashable, Sendable {
    /// By which it is known again.
    package let id: String
    /// Stripe's word.
    package let type: String
    /// In seconds since 1970.
    package let created: Int64
    /// The object as it was, as JSON in the version of events.
    let object: String
    /// The same in today's version.
    let objectNow: String
}
