import Entitlements
import LMDB

/// Takes away rows that answer nothing any more: some with each checkpoint, round and round.
///
/// Without it every charge and every notification would leave a row for ever. The journal says
/// nothing of it: nobody finds such a row, and `verify` asks for none.
struct Sweep: Sendable {
    /// The tables whose rows are over some day.
    static let tables = TableName.allCases.filter { $0.row.isSwept }

    /// Where to go on, by table.
    private var places: [TableName: [UInt8]] = [:]

    /// Looks at twice as many rows of each table as were put there, and at some in any case, so
    /// that it comes round before a table has doubled.
    ///
    /// - Parameters:
    ///   - views: the tables.
    ///   - stored: how many rows were put, by table.
    ///   - latest: what is over after that stays, and what is over after the last entry.
    ///   - border: the position of the journal up to which it was pruned.
    ///   - transaction: the one in which they were put.
    /// - Throws: what LMDB says; the transaction must not be committed then.
    mutating func step(
        _ views: Views,
        after stored: [TableName: Int],
        at latest: Moment,
        behind border: UInt64,
        _ transaction: borrowing WriteTransaction
    ) throws {
        guard
            case .applied(_, _, _, let judged, _, _)? =
                try views.record(of: MetaRow.self, at: MetaRow.applied, transaction)
        else { return }
        let now = min(judged, latest)
        for table in Self.tables {
            let row = table.row
            let count = LedgerLimits.sweptRowsMin + 2 * (stored[table] ?? 0)
            let start = places[table]
            places[table] = try transaction.withCursor(in: views.table(table)) { cursor in
                var entry = try start.map { try cursor.seek(atOrAfter: $0) } ?? cursor.first()
                for _ in 0..<count {
                    guard let (key, sealed) = entry else { return nil }
                    // What is damaged stays, to be found.
                    if let value = Seal.opened(sealed, key),
                        row.isOver(
                            key: Array(key),
                            value: Array(value),
                            at: now,
                            behind: border
                        )
                    {
                        try cursor.deleteCurrent()
                    }
                    entry = try cursor.next()
                }
                return entry.map { Array($0.key) }
            }
        }
    }
}
