// Journal is the append-only truth: groups of entries, each committed once, behind six calls.
//
// In reading order:
//   JournalEntry      what is kept, with JournalGroup
//   Journal           below: what may be asked of a journal, and its laws in full
//   JournalLocation   how one is opened
//   SegmentJournal    the one that keeps segment files: SegmentWriter appends, Segments reads
//   GroupFormat       the bytes of a group
//   SegmentFile       one file, as bytes; SegmentDirectory has their names
//   JournalProof      which group was the last to be flushed; ProofFile keeps it
//
// Its laws:
//   1. There is one order: what is committed keeps its place, and numbers have no gaps.
//   2. A group goes behind the position that its author knows, or nowhere.
//   3. What is committed survives a crash; where nobody can say, the author reads before it speaks.
//
// It never knows what an entry says: a body is bytes to it.

/// The append-only truth, behind six calls: append, read, entry, rewrite, drop, export.
///
/// Laws, whatever keeps the groups (those of the files are at `SegmentWriter`):
///  - One order. Groups and entries are numbered from 1, both without gaps; what is committed
///    keeps its place, and a rewriting changes no place and no length.
///  - A position is expected: a group goes behind the position that its author knows, or nowhere.
///    So two authors can never both be right about what was decided.
///  - Committed means that no crash takes it away. Unknown means that nobody can say: the author
///    reads behind the position before anything is said to anybody, and what is read then is final.
///  - Entries are opaque: what is in a body is the ledger's business, and nothing here decides.
///
/// `append` is for one thread, the author's. Everything else may be asked from any thread, also
/// meanwhile; of `rewrite`, `drop` and `export` one at a time.
package protocol Journal: AnyObject, Sendable {
    /// Puts `entries` behind `last` as one group, and waits until it is committed.
    ///
    /// No entries: nothing is added. It says whether `last` is still the end, and gives the journal
    /// the time to finish what no answer had to wait for.
    ///
    /// - Throws: where it is certain that the group is not there and never will be: `.diskFull`
    ///   (the next one may fit), `.tooLarge`, `.closed`.
    func append(
        _ entries: [JournalEntry],
        under versions: JournalVersions,
        after last: JournalPosition
    ) throws(JournalFailure) -> AppendOutcome

    /// Hands every group to `visit`, whole, in order, until one has the entry `last` or `visit`
    /// answers false: with the entries after `seq`, or with all that are here.
    ///
    /// - Parameters:
    ///   - seq: after which entry; nil: from the oldest that is here.
    ///   - last: the entry to stop at; `.max` for the end.
    ///   - onDamage: told of what is not as it was written, in a sentence; it answers whether to go
    ///     on behind it. Nil: damage is thrown.
    ///   - visit: may take long, and may ask the journal.
    /// - Returns: how far the journal reaches, and what it takes.
    /// - Throws: `.pruned` where what comes after `seq` is not here any more; `.damaged`; `.io`,
    ///   also where nobody can say where the end is; what `visit` throws.
    @discardableResult
    func read(
        after seq: UInt64?,
        through last: UInt64,
        onDamage: ((String) -> Bool)?,
        _ visit: (JournalGroup, [JournalEntry]) throws -> Bool
    ) throws -> JournalExtent

    /// The entry `seq`; nil when it is not here: not committed, or dropped.
    ///
    /// With `memory` neighbours cost less: what was read for one is kept there for the next.
    ///
    /// - Throws: `.damaged` where it was here once and cannot be read any more.
    func entry(
        _ seq: UInt64,
        remembering memory: JournalMemory?
    ) throws(JournalFailure) -> JournalEntry?

    /// Puts what `change` answers in the place of the entries that it changes, all of them or none,
    /// up to `seq`, which is committed.
    ///
    /// An entry keeps its seq; its length may change. One that failed midway is completed first.
    ///
    /// - Parameters:
    ///   - seq: the last entry that may be changed.
    ///   - onCommit: called once the new entries hold, for what must change with them; a crash
    ///     behind it is what `JournalLocation.hasUnfinishedRewrite` tells of.
    ///   - change: the new entry; nil for one that stays.
    /// - Throws: `.damaged`, before anything was changed, where an entry cannot be read; what
    ///   `change` and `onCommit` throw.
    func rewrite(
        through seq: UInt64,
        onCommit: () throws -> Void,
        _ change: (JournalEntry) throws -> JournalEntry?
    ) throws

    /// Lets the oldest entries go, in such pieces as the journal is kept in: those of which every
    /// entry is older than `extent` says.
    ///
    /// - Parameters:
    ///   - extent: what may go.
    ///   - isDryRun: only says what would go.
    ///   - onEach: called behind each piece that went; a crash between leaves no gap.
    /// - Returns: what went, or would go; nil where nothing may.
    /// - Throws: `.damaged` where nobody can say how old a piece is; `.io`.
    func drop(
        _ extent: DropExtent,
        isDryRun: Bool,
        onEach: () -> Void
    ) throws(JournalFailure) -> JournalDrop?

    /// Copies what is here up to the end of `group`, which is committed, into a new directory that
    /// a `SegmentJournal` opens: the form of a backup, whatever keeps the journal itself.
    func export(throughGroup group: UInt64, to path: String) throws(JournalFailure) -> JournalCopy
}

/// What became of a group that was appended.
package enum AppendOutcome: Sendable, Equatable {
    /// It is there, and no crash takes it away.
    case committed
    /// It is not there and never will be: the journal ends at another position.
    case conflict(JournalPosition)
    /// It may be there; what is read behind the expected position says.
    case unknown(JournalFailure)
}

/// A place between two groups.
package struct JournalPosition: Sendable, Hashable {
    /// The last entry before it; 0 at the beginning.
    package let seq: UInt64
    /// The last group before it; 0 at the beginning.
    package let group: UInt64

    /// The place behind the entry `seq`, which is the last of `group`.
    package init(seq: UInt64, group: UInt64) {
        self.seq = seq
        self.group = group
    }
}

/// What the entries of a group were decided under.
package struct JournalVersions: Sendable, Hashable {
    /// The version of the catalog.
    package let catalog: UInt32
    /// The version of the rules.
    package let rules: UInt32

    /// Both.
    package init(catalog: UInt32, rules: UInt32) {
        self.catalog = catalog
        self.rules = rules
    }
}

/// How far a journal reaches.
package struct JournalExtent: Sendable, Equatable {
    /// The last entry; 0 when there is none.
    package let lastSeq: UInt64
    /// What it takes where it is kept.
    package let bytes: Int

    /// Both.
    package init(lastSeq: UInt64, bytes: Int) {
        self.lastSeq = lastSeq
        self.bytes = bytes
    }
}

/// Which entries may go.
package struct DropExtent: Sendable {
    /// Older than this, in milliseconds since 1970.
    package let moment: Int64
    /// None after this one.
    package let lastSeq: UInt64
    /// No more than that together, but at least one piece.
    package let bytesMax: Int

    /// Those older than `moment`, up to `lastSeq`.
    package init(olderThan moment: Int64, through lastSeq: UInt64, within bytesMax: Int = .max) {
        self.moment = moment
        self.lastSeq = lastSeq
        self.bytesMax = bytesMax
    }
}

/// What went, or would go.
package struct JournalDrop: Sendable, Equatable {
    /// The last entry of it.
    package let lastSeq: UInt64
    /// How many pieces went; 0 in a dry run.
    package let pieces: Int

    /// Both.
    package init(lastSeq: UInt64, pieces: Int) {
        self.lastSeq = lastSeq
        self.pieces = pieces
    }
}

extension Journal {
    /// Reads to the end; see `read(after:through:onDamage:_:)`.
    @discardableResult
    package func read(
        after seq: UInt64?,
        through last: UInt64 = .max,
        _ visit: (JournalGroup, [JournalEntry]) throws -> Bool
    ) throws -> JournalExtent {
        try read(after: seq, through: last, onDamage: nil, visit)
    }

    /// What it takes where it is kept.
    package func bytes() throws -> Int { try read(after: .max) { _, _ in false }.bytes }

    /// The entry `seq`, read for itself alone.
    package func entry(_ seq: UInt64) throws(JournalFailure) -> JournalEntry? {
        try entry(seq, remembering: nil)
    }
}
