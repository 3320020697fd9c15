import Entitlements

/// One row of `ticks`: which entry of the journal says that time alone changed accounts.
///
/// Key: the first moment 8 (big-endian, sign flipped). Value: seq 8.
struct TickRow: TableRow {
    static var table: TableName { .ticks }
    let key: Moment
    let record: UInt64

    var value: Row.Value { .tick(key, seq: record) }
    static var isSwept: Bool { true }

    /// The history before the border is gone, and so are its moments.
    func isOver(at moment: Moment, behind border: UInt64) -> Bool { record <= border }

    static func bytes(of first: Moment) -> [UInt8] { Keys.moment(first) }

    static func key(of bytes: [UInt8]) throws(Malformed) -> Moment {
        guard bytes.count == 8 else { throw Malformed() }
        return Keys.moment(of: bytes[...])
    }

    static func write(_ seq: UInt64, to writer: inout ByteWriter) { writer.integer(seq) }

    static func record(
        of key: Moment,
        from reader: inout ByteReader
    ) throws(Malformed) -> UInt64 {
        try reader.integer()
    }

    static func take(_ desk: borrowing Desk, into changes: inout RowChanges) {
        take(desk.ticks, into: &changes)
    }
}
