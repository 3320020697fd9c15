/// What can happen to a customer.
package enum PlayAction: String, CaseIterable, Codable, Hashable, Sendable {
    case buy
    /// Paid later, in cash.
    case buyPending = "buy-pending"
    case complete
    case cancelPending = "cancel-pending"
    case renew
    case cancel
    case restart
    case failToRenew = "fail-to-renew"
    case hold
    case recover
    case pause
    case resume
    case expire
    /// Taken away at once, with the money back.
    case revoke
    /// One order refunded or charged back; the state stays for a while, as field reports say.
    case void
    /// All of the money is given back without revocation: the customer keeps what was bought, and
    /// Google tells nobody.
    case refund
    /// Some units of a one-time product.
    case refundUnits = "refund-units"
    /// To another product at once.
    case upgrade
    /// To another product, paid later in cash; until then the older purchase goes on.
    case upgradePending = "upgrade-pending"
    /// To another product at the end of the period.
    case downgrade
    /// Again, after it has expired.
    case resubscribe
    /// Again, in Google Play itself.
    case resubscribeOutOfApp = "resubscribe-out-of-app"
    case topUp = "top-up"
    /// The developer puts the renewal off.
    case `defer`
    /// A pause is planned for the end of the period; access stays until then.
    case schedulePause = "schedule-pause"
    /// A plan that is paid in instalments ends with its commitment.
    case cancelCommitment = "cancel-commitment"
    /// Another product beside the first one, until the same end.
    case addItem = "add-item"
    /// The price changes; nothing else does.
    case priceChange = "price-change"
    /// The customer agrees to a price, as older apps ask.
    case confirmPrice = "confirm-price"
    /// The customer agrees to a price that rises by steps.
    case priceStepUp = "price-step-up"
    /// Google asks for an opinion on a refund.
    case refundReview = "refund-review"
}

/// What may be said beside an action.
package struct PlayWords: Hashable, Sendable {
    /// The product.
    package var product: String?
    /// The account id that the app gives.
    package var accountID: String?
    /// Begin with a free trial.
    package var isTrial = false
    /// As a licence tester.
    package var isTest = false
    /// How many.
    package var quantity: Int64 = 1

    /// Nothing.
    package init() {}
}

/// What Google Play tells by push.
package enum PlayNotice: Hashable, Sendable {
    /// `notificationType` of a subscription.
    case subscription(Int64, token: String)
    /// `notificationType` of a one-time product.
    case oneTime(Int64, token: String, sku: String)
    /// A voided purchase.
    case voided(token: String, order: String, isSubscription: Bool, isPartial: Bool)
    case refundReview(order: String)
    case test
}

extension PlayNotice {
    /// For people.
    package var word: String {
        switch self {
        case .subscription(let type, _): "subscription \(type)"
        case .oneTime(let type, _, _): "one-time \(type)"
        case .voided: "voided"
        case .refundReview: "refund review"
        case .test: "test"
        }
    }
}
