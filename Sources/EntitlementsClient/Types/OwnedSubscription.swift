// Made by contrib/clients/generate.py from proto/openrpc.json.

import FoundationEssentials

/// One of all subscriptions of a user, with what its current period was bought for.
public struct OwnedSubscription: Decodable, Equatable, Sendable {
    /// An offer under which a period was bought.
    public struct Offer: Decodable, Equatable, Sendable {
        /// 1 introductory, 2 promotional, 3 offer code, 4 win-back.
        public let type: Int64?
        /// Which one, as you named it.
        public let id: String?
        /// What it does to the price: FREE_TRIAL, PAY_AS_YOU_GO, PAY_UP_FRONT or ONE_TIME.
        public let discount: String?
        /// How long it lasts: a duration of ISO 8601.
        public let period: String?
    }

    /// What it is.
    public let subscription: SubscriptionStatus
    /// The group of subscriptions of which a customer has one at a time.
    public let group: String?
    /// PURCHASED or FAMILY_SHARED, as the store writes it.
    public let ownership: String?
    /// The offer, if there was one.
    public let offer: Offer?
    /// The price, in thousandths of the currency.
    public let price: Int64?
    /// The currency, in letters of ISO 4217.
    public let currency: String?
    /// The country of the storefront, in letters of ISO 3166.
    public let storefront: String?
    /// BILLED_UPFRONT or MONTHLY, as the store writes it.
    public let billingPlan: String?
    /// The end of the payments to which the customer is bound.
    public let commitmentExpiresAt: Date?
    /// Whether it gives access now.
    public let givesAccess: Bool

    private enum CodingKeys: CodingKey {
        case group, ownership, offer, price, currency, storefront, billingPlan, commitmentExpiresAt
        case givesAccess
    }

    /// All of it, whose members stand in one object.
    public init(from decoder: any Decoder) throws {
        subscription = try SubscriptionStatus(from: decoder)
        let members = try decoder.container(keyedBy: CodingKeys.self)
        group = try members.decodeIfPresent(String.self, forKey: .group)
        ownership = try members.decodeIfPresent(String.self, forKey: .ownership)
        offer = try members.decodeIfPresent(Offer.self, forKey: .offer)
        price = try members.decodeIfPresent(Int64.self, forKey: .price)
        currency = try members.decodeIfPresent(String.self, forKey: .currency)
        storefront = try members.decodeIfPresent(String.self, forKey: .storefront)
        billingPlan = try members.decodeIfPresent(String.self, forKey: .billingPlan)
        commitmentExpiresAt = try members.decodeIfPresent(Date.self, forKey: .commitmentExpiresAt)
        givesAccess = try members.decode(Bool.self, forKey: .givesAccess)
    }
}
