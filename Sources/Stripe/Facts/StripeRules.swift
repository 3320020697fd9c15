/// What the configuration says about Stripe's facts.
package struct StripeRules: Hashable, Sendable {
    /// Under which name metadata holds the user.
    package var userIDMetadata: String
    /// How long access goes on from the start of a period that is not paid, in ms.
    package var pastDueGraceMilliseconds: Int64
    /// Which disputes take access away.
    package var disputes: Disputes

    /// Which disputes take access away.
    package enum Disputes: String, Hashable, Sendable, CaseIterable {
        /// As soon as the money is gone; it may come back.
        case created
        /// When they are lost.
        case lost
    }

    /// These rules; the grace is in ms.
    package init(
        userIDMetadata: String = "user_id",
        pastDueGraceMilliseconds: Int64 = 168 * 3600 * 1000,
        disputes: Disputes = .lost
    ) {
        self.userIDMetadata = userIDMetadata
        self.pastDueGraceMilliseconds = pastDueGraceMilliseconds
        self.disputes = disputes
    }

    /// Whether a dispute that stands so takes access away.
    func takesAway(_ dispute: StripeDispute.Status) -> Bool {
        switch dispute {
        case .lost: true
        case .open: disputes == .created
        case .won, .inquiry: false
        }
    }
}
