import Entitlements
import LMDB

/// Compares views with the rows that the journal makes, table by table, with a cursor on each side.
struct ViewComparison {
    private let views: Views
    private let replica: Replica
    private let state: AppliedState
    private let isEnding: @Sendable () -> Bool

    /// - Parameters:
    ///   - views: the views to check.
    ///   - replica: the rows that they should have.
    ///   - state: the state of the views.
    ///   - isEnding: asked now and then; true ends the comparison.
    init(
        _ views: Views,
        _ replica: Replica,
        _ state: AppliedState,
        _ isEnding: @escaping @Sendable () -> Bool
    ) {
        self.views = views
        self.replica = replica
        self.state = state
        self.isEnding = isEnding
    }

    private typealias Entry = (key: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer)

    /// The rows counted so far: those of the views, those among them that are over and may be
    /// swept, and those of the replica that are not over.
    private struct Counts {
        var views = 0
        var viewsOver = 0
        var replica = 0
    }

    /// Compares the rows of `table`.
    func run(_ table: TableName, _ report: inout VerificationReport) throws {
        var found = report
        var counts = Counts()
        try replica.views.environment.read { made in
            try made.withCursor(in: replica.views.table(table)) { right in
                if views.absent.contains(table) {
                    var entry = try right.first()
                    while let row = entry {
                        if !isOver(row, table) { counts.replica += 1 }
                        entry = try right.next()
                    }
                    return
                }
                try views.environment.read { transaction in
                    try transaction.withCursor(in: views.table(table)) { left in
                        try compare(left, right, table, &counts, &found) { key in
                            try transaction.get(key, in: views.table(table))
                        }
                    }
                }
            }
        }
        report = found
        report.rows.append((table, counts.views))
        // Rows that are over may still be there or may be swept.
        let count = counts.views - counts.viewsOver
        if count != counts.replica {
            let found = "\(table.rawValue): \(count) rows"
            report.differ("\(found), the journal makes \(counts.replica)")
        }
    }

    private func compare(
        _ left: borrowing Cursor,
        _ right: borrowing Cursor,
        _ table: TableName,
        _ counts: inout Counts,
        _ report: inout VerificationReport,
        _ lookUp: (UnsafeRawBufferPointer) throws -> UnsafeRawBufferPointer?
    ) throws {
        var (row, made) = (try left.first(), try right.first())
        while row != nil || made != nil {
            let order = Self.order(row, made)
            if order <= 0, let row {
                if counts.views % LedgerLimits.replayEntriesMax == 0, isEnding() {
                    throw LedgerFailure.shuttingDown
                }
                counts.views += 1
                // Look up from the root, as a reader does.
                if try lookUp(row.key)?.baseAddress != row.value.baseAddress {
                    report.differ("\(table.rawValue): a row is not found by its key")
                }
                if isOver(row, table) { counts.viewsOver += 1 }
                check(row, order == 0 ? made : nil, table, &report)
            }
            if order >= 0, let made, !isOver(made, table) { counts.replica += 1 }
            if order <= 0 { row = try left.next() }
            if order >= 0 { made = try right.next() }
        }
    }

    /// Negative if only the views have the next key, positive if only the replica has it.
    private static func order(_ row: Entry?, _ made: Entry?) -> Int {
        guard let row else { return 1 }
        guard let made else { return -1 }
        return row.key.order(to: made.key)
    }

    /// Compares a row of the views with the one that the journal makes; nil if it makes none.
    private func check(
        _ row: Entry,
        _ made: Entry?,
        _ table: TableName,
        _ report: inout VerificationReport
    ) {
        if let made, row.value.elementsEqual(made.value) { return }
        guard let bytes = Seal.opened(row.value, row.key), let found = decoded(row, table) else {
            return report.differ("\(table.rawValue): a row is not what was stored")
        }
        var mayBeOfRules = false
        if let made {
            let made = decoded(made, table)
            if let made, found.agrees(withAny: made, writtenAs: bytes) { return }
            mayBeOfRules = made.map { found.agreesBesideRules(withAny: $0) } ?? false
        } else if found.mayBeGone(at: state.at, behind: replica.border) {
            // It was swept from the replica.
            return
        }
        report.differ(
            "\(table.rawValue): a row is not what the journal makes of it",
            mayBeOfRules: mayBeOfRules
        )
    }

    private func isOver(_ row: Entry, _ table: TableName) -> Bool {
        guard table.row.isSwept else { return false }
        return decoded(row, table)?.mayBeGone(at: state.at, behind: replica.border) ?? false
    }

    private func decoded(_ row: Entry, _ table: TableName) -> (any TableRow)? {
        try? table.row.init(key: row.key, sealed: row.value)
    }

    /// Compares the state besides the records, including the list of installed catalogs, and counts
    /// the rows of `meta`.
    func runMeta(_ report: inout VerificationReport) throws {
        let made = replica.state
        if made.numbering != state.numbering {
            report.differ("meta: the numbering differs", mayBeOfRules: true)
        }
        if made.idFloor != state.idFloor {
            report.differ("meta: the greatest id loaded differs")
        }
        if made.secret != state.secret { report.differ("meta: the secret of the marks differs") }
        if made.datedProducts != state.datedProducts {
            let found = "meta: the products sold for a number of days differ"
            report.differ(found, mayBeOfRules: true)
        }
        if made.catalog != state.catalog { report.differ("meta: the catalog differs") }
        if views.absent.contains(.meta) { return }
        let installed = try catalogs(of: replica.views)
        let found = try? catalogs(of: views)
        if found != installed { report.differ("meta: the catalogs that were in force differ") }
        let count = try views.environment.read { transaction in
            try transaction.entryCount(of: views.table(.meta))
        }
        let expected =
            (state.seq > 0 ? 2 : 0) + (state.catalog == nil ? 0 : 1) + installed.count
            + (state.idFloor == 0 ? 0 : 1) + (state.secret == nil ? 0 : 1)
            + (state.datedProducts.isEmpty ? 0 : 1)
            + (state.seq == 0 || state.rules == Rules.unnamed ? 0 : 1)
        if count != expected {
            report.differ("meta: \(count) rows, the journal makes \(expected)")
        }
    }

    private func catalogs(of views: Views) throws -> [InstalledCatalog] {
        let snapshot = try Snapshot(views, Memtable(LedgerPulse(), seq: state.seq))
        try snapshot.renew()
        return try snapshot.catalogs()
    }
}
