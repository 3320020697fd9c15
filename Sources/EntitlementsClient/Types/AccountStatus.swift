// Made by contrib/clients/generate.py from proto/openrpc.json.

import FoundationEssentials

/// All that is said about a user at once.
public struct AccountStatus: Decodable, Equatable, Sendable {
    /// The user.
    public let userID: String
    /// What an account is, in one word, the first that matches: trial also when cancelled during
    /// the trial; subscribed is any other access by subscription, grace or grant.
    public let state: AccountState
    /// Whether the user may render once.
    public let canRender: Bool
    /// Access by subscription, grace or grant, trials included.
    public let isSubscriber: Bool
    /// Whether the user ever owned a subscription.
    public let hadSubscription: Bool
    /// The credits that can be spent now.
    public let creditsRemaining: Int64
    /// The plan that holds; nil without an account.
    public let plan: String?
    /// The tier of the plan.
    public let tier: String
    /// The limits of the plan, as the catalog has them; `null` is no limit.
    public let limits: [String: PlanLimit]
    /// What gives access now: app_store_subscription, google_play, stripe, grant, or the store that
    /// a grant names; nil where nothing does.
    public let subscriptionMethod: String?
    /// The end of what is paid, or of the grant.
    public let expiresAt: Date?
    /// The first moment at which the answer changes if nothing more is heard.
    public let nextChangeAt: Date?
    /// Which paywall to show: none with access by subscription, grace or grant, and to somebody who
    /// pays for a product that no plan names.
    public let paywall: Paywall
    /// Whether two subscriptions of one environment renew: the user pays twice.
    ///
    /// The daemon cancels neither.
    public let duplicateSubscriptions: Bool
    /// The subscription shown, if there is one.
    public let subscription: SubscriptionStatus?
    /// The journal position that the answer reflects.
    public let seq: Int64
}
