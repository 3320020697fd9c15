import FoundationEssentials

/// All that is said about a user at once.
public struct AccountStatus: Decodable, Equatable, Sendable {
    /// The user.
    public let userID: String
    /// What the account is.
    public let state: AccountState
    /// Whether they may render once.
    public let canRender: Bool
    /// Access by subscription, grace period or grant, trials included.
    public let isSubscriber: Bool
    /// Whether they ever owned a subscription.
    public let hadSubscription: Bool
    /// The credits that can be spent now.
    public let creditsRemaining: Int64
    /// The plan that holds; nil without an account.
    public let plan: String?
    /// The tier of that plan.
    public let tier: String
    /// The limits of that plan.
    public let limits: [String: PlanLimit]
    /// What gives access now: a store, or a grant; nil where nothing does.
    public let subscriptionMethod: String?
    /// The end of what is paid, or of the grant.
    public let expiresAt: Date?
    /// The first moment at which the answer changes if nothing more is heard.
    public let nextChangeAt: Date?
    /// Which paywall to show.
    public let paywall: Paywall
    /// Whether two subscriptions renew: the user pays twice.
    public let duplicateSubscriptions: Bool
    /// The subscription shown, if there is one.
    public let subscription: SubscriptionStatus?
    /// The journal position that the answer reflects.
    public let seq: Int64
}
