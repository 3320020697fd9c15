import Entitlements

/// One row of `leases`: a reservation that ends with its connection.
///
/// Key: r<number>, that of the reservation. Value: the user.
struct LeaseRow: TableRow {
    static var table: TableName { .leases }
    let key: UInt64
    let record: UserID

    var value: Row.Value { .lease(key, record) }

    static func bytes(of id: UInt64) -> [UInt8] { ReservationRow.bytes(of: id) }

    static func key(of bytes: [UInt8]) throws(Malformed) -> UInt64 {
        try ReservationRow.key(of: bytes)
    }

    static func write(_ user: UserID, to writer: inout ByteWriter) { writer.user(user) }

    static func record(
        of key: UInt64,
        from reader: inout ByteReader
    ) throws(Malformed) -> UserID {
        try reader.user()
    }

    static func take(_ desk: borrowing Desk, into changes: inout RowChanges) {
        take(desk.leases, into: &changes)
    }
}

// A loaded one: 8, number, user.

extension LeaseRow {
    static func rowKey(_ key: UInt64) -> RowKey? { .lease(key) }
    static var loadCodes: [UInt8] { [8] }
    func loaded(naming names: [String]) -> LoadedRow? { .lease(key, record) }

    static func writeKey(_ id: UInt64, to writer: inout ByteWriter) { writer.integer(id) }

    static func readKey(from reader: inout ByteReader) throws(Malformed) -> UInt64 {
        try reader.integer()
    }
}
