// Made by contrib/clients/generate.py from proto/openrpc.json.

import FoundationEssentials

/// How far an outbox is.
public struct OutboxStatus: Decodable, Equatable, Sendable {
    /// A change that failed and is tried again.
    public struct FailingChange: Decodable, Equatable, Sendable {
        /// Its `webhook-id`.
        public let id: String
        /// Whose it is.
        public let userID: String
        /// Its position in the journal.
        public let seq: Int64
        /// How often it failed.
        public let failures: Int64
        /// Why, at the last attempt.
        public let failure: String?
        /// When it is tried again.
        public let nextAttemptAt: Date?
    }

    /// A change that was given up.
    public struct ParkedChange: Decodable, Equatable, Sendable {
        /// Its `webhook-id`.
        public let id: String
        /// What it says: a change, a state, or that a person was erased.
        public let kind: String
        /// Its position in the journal.
        public let seq: Int64
        /// When it was given up.
        public let parkedAt: Date?
        /// Why it was given up.
        public let failure: String
    }

    /// What the configuration calls it.
    public let name: String
    /// The system that is told.
    public let url: String
    /// `delivering`, or `down` while nothing goes through.
    public let state: String
    /// The journal position up to which it has read.
    public let through: Int64
    /// Positions of the journal that it has still to read.
    public let behind: Int64
    /// Changes that it has read and that are not delivered.
    public let waiting: Int64
    /// Of those, the ones held back by settleSeconds.
    public let held: Int64
    /// Changes that were given up, mostly after three days.
    public let parked: Int64
    /// Whether it tells states, where the journal does not say what changed.
    public let retelling: Bool
    /// When a post last went through.
    public let deliveredAt: Date?
    /// When a post last failed.
    public let failedAt: Date?
    /// Why the last post that failed did.
    public let failure: String?
    /// The oldest 20 that have failed and are tried again.
    public let failing: [FailingChange]
    /// The newest 20 that were given up.
    public let parkedChanges: [ParkedChange]
}
