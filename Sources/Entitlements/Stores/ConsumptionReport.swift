/// What the app's maker tells the store about the use of a purchase, before it decides on a refund.
package struct ConsumptionReport: Hashable, Sendable {
    /// Whether the purchase reached the customer, in Apple's words.
    package enum Delivery: String, Sendable, CaseIterable {
        case delivered = "DELIVERED"
        case qualityIssue = "UNDELIVERED_QUALITY_ISSUE"
        case wrongItem = "UNDELIVERED_WRONG_ITEM"
        case serverOutage = "UNDELIVERED_SERVER_OUTAGE"
        case other = "UNDELIVERED_OTHER"
    }

    /// What the app's maker would like, in Apple's words.
    package enum Preference: String, Sendable, CaseIterable {
        case decline = "DECLINE"
        case full = "GRANT_FULL"
        case prorated = "GRANT_PRORATED"
    }

    /// Which purchase.
    package let transactionID: String
    /// Of which app; nil for whichever knows it.
    package let bundleID: String?
    /// Whether it reached the customer.
    package let delivery: Delivery
    /// Whether the customer could try it before.
    package let sampleProvided: Bool
    /// How much of it is used, in thousandths of a percent.
    package let consumedMilliPercent: Int64?
    /// What the app's maker would like.
    package let preference: Preference?

    /// A report; only with the customer's consent.
    package init(
        transactionID: String,
        bundleID: String?,
        delivery: Delivery,
        sampleProvided: Bool,
        consumedMilliPercent: Int64?,
        preference: Preference?
    ) {
        self.transactionID = transactionID
        self.bundleID = bundleID
        self.delivery = delivery
        self.sampleProvided = sampleProvided
        self.consumedMilliPercent = consumedMilliPercent
        self.preference = preference
    }
}
