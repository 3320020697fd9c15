/// What a storefront stated about one subscription or purchase.
///
/// One notification, one API answer or one purchase document makes one fact. Its parts are
/// versions; of two versions the newer stays (docs/app-store-facts.md, "Merging", 2 to 4). Google
/// Play and Stripe answer with whole states: see `StoreSnapshot.swift`.
package struct Fact: Hashable, Sendable {
    /// The subscription or purchase that it speaks of.
    package let key: SubscriptionKey
    /// A version of one transaction.
    package var transaction: TransactionFact?
    /// A version of the renewal information.
    package var renewal: RenewalFact?
    /// The store's own word on the state, in a notification only.
    package var status: StatusFact?
    /// When the store signed that auto-renewal was turned off: the cancellation, in a notification.
    package var renewalDisabled: Moment?
    /// What else is sold together with the transaction, under the same version; not Apple's.
    package var items: [TransactionFact] = []
    /// What was refunded or withdrawn; not Apple's, who states it in the transaction.
    package var revocations: [RevocationFact] = []
    /// Whom the purchase names.
    package var user: UserFact?
    /// When another purchase took its place for good; older journals say so of Apple's, too.
    package var replaced: Moment?
    /// What took its place at Apple.
    package var replacement: Replacement?
    /// Whether its token was made from an account id that is no UUID, so that it is nobody's id.
    ///
    /// Only the command that brings the fact asks: nothing keeps it.
    package var hasDerivedToken = false

    /// A fact about `key` with these parts.
    package init(
        key: SubscriptionKey,
        transaction: TransactionFact? = nil,
        renewal: RenewalFact? = nil,
        status: StatusFact? = nil,
        renewalDisabled: Moment? = nil
    ) {
        self.key = key
        self.transaction = transaction
        self.renewal = renewal
        self.status = status
        self.renewalDisabled = renewalDisabled
    }

    /// That `replacement` took the place of the purchase `key`; nothing else stands in such a fact.
    package init(replacing key: SubscriptionKey, _ replacement: Replacement) {
        self.init(key: key)
        self.replacement = replacement
    }

    /// The same as the journal keeps it.
    var asKept: Fact {
        guard hasDerivedToken else { return self }
        var kept = self
        kept.hasDerivedToken = false
        return kept
    }
}
