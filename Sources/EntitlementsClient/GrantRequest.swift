import FoundationEssentials

/// Access that an admin gives.
public struct GrantRequest: Equatable, Sendable {
    /// The plan that holds while the grant does.
    public var plan: String
    /// Names this grant: the same key never makes a second one.
    ///
    /// It is made up once, when the request is: keep the request to repeat it.
    public var idempotencyKey: String
    /// Its end; nil for none.
    public var expiresAt: Date?
    /// Its beginning; nil for now.
    public var startsAt: Date?
    /// What is shown as the method of the subscription instead of `grant`.
    public var store: String?
    /// Why, for the history.
    public var reason: String?

    /// A grant of `plan`, from now on, without an end.
    public init(plan: String, idempotencyKey: String? = nil) {
        self.plan = plan
        self.idempotencyKey = idempotencyKey ?? IdempotencyKey.fresh()
    }
}
