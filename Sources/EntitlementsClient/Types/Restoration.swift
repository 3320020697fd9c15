// Made by contrib/clients/generate.py from proto/openrpc.json.

/// What restoring purchases came to.
public struct Restoration: Decodable, Equatable, Sendable {
    /// What became of the subscription.
    ///
    /// A newer daemon may use words that this version does not name.
    public struct Outcome: RawRepresentable, Decodable, Hashable, Sendable {
        /// The word on the wire.
        public let rawValue: String

        /// The word `rawValue`.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// It was nobody's, and is the user's now.
        public static let linked = Outcome(rawValue: "linked")
        /// It was the user's before.
        public static let alreadyOwned = Outcome(rawValue: "already_owned")
        /// It was another user's, and is this one's now.
        public static let moved = Outcome(rawValue: "moved")
        /// It is another user's, and this one's too.
        public static let shared = Outcome(rawValue: "shared")
        /// It stays another user's.
        public static let refused = Outcome(rawValue: "refused")
    }

    /// One subscription.
    public struct Purchase: Decodable, Equatable, Sendable {
        /// The store's name for it.
        public let originalTransactionID: String
        /// What became of the subscription.
        public let outcome: Outcome
    }

    /// The access after it.
    public let entitlement: Entitlement
    /// The account after it.
    public let status: AccountStatus
    /// One for each subscription, in order of appearance.
    public let results: [Purchase]
}
