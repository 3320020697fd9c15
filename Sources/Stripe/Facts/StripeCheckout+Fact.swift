import Entitlements

/// The facts that a checkout session (a visit to Stripe's payment page) states.
extension StripeCheckout {
    /// The key of a one-time purchase: its payment, or, if it cost nothing, the checkout session.
    package var purchaseKey: SubscriptionKey {
        SubscriptionKey(
            store: .stripe,
            environment: environment,
            originalID: (paymentIntent ?? id).text
        )
    }

    /// The fact that names the user of the subscription that was made in this visit; nil if the
    /// visit names nobody, or made none.
    func naming(_ saying: StripeSaying, under rules: StripeRules) -> Fact? {
        guard mode == .subscription, let subscription,
            let user = user(under: rules.userIDMetadata)
        else { return nil }
        var fact = Fact(
            key: SubscriptionKey(
                store: .stripe,
                environment: environment,
                originalID: subscription.text
            )
        )
        // The user that was stated first stays. At the same moment the subscription's own metadata
        // counts as first, then the client reference, then the metadata of the visit.
        let rank: UInt64 = referenced == nil ? 2 : 1
        fact.user = UserFact(user: user, version: saying.version(rank: rank))
        return fact
    }

    /// When it was paid: a page may stay open for a day, and a voucher be paid days later.
    private var paidAt: Moment { isPaid ? charged ?? created : created }

    /// The lines that were bought once; in a visit that began a subscription, what was bought
    /// beside it.
    private var bought: [Line] {
        let lines = lines ?? []
        return switch mode {
        case .payment: lines
        case .subscription: lines.filter(\.price.isOneTime)
        case .other: []
        }
    }

    /// The fact of a one-time purchase; nil if there was none, or if Stripe was not asked for its
    /// lines.
    ///
    /// - Parameters:
    ///   - saying: the statement that contains the visit.
    ///   - rules: the configured rules.
    ///   - named: the user whom the metadata of the subscription names that was made in the visit;
    ///     it counts before what the visit says, whose client reference a visitor can write.
    /// - Returns: the fact.
    func purchase(
        _ saying: StripeSaying,
        under rules: StripeRules,
        named: UserID? = nil
    ) -> Fact? {
        let lines = bought
        guard !lines.isEmpty else { return nil }
        let version = saying.version(rank: isPaid ? 1 : 0)
        let user = named ?? user(under: rules.userIDMetadata)
        return Fact(
            snapshotOf: purchaseKey,
            status: isPaid
                ? StatusFact(version: version, .active, word: "paid")
                : StatusFact(version: version, .pending, word: "unpaid"),
            transactions: lines.indices.map { transaction(of: lines[$0], at: $0, version) },
            user: user.map { UserFact(user: $0, version: saying.version()) }
        )
    }

    /// The ids of the transactions that `purchase` states; the first line has the id of the
    /// payment.
    var transactionIDs: [String] {
        let lines = bought
        return lines.indices.map { transactionID(of: lines[$0], at: $0) }
    }

    private func transactionID(of line: Line, at place: Int) -> String {
        let payment = purchaseKey.originalID
        return place > 0 ? payment + ":" + line.id.text : payment
    }

    private func transaction(
        of line: Line,
        at place: Int,
        _ version: Version
    ) -> TransactionFact {
        var fact = TransactionFact(
            id: transactionID(of: line, at: place),
            version: version,
            productID: line.price.product.text,
            // Lines of one visit are different purchases, and not one under several ids.
            purchased: paidAt.advanced(byMilliseconds: -Int64(place))
        )
        fact.kind = TransactionFact.oneTimeKind
        fact.quantity = line.quantity
        fact.reason = "PURCHASE"
        fact.terms.variant = line.price.id.text
        fact.terms.lookupKey = line.price.lookupKey
        if let total = line.total, let currency = line.price.currency {
            fact.terms.price = StripeMoney.thousandths(total, of: currency)
            fact.terms.currency = currency.uppercased()
        }
        return fact
    }
}
