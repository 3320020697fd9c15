import Entitlements
import Journal

extension LedgerWriter {
    /// Absorbs the journal entries that the views do not reflect yet.
    func replayTail(_ isEnding: () -> Bool) throws {
        try expectNobodyErased()
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

    /// Throws where the views have somebody whom the journal has erased since, and names no more:
    /// to replay that erasure would take nothing away.
    ///
    /// They are those of an older copy: an erasure is stored before the journal is rewritten.
    private func expectNobodyErased() throws {
        var erasures: [Erasure] = []
        try journal.read(after: state.seq) { _, entries in
            for entry in entries where entry.kind == EntryKind.erase.rawValue {
                for case .erased(let erasure) in try EntryBody.events(of: entry)
                where erasure.isRewritten { erasures.append(erasure) }
            }
            return true
        }
        guard let secret = erasures.first?.secret else { return }
        let gone = Set(erasures.map(\.person))
        var next: [UInt8]? = []
        while let start = next {
            let (page, rest) = try look {
                try $0.accounts(from: start, to: nil, limit: LedgerLimits.rearmedAccountsMax)
            }
            let isThere = page.contains { gone.contains(secret.mark(of: .user($0.user))) }
            guard !isThere else {
                throw LedgerFailure.damaged(
                    "data.mdb is an old copy: it names somebody who was erased since"
                )
            }
            next = rest
        }
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
