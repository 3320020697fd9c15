/// What a store signed about a transaction beside what decides about access: what was paid, where,
/// and on which terms.
///
/// Kept with the subscription, since answers show it. Of most transactions most is absent.
package struct TransactionTerms: Hashable, Sendable {
    /// The price, in thousandths of the currency.
    package var price: Int64?
    /// Of ISO 4217.
    package var currency: String?
    /// The country of the storefront, in the letters of ISO 3166.
    package var storefront: String?
    /// The group of subscriptions of which a customer has one at a time.
    package var group: String?
    /// Which offer, as the developer named it.
    package var offerID: String?
    /// How long the offer lasts, as a duration of ISO 8601.
    package var offerPeriod: String?
    /// How it was revoked, as the store writes it; unknown ones are revocations all the same.
    package var revocationType: String?
    /// How much of it was revoked, in thousandths of a percent: 100,000 is all.
    package var revocationPercentage: Int64?
    /// The original id that the purchase had before it was migrated.
    package var previousOriginalID: String?
    /// `BILLED_UPFRONT` or `MONTHLY`, as the store writes it.
    package var billingPlan: String?
    /// To how many payments the customer is bound, if to any.
    package var commitment: Commitment?
    /// Under which terms the product was sold, as the store names them: Google's base plan,
    /// Stripe's price; of the App Store, that a receipt told it.
    package var variant: String?
    /// Stripe's lookup key of the price.
    package var lookupKey: String?

    /// None.
    package init() {}

    /// Those of a receipt, which names none.
    package static var ofReceipt: Self {
        var terms = Self()
        terms.variant = receipt
        return terms
    }

    /// Whether a receipt told the transaction.
    var isOfReceipt: Bool { variant == Self.receipt }

    /// What stands where a store has words of its own: that a receipt told it.
    static let receipt = "receipt"
}

/// That a customer is bound for several billing periods, of which a transaction pays one.
package struct Commitment: Hashable, Sendable {
    /// Which of the periods this is, from 1.
    package var period: Int64?
    /// How many there are.
    package var periods: Int64?
    /// The price of all of them, in thousandths of the currency.
    package var price: Int64?
    /// When the last one ends.
    package var expires: Moment?

    /// A commitment with these parts.
    package init(period: Int64?, periods: Int64?, price: Int64?, expires: Moment?) {
        self.period = period
        self.periods = periods
        self.price = price
        self.expires = expires
    }
}

/// What no answer needs, and the journal keeps all the same, because it can never be had again.
package struct TransactionOrigin: Hashable, Sendable {
    /// The app, as the store knows it: Apple's bundle id.
    package var app: String?
    /// The store's id of the customer's copy of the app; the same for all that one account buys.
    package var appTransactionID: String?

    /// Of this app, bought with this copy.
    package init(app: String?, appTransactionID: String?) {
        self.app = app
        self.appTransactionID = appTransactionID
    }
}

/// What a store said of the time behind a commitment.
package struct RenewalTerms: Hashable, Sendable {
    /// The billing plan of the next renewal, as the store writes it.
    package var billingPlan: String?
    /// Whether it goes on when the commitment ends.
    package var commitmentRenews: Bool?
    /// The product after the commitment.
    package var commitmentProductID: String?
    /// The billing plan after the commitment.
    package var commitmentBillingPlan: String?
    /// When the next commitment begins.
    package var commitmentRenewalDate: Moment?
    /// What the next commitment costs, in thousandths of the currency.
    package var commitmentPrice: Int64?
    /// When a pause ends by itself.
    package var resumes: Moment?

    /// None.
    package init() {}
}
