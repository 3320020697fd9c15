import Entitlements
import Glibc
import Journal
import LMDB

/// Views made anew from base and journal, to be compared with others or to take their place: in
/// scratch files, which need room on the disk, and little memory.
struct Replica {
    private(set) var rows: Base.Rows
    private var pieces = ReplayPieces()
    /// No tick up to there is kept; 0 without a base.
    let border: UInt64
    private let isEnding: @Sendable () -> Bool
    /// Milestones that keep records which were other ones.
    private(set) var findings = VerificationReport()
    /// Whether the journal has the names that its entries were decided with: nobody was erased.
    var namesAreFirst = true

    /// Everything that the base of `options.directory` has, if there is one.
    ///
    /// - Parameters:
    ///   - options: where base and journal are.
    ///   - place: on whose file system the rows are made.
    ///   - bytes: what the views take that the replica is compared with, if there are some.
    /// - Throws: `.damaged` where the base is not what was stored.
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
        // Address space alone: pages that are half empty, and what the journal makes.
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
        rows = try Base.Rows(views, limits: options.checkpoints) { border }
        isEnding = options.isEnding
    }

    /// Takes the rows of the base at `path`; answers how far they are.
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

    /// The most of anything that was in memory at once, in bytes: rows that were not stored, and
    /// entries that were not absorbed.
    var heldBytesMax: Int { rows.heldBytesMax + pieces.bytesMax }

    /// Takes the next entry of the journal; it is absorbed with others.
    ///
    /// - Parameters:
    ///   - entry: the entry.
    ///   - group: the number of its group.
    ///   - source: the policy under which alarms are set; nil where nobody asks for alarms.
    ///   - onPiece: called with the accounts that a piece changed, in every state that they had;
    ///     only where nobody asks for alarms.
    /// - Throws: `.shuttingDown` where it was told to end; where an entry cannot be absorbed.
    mutating func take(
        _ entry: JournalEntry,
        in group: UInt64,
        under source: Policy.Source?,
        onPiece: ([Account]) throws -> Void = { _ in }
    ) throws {
        guard let piece = pieces.take(entry, in: group) else { return }
        try absorb(piece, under: source, onPiece)
    }

    /// Absorbs what was taken, and stores it.
    mutating func finish(
        under source: Policy.Source?,
        onPiece: ([Account]) throws -> Void = { _ in }
    ) throws {
        try absorb(pieces.rest(), under: source, onPiece)
        try rows.store()
    }

    /// Says of the rows that the present rules made them.
    ///
    /// What the base has was made by those of its time, and cannot be made again: the entries are
    /// gone.
    func nameRules() throws {
        guard state.seq > 0, state.rules != Rules.version else { return }
        var changes = RowChanges()
        changes.put(.rules(Rules.version))
        try views.store(changes)
    }

    private mutating func absorb(
        _ piece: ReplayEntries,
        under source: Policy.Source?,
        _ onPiece: ([Account]) throws -> Void
    ) throws {
        if isEnding() { throw LedgerFailure.shuttingDown }
        guard !piece.isEmpty else { return }
        var accounts: [Account] = []
        var entries = piece[...]
        var found = findings
        try rows.absorb(piece, under: source) { desk in
            if let (entry, _) = entries.popFirst() {
                try desk.compare(withMilestonesOf: entry, exactly: namesAreFirst, &found)
            }
            for (user, _) in desk.touched {
                if let now = desk.accounts[user] { accounts.append(now) }
            }
        }
        findings = found
        try onPiece(accounts)
    }
}
