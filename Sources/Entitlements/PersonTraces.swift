/// What the views hold of a person, beside the account: found by looking through the tables.
package struct PersonTraces: Hashable, Sendable {
    /// Purchases that are the person's alone.
    package var subscriptions: [SubscriptionKey] = []
    /// Purchases of others that name the person, or a token of theirs.
    package var shared: [SubscriptionKey] = []
    /// The account's tokens, and those of nobody that stand on the person's purchases alone.
    package var tokens: [Token] = []
    /// Purchases of the person that wait for a token.
    package var unclaimed: [Unclaimed] = []
    /// The digests of idempotency keys.
    package var settlements: [Digest128] = []
    /// Reservations, ended ones too.
    package var reservations: [UInt64] = []
    /// Credit packs.
    package var packs: [PackKey] = []
    /// Accounts that went into the person's.
    package var formers: [FormerTraces] = []

    /// Nothing.
    package init() {}
}
