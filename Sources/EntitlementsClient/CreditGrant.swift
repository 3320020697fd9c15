import FoundationEssentials

/// Credits that an admin gives or corrects.
public struct CreditGrant: Equatable, Sendable {
    /// How many; below zero takes, which only `adjustCredits` does.
    public var amount: Int64
    /// Names this grant: the same key never counts twice.
    ///
    /// It is made up once, when the grant is: keep the grant to repeat it.
    public var idempotencyKey: String
    /// When they end; nil for never.
    public var expiresAt: Date?
    /// Where they come from, as `credits(of:)` shows it.
    public var source: String?
    /// Why, for the history.
    public var reason: String?

    /// Credits without an end.
    public init(amount: Int64, idempotencyKey: String? = nil) {
        self.amount = amount
        self.idempotencyKey = idempotencyKey ?? IdempotencyKey.fresh()
    }
}
