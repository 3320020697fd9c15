// Made by contrib/clients/generate.py from proto/openrpc.json.

import FoundationEssentials

/// A user's credits.
public struct CreditBalance: Decodable, Equatable, Sendable {
    /// Credits of one origin.
    public struct Bucket: Decodable, Equatable, Sendable {
        /// How many.
        public let amount: Int64
        /// When they end; nil for never.
        public let expiresAt: Date?
        /// Where they come from: `free`, `pack:PRODUCT`, `period:PRODUCT`, `trial:PRODUCT`, or what
        /// an admin said.
        public let source: String
    }

    /// What can be spent now, holds taken out.
    public let balance: Int64
    /// What reservations set aside.
    public let held: Int64
    /// Where the credits come from, in the order of spending: soonest end first.
    public let buckets: [Bucket]
}
