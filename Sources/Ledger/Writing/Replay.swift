import Entitlements
import Journal

// Replay: views and base advance by absorbing entries of the journal, without deciding anything.

/// Entries that are stored together.
typealias ReplayEntries = [(entry: JournalEntry, group: UInt64)]

/// Gathers the entries of a replay into pieces that are absorbed together.
///
/// A piece consists of whole groups and is small enough for memory.
struct ReplayPieces {
    private var entries: ReplayEntries = []
    private var bytes = 0
    private var isInstalled = false
    /// The largest piece so far, in bytes of the journal.
    private(set) var bytesMax = 0

    /// Adds an entry; returns the piece that ended before it, if there is one.
    mutating func take(_ entry: JournalEntry, in group: UInt64) -> ReplayEntries? {
        var piece: ReplayEntries?
        // A group is stored whole or not at all, so that `applied` names a whole group.
        if isFull, entries.last?.group != group { piece = rest() }
        entries.append((entry, group))
        bytes += entry.body.count + 8 * entry.links.count
        // A catalog must be stored with the state at its installation, so the piece ends here.
        if entry.kind == EntryKind.install.rawValue { isInstalled = true }
        return piece
    }

    /// Returns the entries of the unfinished piece and begins a new one.
    mutating func rest() -> ReplayEntries {
        bytesMax = max(bytesMax, bytes)
        (bytes, isInstalled) = (0, false)
        defer { entries.removeAll(keepingCapacity: true) }
        return entries
    }

    private var isFull: Bool {
        entries.count >= LedgerLimits.replayEntriesMax || bytes >= LedgerLimits.replayBytesMax
            || isInstalled
    }
}

extension AppliedState {
    /// An empty desk that continues from this state.
    var desk: Desk {
        Desk(
            numbering: numbering,
            catalog: catalog,
            idFloor: idFloor,
            secret: secret,
            datedProducts: datedProducts
        )
    }

    /// Absorbs `entries` on `desk` and returns the state after them.
    ///
    /// `onEntry` is called with the desk after each entry.
    func absorbing(
        _ entries: ReplayEntries,
        on desk: inout Desk,
        from source: some RecordSource,
        onEntry: (borrowing Desk) throws -> Void = { _ in }
    ) throws -> AppliedState {
        var next = self
        for (entry, group) in entries {
            next.now = try desk.absorb(entry, from: source)
            next.seq = entry.seq
            next.group = group
            next.at = Moment(entry.moment)
            try onEntry(desk)
        }
        next.take(desk)
        return next
    }

    /// Takes over the state that the desk holds besides the records.
    mutating func take(_ desk: borrowing Desk) {
        numbering = desk.numbering
        catalog = desk.catalog
        idFloor = desk.idFloor
        secret = desk.secret
        datedProducts = desk.datedProducts
        told = desk.ticksTold.last { !$0.isAhead }?.passings.last?.due ?? told
    }
}

extension Desk {
    /// Absorbs an entry of the journal as the writer did when it decided it; returns the moment at
    /// which the entry was judged.
    @discardableResult
    mutating func absorb(
        _ entry: JournalEntry,
        from source: some RecordSource
    ) throws -> Moment {
        let content = try EntryBody.content(of: entry)
        forgetTouched()
        for event in content.events {
            try absorb(event, at: content.now, seq: entry.seq, from: source)
        }
        mark(content.milestones, at: entry.seq)
        judgedAt[entry.seq] = content.now
        return content.now
    }
}
