import FoundationEssentials

/// A user's credits.
public struct CreditBalance: Equatable, Sendable {
    /// Credits of one origin.
    public struct Bucket: Equatable, Sendable {
        /// How many.
        public let amount: Int64
        /// When they end; nil for never.
        public let expiresAt: Date?
        /// Where they come from.
        public let source: String

        init(_ members: Members) throws(ClientError) {
            amount = try members.integer("amount")
            expiresAt = try members.optionalDate("expiresAt")
            source = try members.string("source")
        }
    }

    /// What can be spent now.
    public let balance: Int64
    /// What reservations set aside.
    public let held: Int64
    /// Where the credits come from, in the order in which they are spent.
    public let buckets: [Bucket]

    init(_ members: Members) throws(ClientError) {
        balance = try members.integer("balance")
        held = try members.integer("held")
        buckets = try members.list("buckets", Bucket.init)
    }
}
