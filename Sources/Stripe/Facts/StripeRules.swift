/// What the configuration says about Stripe's facts.
package struct StripeRules: Hashable, Sendable {
    /// The metadata key under which the user is named.
    package var userIDMetadata: String
    /// How long access continues from the start of an unpaid period, in ms.
    package var pastDueGraceMilliseconds: Int64
    /// Which disputes take access away.
    package var disputes: Disputes

    /// Which disputes take access away.
    package enum Disputes: String, Hashable, Sendable, CaseIterable {
        /// As soon as the money is withdrawn; it may come back.
        case created
        /// When the dispute is lost.
        case lost
    }

    /// Creates rules; the grace is in ms.
    package init(
        userIDMetadata: String = "user_id",
        pastDueGraceMilliseconds: Int64 = 168 * 3600 * 1000,
        disputes: Disputes = .lost
    ) {
        self.userIDMetadata = userIDMetadata
        self.pastDueGraceMilliseconds = pastDueGraceMilliseconds
        self.disputes = disputes
    }

    /// Whether a dispute in this state takes access away.
    func takesAway(_ dispute: StripeDispute.Status) -> Bool {
        switch dispute {
        case .lost: true
        case .open: disputes == .created
        case .won, .inquiry: false
        }
    }
}
