import FoundationEssentials

/// One of all subscriptions of a user, with what its current period was bought for.
public struct OwnedSubscription: Equatable, Sendable {
    /// An offer under which a period was bought.
    public struct Offer: Equatable, Sendable {
        /// 1 introductory, 2 promotional, 3 offer code, 4 win-back.
        public let type: Int64?
        /// Which one, as you named it.
        public let id: String?
        /// What it does to the price, as the store writes it.
        public let discount: String?
        /// How long it lasts, as a duration of ISO 8601.
        public let period: String?
    }

    /// What it is.
    public let subscription: SubscriptionStatus
    /// The group of subscriptions of which a customer has one at a time.
    public let group: String?
    /// Bought or shared by family, as the store writes it.
    public let ownership: String?
    /// The offer, if there was one.
    public let offer: Offer?
    /// The price, in thousandths of the currency.
    public let price: Int64?
    /// Of ISO 4217.
    public let currency: String?
    /// The country of the storefront.
    public let storefront: String?
    /// How it is billed, as the store writes it.
    public let billingPlan: String?
    /// The end of the payments to which the customer is bound.
    public let commitmentExpiresAt: Date?
    /// Whether it gives access now.
    public let givesAccess: Bool

    init(_ members: Members) throws(ClientError) {
        subscription = try SubscriptionStatus(members)
        group = try members.optionalString("group")
        ownership = try members.optionalString("ownership")
        if let offer = try members.optionalMembers("offer") {
            self.offer = Offer(
                type: try offer.optionalInteger("type"),
                id: try offer.optionalString("id"),
                discount: try offer.optionalString("discount"),
                period: try offer.optionalString("period")
            )
        } else {
            offer = nil
        }
        price = try members.optionalInteger("price")
        currency = try members.optionalString("currency")
        storefront = try members.optionalString("storefront")
        billingPlan = try members.optionalString("billingPlan")
        commitmentExpiresAt = try members.optionalDate("commitmentExpiresAt")
        givesAccess = try members.bool("givesAccess")
    }
}
