/// Which customer may, or may not, have an introductory offer.
package struct EligibilityWish: Hashable, Sendable {
    /// The app.
    package let bundleID: String
    /// The subscription.
    package let productID: String
    /// Whether the customer may.
    package let isEligible: Bool
    /// Any transaction of the customer's.
    package let transactionID: String

    /// What is to be signed of a customer.
    package init(
        bundleID: String,
        productID: String,
        isEligible: Bool,
        transactionID: String
    ) {
        self.bundleID = bundleID
        self.productID = productID
        self.isEligible = isEligible
        self.transactionID = transactionID
    }
}
