import Entitlements
import Glibc
import Journal
import LMDB

/// Views that are rebuilt from base and journal, to be compared with the existing views or to
/// replace them.
///
/// They are in scratch files, so they need disk space but little memory.
struct Replica {
    private(set) var rows: Base.Rows
    private var pieces = ReplayPieces()
    /// The position up to which no tick is kept; 0 without a base.
    let border: UInt64
    private let isEnding: @Sendable () -> Bool
    /// The milestones that differ from the replayed records.
    private(set) var findings = VerificationReport()
    /// Whether nobody was erased, so that the journal still has the names with which its entries
    /// were decided.
    var namesAreFirst = true
    /// From this entry on, the journal may keep records that other rules made.
    ///
    /// A record stays as old rules made it until something is heard of it, so an entry that the
    /// present rules decided may keep such a record, too.
    private var otherRulesFrom: UInt64

    /// Creates a replica with the rows of the base of `options.directory`, if there is one.
    ///
    /// - Parameters:
    ///   - options: the location of base and journal.
    ///   - place: a directory on the file system that holds the scratch files.
    ///   - bytes: the size of the views with which the replica is compared; 0 if there are none.
    /// - Throws: `.damaged` if the base is damaged.
    init(_ options: Ledger.Options, in place: String, besides bytes: Int = 0) throws {
        let path = Base.readPath(options.directory, options.journal)
        var baseBytes = 0
        if let path {
            do {
                try Environment.inspect(directory: path)
                baseBytes = try Ledger.byteCount(of: path + "/data.mdb")
            } catch {
                throw Base.named(error)
            }
        }
        // This is only address space, generous enough for half-empty pages and the rows that the
        // journal adds.
        let made = bytes + baseBytes + (try options.journal.reading(appliedGroup: 0).bytes())
        let environment = try Environment.scratch(
            in: place,
            mapSizeBytes: max(
                options.mapSizeBytes,
                LedgerLimits.scratchBytesMin + LedgerLimits.scratchShare * made
            )
        )
        let views = try Views(environment)
        let border = try path.map { try Self.take($0, options, into: views) } ?? 0
        self.border = border
        // Nobody knows which rules decided what was pruned.
        otherRulesFrom = border > 0 ? 0 : .max
        // Entries may have been judged by a clock that was ahead and was put right since.
        rows = try Base.Rows(
            views,
            limits: options.checkpoints,
            sweptUntil: Moment(options.clock.wall())
        ) { border }
        isEnding = options.isEnding
    }

    /// Copies the rows of the base at `path`; returns their position.
    private static func take(
        _ path: String,
        _ options: Ledger.Options,
        into views: Views
    ) throws -> UInt64 {
        do {
            let environment = try Environment.open(
                directory: path,
                options: .init(mapSizeBytes: options.mapSizeBytes, isReadOnly: true)
            )
            defer { environment.close() }
            let base = try Views(reading: environment)
            try views.take(allOf: base, isEnding: options.isEnding)
            return try views.environment.read { try views.appliedState($0).seq }
        } catch LedgerFailure.shuttingDown {
            throw LedgerFailure.shuttingDown
        } catch {
            throw Base.named(error)
        }
    }

    var state: AppliedState { rows.state }
    var views: Views { rows.views }

    /// The greatest memory use, in bytes: rows that were not stored yet, and entries that were not
    /// absorbed yet.
    var heldBytesMax: Int { rows.heldBytesMax + pieces.bytesMax }

    /// Takes the next entry of the journal, to be absorbed together with others.
    ///
    /// - Parameters:
    ///   - entry: the entry.
    ///   - group: its group.
    ///   - source: the policy under which alarms are set; nil if no alarms are needed.
    ///   - onPiece: called with the accounts that a piece changed, in every state that they had;
    ///     only if no alarms are needed.
    /// - Throws: `.shuttingDown` if it was told to end; another failure if an entry cannot be
    ///   absorbed.
    mutating func take(
        _ entry: JournalEntry,
        in group: JournalGroup,
        under source: Policy.Source?,
        onPiece: ([Account]) throws -> Void = { _ in }
    ) throws {
        if group.rulesVersion != Rules.version { otherRulesFrom = min(otherRulesFrom, entry.seq) }
        guard let piece = pieces.take(entry, in: group.number) else { return }
        try absorb(piece, under: source, onPiece)
    }

    /// Absorbs the entries that are left, and stores the rows.
    mutating func finish(
        under source: Policy.Source?,
        onPiece: ([Account]) throws -> Void = { _ in }
    ) throws {
        try absorb(pieces.rest(), under: source, onPiece)
        try rows.store()
    }

    /// Records that the present version of the rules made the rows.
    ///
    /// The rows of the base were made by earlier rules and cannot be made again, because their
    /// entries are pruned.
    func nameRules() throws {
        guard state.seq > 0, state.rules != Rules.version else { return }
        var changes = RowChanges()
        changes.put(.rules(Rules.version))
        try views.store(changes)
    }

    private func likeness(at entry: JournalEntry) -> MilestoneLikeness {
        if entry.seq >= otherRulesFrom { return .besideRules }
        return namesAreFirst ? .exact : .besideNames
    }

    private mutating func absorb(
        _ piece: ReplayEntries,
        under source: Policy.Source?,
        _ onPiece: ([Account]) throws -> Void
    ) throws {
        if isEnding() { throw LedgerFailure.shuttingDown }
        guard !piece.isEmpty else { return }
        var accounts: [Account] = []
        var entries = piece.map { ($0.entry, likeness(at: $0.entry)) }[...]
        var found = findings
        try rows.absorb(piece, under: source) { desk in
            if let (entry, likeness) = entries.popFirst() {
                try desk.compare(withMilestonesOf: entry, likeness, &found)
            }
            for (user, _) in desk.touched {
                if let now = desk.accounts[user] { accounts.append(now) }
            }
        }
        findings = found
        try onPiece(accounts)
    }
}
