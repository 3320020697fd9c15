import Journal

extension Segments {
    /// Reads the segments in `directory`, where nobody writes, entry by entry.
    @discardableResult
    package static func readEach(
        directory: String,
        afterSeq seq: UInt64,
        appliedGroup: UInt64 = 0,
        _ visit: (JournalEntry, JournalGroup) throws -> Void
    ) throws -> JournalSummary {
        try read(directory: directory, afterSeq: seq, appliedGroup: appliedGroup) {
            group,
            entries in
            for entry in entries { try visit(entry, group) }
            return true
        }
    }
}
