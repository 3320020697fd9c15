// Made by contrib/clients/generate.py from proto/openrpc.json.

import FoundationEssentials

/// A page of what changed for a user.
public struct HistoryPage: Decodable, Equatable, Sendable {
    /// The changes, oldest first; none after the last one.
    public let events: [HistoryEvent]
    /// Where the journal was pruned before this moment, and the user was known then: what changed
    /// up to it is not told any more.
    public let oldest: Date?
}
