/// Which offer is to be signed, and for whom.
package struct OfferWish: Hashable, Sendable {
    /// The app.
    package let bundleID: String
    /// The subscription.
    package let productID: String
    /// The offer.
    package let offerID: String
    /// The account token or user name of the purchase; empty where it has none.
    package let customer: String
    /// Any transaction of the customer's.
    package let transactionID: String?

    /// An offer for somebody.
    package init(
        bundleID: String,
        productID: String,
        offerID: String,
        customer: String,
        transactionID: String?
    ) {
        self.bundleID = bundleID
        self.productID = productID
        self.offerID = offerID
        self.customer = customer
        self.transactionID = transactionID
    }
}
