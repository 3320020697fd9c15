import FoundationEssentials

/// Something that changed for a user.
public struct HistoryEvent: Decodable, Equatable, Sendable {
    /// Its place in the journal.
    public let seq: Int64
    /// When.
    public let at: Date
    /// Why.
    public let cause: ChangeCause
    /// The account before it.
    public let before: AccountStatus
    /// The account after it.
    public let after: AccountStatus
}
