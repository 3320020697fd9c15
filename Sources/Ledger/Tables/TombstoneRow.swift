import Entitlements

/// One row of `tombstones`: an erased name that must not come back.
///
/// Key: the mark of the name, 32 hex digits. Value: seq 8, the person's mark 16, flags 1: 1 was
/// registered, 2 is back.
struct TombstoneRow: TableRow {
    static var table: TableName { .tombstones }
    let key: NameMark
    let record: Tombstone

    var value: Row.Value { .tombstone(key, record) }

    static func bytes(of mark: NameMark) -> [UInt8] { Keys.digits(mark.low, mark.high) }

    static func key(of bytes: [UInt8]) throws(Malformed) -> NameMark {
        let (low, high) = try Keys.halves(of: bytes)
        return NameMark(low: low, high: high)
    }

    static func write(_ stone: Tombstone, to writer: inout ByteWriter) {
        writer.integer(stone.seq)
        writer.mark(stone.person)
        writer.integer(UInt8((stone.wasRegistered ? 1 : 0) | (stone.isBack ? 2 : 0)))
    }

    static func record(
        of key: NameMark,
        from reader: inout ByteReader
    ) throws(Malformed) -> Tombstone {
        let (seq, person) = (try reader.integer(UInt64.self), try reader.mark())
        let flags = try reader.integer(UInt8.self)
        guard flags < 4 else { throw Malformed() }
        return Tombstone(
            seq: seq,
            person: person,
            wasRegistered: flags & 1 != 0,
            isBack: flags & 2 != 0
        )
    }

    static func take(_ desk: borrowing Desk, into changes: inout RowChanges) {
        take(desk.tombstones, into: &changes)
    }
}
