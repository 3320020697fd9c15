import Entitlements
import Journal

extension LedgerWriter {
    /// Puts a group behind the position of the views, and returns once it is committed.
    ///
    /// Where nobody can say what became of it, the position is looked up before anybody is told
    /// anything: a group that is there was committed, and one that is not there is appended again
    /// as it was decided. Nothing is decided twice.
    ///
    /// - Throws: `.storageFull` and `.tooLarge` where the group is not there; `.failed` where
    ///   another writer has appended, or where nobody can say: then nothing more may be written.
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
                // Behind an answer that was lost it may be this group that stands there.
                guard isInDoubt, try isCommitted(entries) else { throw overtaken(end) }
                appended += 1
                return
            }
        }
        throw LedgerFailure.failed("journal: nobody can say whether a group was kept")
    }

    /// Gives the journal time for what no answer waited for; answers why nothing can be written any
    /// more.
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

    /// Whether the group behind the position is just this one.
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
