import FoundationEssentials

/// A page of what changed for a user.
public struct HistoryPage: Decodable, Equatable, Sendable {
    /// The changes, oldest first; none after the last one.
    public let events: [HistoryEvent]
    /// What changed up to this moment is not told any more; nil while everything is.
    public let oldest: Date?
}
