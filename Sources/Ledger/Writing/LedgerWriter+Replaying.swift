import Entitlements
import Journal

extension LedgerWriter {
    /// Absorbs the journal entries that the views do not reflect yet.
    func replayTail(_ isEnding: () -> Bool) throws {
        backlog.begin(after: state.told)
        var pieces = ReplayPieces()
        try journal.read(after: state.seq) { group, entries in
            for entry in entries {
                guard let piece = pieces.take(entry, in: group.number) else { continue }
                if isEnding() {
                    // Store the progress, so that the next start continues here.
                    try checkpointer.settle()
                    throw LedgerFailure.shuttingDown
                }
                try absorb(piece)
            }
            return true
        }
        try absorb(pieces.rest())
        // Moments that were told while the clock was ahead are still to come.
        backlog.resume(at: state.now)
        // Stored alarms may be earlier than those that the tail has set.
        alarm = nil
        try noteAlarm()
    }

    private func absorb(_ entries: ReplayEntries) throws {
        if entries.isEmpty { return }
        var desk = state.desk
        var next = state
        var changes = RowChanges()
        try checkpointer.makeRoom(for: entries.count)
        try look { snapshot in
            next = try state.absorbing(entries, on: &desk, from: snapshot)
            publish(next.numbering)
            try changes.take(desk, next, after: state, under: policy, from: snapshot)
        }
        state = next
        takeInstalled()
        for tick in desk.ticksTold { backlog.replay(tick) }
        show(changes)
        let erased = entries.filter { $0.entry.kind == EntryKind.erase.rawValue }.map(\.entry.seq)
        erasures.resume(erased)
    }
}
