import Entitlements
import Journal

extension LedgerWriter {
    /// Appends a group after the position of the views, and returns once it is committed.
    ///
    /// If the journal answers *unknown*, the writer reads the position back before it answers
    /// anybody. If the group is there, it was committed; if not, the same entries are appended
    /// again. Nothing is decided twice.
    ///
    /// - Throws: `.storageFull` and `.tooLarge` if the group was not appended; `.failed` if another
    ///   writer has appended, or if the result stays unknown. Nothing more may be written then.
    func append(_ entries: [JournalEntry], _ catalogVersion: UInt32) throws {
        let versions = JournalVersions(catalog: catalogVersion, rules: Rules.version)
        var isInDoubt = false
        for _ in 0..<LedgerLimits.appendTriesMax {
            switch try journal.append(entries, under: versions, after: position) {
            case .committed:
                appended += 1
                return
            case .unknown:
                isInDoubt = true
                guard try isCommitted(entries) else { continue }
                appended += 1
                return
            case .conflict(let end):
                // After a lost answer, the entries found there may be this group.
                guard isInDoubt, try isCommitted(entries) else { throw overtaken(end) }
                appended += 1
                return
            }
        }
        throw LedgerFailure.failed("journal: nobody can say whether a group was kept")
    }

    /// Makes an empty append, so that the journal flushes what no answer waits for.
    ///
    /// Returns a failure after which nothing more can be written.
    func closeGroups() -> LedgerFailure? {
        let versions = JournalVersions(catalog: policy.source.version, rules: Rules.version)
        do {
            switch try journal.append([], under: versions, after: position) {
            case .committed: break
            case .conflict(let end): return overtaken(end)
            case .unknown: _ = try isCommitted([])
            }
            return nil
        } catch {
            return LedgerFailure(error)
        }
    }

    /// Whether the group after the position is this one.
    private func isCommitted(_ entries: [JournalEntry]) throws -> Bool {
        var found: [JournalEntry] = []
        try journal.read(after: state.seq) { _, group in
            found = group
            return false
        }
        if found.isEmpty || found == entries { return !found.isEmpty }
        throw overtaken(JournalPosition(seq: found[found.count - 1].seq, group: state.group + 1))
    }

    private func overtaken(_ end: JournalPosition) -> LedgerFailure {
        .failed(
            "journal: another writer has appended to it: it ends with entry \(end.seq), and this"
                + " one knows of \(state.seq)"
        )
    }

    /// The end of the journal, as far as this writer knows.
    private var position: JournalPosition { JournalPosition(seq: state.seq, group: state.group) }
}
