/// One purchase: what a purchase token stands for.
package struct SoldPurchase: Codable, Hashable, Sendable {
    /// Google's states of subscriptions; one-time products use the first two and the last.
    package enum State: String, Codable, Hashable, Sendable {
        case pending = "PENDING"
        case active = "ACTIVE"
        case paused = "PAUSED"
        case grace = "IN_GRACE_PERIOD"
        case hold = "ON_HOLD"
        case canceled = "CANCELED"
        case expired = "EXPIRED"
        case pendingCanceled = "PENDING_PURCHASE_CANCELED"
    }

    /// An order that was refunded or charged back.
    package struct Void: Codable, Hashable, Sendable {
        var orderID: String
        var at: Int64
        var reason: Int64
        var quantity: Int64?
    }

    /// The purchase token.
    package let token: String
    /// Whose it is.
    package let customer: String
    /// What was bought.
    package var item: PlayItem
    /// The order, without what renewals add.
    package let order: String
    /// How many payments there were; 0 while none is in.
    package var payments: Int64 = 0
    /// The state.
    package var state = State.pending
    /// When it was granted, in ms since 1970.
    package var started: Int64?
    /// Until when it is paid, or put off.
    package var expires: Int64?
    /// In a grace period: until when it was paid, from where it goes on once it is paid again.
    package var graceFrom: Int64?
    /// Whether it renews.
    package var renews = true
    /// Whether the present period is a free trial.
    package var isTrial = false
    /// How it was cancelled: `user`, `system`, `developer` or `replacement`.
    package var cancellation: String?
    /// When the customer cancelled it.
    package var cancelled: Int64?
    /// When a pause ends.
    package var resumes: Int64?
    /// The purchase that it goes on from.
    package var linked: String?
    /// Whether it was bought in Google Play itself, after `linked` had expired.
    package var isOutOfApp = false
    /// The account id of that older purchase, where it was bought in Google Play itself.
    package var formerAccountID: String?
    /// What takes its place at its end.
    package var next: PlayItem?
    /// What was added to it.
    package var added: PlayItem?
    /// Whether it ends with its commitment.
    package var endsWithCommitment = false
    /// Whether it was acknowledged.
    package var isAcknowledged = false
    /// How often it was acknowledged or consumed, also where that was refused.
    package var told: Int64 = 0
    /// Whether it was consumed.
    package var isConsumed = false
    /// The account id that the app gave.
    package var accountID: String?
    /// Whether a licence tester bought it.
    package var isTest = false
    /// How many of a one-time product.
    package var quantity: Int64 = 1
    /// What was refunded or charged back.
    package var voids: [Void] = []
    /// When all of the money was given back without taking the purchase back.
    package var paidBack: Int64?

    init(token: String, customer: String, item: PlayItem, order: String) {
        self.token = token
        self.customer = customer
        self.item = item
        self.order = order
        renews = item.plan == .renewing
    }

    /// Whether it is a subscription, paid or to be paid.
    var isSubscription: Bool { item.plan != .oneTime && state != .pendingCanceled }

    /// The order of the present period.
    package var orderID: String { payments > 1 ? "\(order)..\(payments - 2)" : order }

    /// Whether the order of the present period was refunded or charged back as a whole.
    package var isVoided: Bool {
        voids.contains { $0.orderID == orderID && $0.quantity == nil }
    }

    /// How many units were refunded.
    package var refunded: Int64 { voids.reduce(0) { $0 + ($1.quantity ?? quantity) } }

    /// How many units were not refunded, with or without revocation.
    var refundable: Int64 { paidBack == nil ? max(0, quantity - refunded) : 0 }
}
