/// A signed purchase as the app received it, with what the app believes about it.
///
/// Each claim that is not nil is compared with what is signed; a difference is refused.
public struct Purchase: Equatable, Sendable {
    /// The store's signed transaction; nil to have the daemon ask the store for `transactionID`.
    public var signedTransaction: String?
    /// What Google Play gave the device; the daemon asks Google.
    public var purchaseToken: String?
    /// A visit to Stripe's payment page; the daemon asks Stripe.
    public var checkoutSession: String?
    /// A subscription of Stripe's; the daemon asks Stripe.
    public var stripeSubscription: String?
    /// The store's signed renewal information.
    public var signedRenewalInfo: String?
    /// Which product was bought.
    public var productID: String?
    /// The store's name for the transaction.
    public var transactionID: String?
    /// The store's name for the subscription.
    public var originalTransactionID: String?
    /// The token that the purchase was made with.
    public var appAccountToken: String?

    /// A purchase without claims.
    public init(signedTransaction: String) { self.signedTransaction = signedTransaction }

    /// A purchase of which only the store's name is known; the daemon needs the store's API.
    public init(transactionID: String) { self.transactionID = transactionID }

    /// A purchase at Google Play; the daemon needs the store's API.
    public init(purchaseToken: String) { self.purchaseToken = purchaseToken }

    /// What was bought in a visit to Stripe's payment page; the daemon needs the store's API.
    public init(checkoutSession: String) { self.checkoutSession = checkoutSession }

    /// A subscription of Stripe's; the daemon needs the store's API.
    public init(stripeSubscription: String) { self.stripeSubscription = stripeSubscription }
}
