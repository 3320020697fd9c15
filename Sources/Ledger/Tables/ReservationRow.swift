import Entitlements

/// One row of `reservations`: credits that were set aside, and how that ended.
///
/// Key: r<number>. Value: see `ByteWriter.reservation`.
struct ReservationRow: TableRow {
    static var table: TableName { .reservations }
    let key: UInt64
    let record: Reservation

    var value: Row.Value { .reservation(key, record) }
    static var isSwept: Bool { true }
    static var isSearched: Bool { true }
    var persons: PersonNames { PersonNames(users: [record.user]) }

    func isOver(at moment: Moment, behind border: UInt64) -> Bool { !record.isKept(at: moment) }

    static var isTraced: Bool { true }

    func trace(of users: Set<UserID>, in traces: inout PersonTraces) {
        if users.contains(record.user) { traces.reservations.append(key) }
    }

    static func bytes(of id: UInt64) -> [UInt8] { Array("r\(id)".utf8) }

    static func key(of bytes: [UInt8]) throws(Malformed) -> UInt64 {
        let text = String(decoding: bytes.dropFirst(), as: UTF8.self)
        guard let id = UInt64(text), Self.bytes(of: id) == bytes else { throw Malformed() }
        return id
    }

    static func write(_ kept: Reservation, to writer: inout ByteWriter) { writer.reservation(kept) }

    static func record(
        of key: UInt64,
        from reader: inout ByteReader
    ) throws(Malformed) -> Reservation {
        try reader.reservation()
    }

    static func take(_ desk: borrowing Desk, into changes: inout RowChanges) {
        take(desk.reservations, into: &changes)
    }
}

// A loaded one: 7, number, reservation.

extension ReservationRow {
    static func rowKey(_ key: UInt64) -> RowKey? { .reservation(key) }
    static var loadCodes: [UInt8] { [7] }
    func loaded(naming names: [String]) -> LoadedRow? { .reservation(key, record) }

    static func writeKey(_ id: UInt64, to writer: inout ByteWriter) { writer.integer(id) }

    static func readKey(from reader: inout ByteReader) throws(Malformed) -> UInt64 {
        try reader.integer()
    }
}
