/// What stands for the entries of the journal that were pruned, for those who read histories.
protocol PrunedHistory: Sendable {
    /// Where the history that is kept begins; nil where nothing was pruned.
    var border: HistoryBorder? { get }

    /// Lends the rows as they are; nil where there are none.
    func lookAtAll<Found: Sendable>(_ body: (Snapshot) throws -> Found) throws -> Found?

    /// Lends the rows as they are stored, and the border that they stand for; nil where there are
    /// none.
    func lookAtStored<Found: Sendable>(
        _ body: (Snapshot, HistoryBorder) throws -> Found
    ) throws -> Found?
}

extension PrunedHistory {
    /// The position of the border, 0 where nothing was pruned.
    var seq: UInt64 { border?.seq ?? 0 }
}
