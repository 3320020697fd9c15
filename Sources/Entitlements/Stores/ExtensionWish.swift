/// A renewal that is to be put off.
package struct ExtensionWish: Hashable, Sendable {
    /// Any transaction of the subscription's, or its original one.
    package let transactionID: String
    /// Of which app; nil for whichever knows it.
    package let bundleID: String?
    /// By how many days.
    package let days: Int64
    /// Why, as Apple's number.
    package let reason: Int64
    /// What this request is called.
    package let requestID: String

    /// A wish.
    package init(
        transactionID: String,
        bundleID: String?,
        days: Int64,
        reason: Int64,
        requestID: String
    ) {
        self.transactionID = transactionID
        self.bundleID = bundleID
        self.days = days
        self.reason = reason
        self.requestID = requestID
    }
}
