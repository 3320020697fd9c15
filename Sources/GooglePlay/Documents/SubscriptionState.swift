/// `subscriptionState` of a SubscriptionPurchaseV2.
package enum SubscriptionState: String, Hashable, Sendable, CaseIterable {
    /// Nothing is paid yet.
    case pending = "SUBSCRIPTION_STATE_PENDING"
    /// Paid.
    case active = "SUBSCRIPTION_STATE_ACTIVE"
    /// Paused by the customer, after the end of what was paid.
    case paused = "SUBSCRIPTION_STATE_PAUSED"
    /// The card is being charged again, and access goes on.
    case inGracePeriod = "SUBSCRIPTION_STATE_IN_GRACE_PERIOD"
    /// The card is being charged again, without access.
    case onHold = "SUBSCRIPTION_STATE_ON_HOLD"
    /// It will not renew; access goes on until the end of what was paid.
    case canceled = "SUBSCRIPTION_STATE_CANCELED"
    /// Ended, at its end or before it.
    case expired = "SUBSCRIPTION_STATE_EXPIRED"
    /// The payment that was waited for was cancelled.
    case pendingPurchaseCanceled = "SUBSCRIPTION_STATE_PENDING_PURCHASE_CANCELED"
}

/// How a subscription was cancelled: `canceledStateContext`, which says nothing about access.
package enum Cancellation: Hashable, Sendable {
    /// By the customer, at this time.
    case user(at: String?)
    /// By Google, for example after repeated failed payments.
    case system
    /// By the developer.
    case developer
    /// Another subscription replaced it.
    case replacement
    /// In a way that did not exist when this was written.
    case other
}
