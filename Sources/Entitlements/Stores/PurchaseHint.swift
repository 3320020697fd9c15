/// What leads to a purchase, where no document of it is at hand: the store is asked.
package enum PurchaseHint: Hashable, Sendable {
    /// A transaction's id.
    case transaction(String)
    /// What a device was given for the purchase.
    case purchaseToken(String)
    /// A visit to the store's payment page.
    case checkoutSession(String)
    /// A subscription's id.
    case subscription(String)
    /// What a device was given for a purchase of which the store says that this order was refunded
    /// or withdrawn, and when; only a storefront makes it.
    case withdrawal(purchaseToken: String, orderID: String, at: Moment)
    /// The same of a purchase of which some units were withdrawn.
    case partialWithdrawal(purchaseToken: String, at: Moment)

    /// Which of them, without the id.
    package enum Kind: Hashable, Sendable {
        case transaction
        case purchaseToken
        case checkoutSession
        case subscription
    }

    /// What callers show in place of a document; an id of a transaction may be a claim as well.
    package static let leads: [Kind] = [.purchaseToken, .checkoutSession, .subscription]

    /// The hint of this kind.
    package init(_ kind: Kind, _ id: String) {
        self =
            switch kind {
            case .transaction: .transaction(id)
            case .purchaseToken: .purchaseToken(id)
            case .checkoutSession: .checkoutSession(id)
            case .subscription: .subscription(id)
            }
    }

    /// Which of them it is.
    package var kind: Kind {
        switch self {
        case .transaction: .transaction
        case .purchaseToken: .purchaseToken
        case .checkoutSession: .checkoutSession
        case .subscription: .subscription
        case .withdrawal, .partialWithdrawal: .purchaseToken
        }
    }
}

extension PurchaseHint.Kind {
    /// What callers call it: a parameter of `verifyPurchase`.
    package var parameter: StaticString {
        switch self {
        case .transaction: "transactionId"
        case .purchaseToken: "purchaseToken"
        case .checkoutSession: "checkoutSession"
        case .subscription: "stripeSubscription"
        }
    }
}

/// What a store answers about a purchase.
package enum PurchaseAnswer: Sendable {
    /// A signed document: it is judged like one that a caller shows.
    case document([UInt8])
    /// What its server states itself.
    case stated([Fact])
}
