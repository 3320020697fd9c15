import Entitlements
import LMDB

/// Takes away rows that answer nothing any more: some with each fold, round and round.
///
/// Without it every charge and every notification would leave a row for ever. The journal says
/// nothing of it: nobody finds such a row, and `verify` asks for none.
struct Sweep: Sendable {
    /// The tables whose rows are over some day.
    static let tables: [TableName] = [
        .notifications, .settlements, .reservations, .packs, .ticks,
    ]

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
        guard let bytes = try views.value(Keys.meta("applied"), in: .meta, transaction),
            case .applied(_, _, _, let judged) = try Row(
                table: .meta,
                key: Keys.meta("applied"),
                value: bytes
            )
            .value
        else { return }
        let now = min(judged, latest)
        for table in Self.tables {
            let count = LedgerLimits.sweptRowsMin + 2 * (stored[table] ?? 0)
            let start = places[table]
            places[table] = try transaction.withCursor(in: views.table(table)) { cursor in
                var entry = try start.map { try cursor.seek(atOrAfter: $0) } ?? cursor.first()
                for _ in 0..<count {
                    guard let (key, sealed) = entry else { return nil }
                    // What is damaged stays, to be found.
                    if let value = Seal.opened(sealed, key),
                        let row = try? Row(table: table, key: Array(key), value: Array(value)),
                        row.value.isOver(at: now, behind: border)
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

extension Row.Value {
    /// Whether nobody will ask for it after `moment`, where the journal was pruned up to `border`.
    ///
    /// A tick tells the position at which moments were noted; the history before the border is
    /// gone, and so are its moments.
    func isOver(at moment: Moment, behind border: UInt64 = 0) -> Bool {
        switch self {
        case .notification(_, let first): !first.isKept(at: moment)
        case .settlement(_, let first): !first.isKept(at: moment)
        case .reservation(_, let reservation): !reservation.isKept(at: moment)
        case .pack(_, let pack): pack.isOver(at: moment)
        case .tick(_, let seq): seq <= border
        case .account, .subscription, .token, .unclaimed, .lease, .alarm, .applied, .numbering,
            .catalog, .installed, .idFloor, .tombstone, .secret, .appTransaction,
            .merger:
            false
        }
    }
}
