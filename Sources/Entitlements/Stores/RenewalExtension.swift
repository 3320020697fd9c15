/// What the store says of a renewal that was put off.
package struct RenewalExtension: Hashable, Sendable {
    /// Which subscription.
    package let originalTransactionID: String
    /// Which of its periods.
    package let webOrderLineItemID: String?
    /// Whether it was done.
    package let isSuccess: Bool
    /// When it renews now.
    package let effective: Moment?

    /// An answer of the store's.
    package init(
        originalTransactionID: String,
        webOrderLineItemID: String?,
        isSuccess: Bool,
        effective: Moment?
    ) {
        self.originalTransactionID = originalTransactionID
        self.webOrderLineItemID = webOrderLineItemID
        self.isSuccess = isSuccess
        self.effective = effective
    }
}
