import Entitlements

/// One row of `leases`: a reservation that ends with its connection.
///
/// Key: r<number>, that of the reservation. Value: the user; then, only where it is another host
/// than the one that there is without others, or a counted life of it: the name of the host, and 8,
/// the epoch. A row without them is of this host, epoch 0.
struct LeaseRow: TableRow {
    static var table: TableName { .leases }
    let key: UInt64
    let record: Lease

    var value: Row.Value { .lease(key, record) }

    static func bytes(of id: UInt64) -> [UInt8] { ReservationRow.bytes(of: id) }

    static func key(of bytes: [UInt8]) throws(Malformed) -> UInt64 {
        try ReservationRow.key(of: bytes)
    }

    static func write(_ lease: Lease, to writer: inout ByteWriter) {
        writer.user(lease.user)
        guard lease.holder != .here else { return }
        writer.text(lease.holder.host)
        writer.integer(lease.holder.epoch)
    }

    static func record(
        of key: UInt64,
        from reader: inout ByteReader
    ) throws(Malformed) -> Lease {
        let user = try reader.user()
        guard !reader.isAtEnd else { return Lease(user: user) }
        let holder = LeaseHolder(host: try reader.text(), epoch: try reader.integer())
        // Or one row could be written in two ways.
        guard holder != .here else { throw Malformed() }
        return Lease(user: user, holder: holder)
    }

    static func take(_ desk: borrowing Desk, into changes: inout RowChanges) {
        take(desk.leases, into: &changes)
    }
}

// A loaded one: 8, number, user, for one of this host, epoch 0; or 44, number, user, host, epoch.

extension LeaseRow {
    static func rowKey(_ key: UInt64) -> RowKey? { .lease(key) }
    static var loadCodes: [UInt8] { [8, 44] }
    var loadCode: UInt8 { record.holder == .here ? 8 : 44 }
    func loaded(naming names: [String]) -> LoadedRow? { .lease(key, record) }

    static func writeKey(_ id: UInt64, to writer: inout ByteWriter) { writer.integer(id) }

    static func readKey(from reader: inout ByteReader) throws(Malformed) -> UInt64 {
        try reader.integer()
    }

    static func loaded(
        _ code: UInt8,
        from reader: inout ByteReader
    ) throws(Malformed) -> LoadedRow {
        let (key, user) = (try reader.integer(UInt64.self), try reader.user())
        guard code != 8 else { return .lease(key, Lease(user: user)) }
        let holder = LeaseHolder(host: try reader.text(), epoch: try reader.integer())
        guard holder != .here else { throw Malformed() }
        return .lease(key, Lease(user: user, holder: holder))
    }
}

// In commands and events: 0 for no lease, 1 for one of this host, epoch 0; 2, host, 8 epoch.

extension ByteWriter {
    mutating func leaseHolder(_ holder: LeaseHolder?) {
        guard let holder, holder != .here else { return flag(holder != nil) }
        integer(UInt8(2))
        text(holder.host)
        integer(holder.epoch)
    }
}

extension ByteReader {
    mutating func leaseHolder() throws(Malformed) -> LeaseHolder? {
        switch try integer(UInt8.self) {
        case 0: return nil
        case 1: return .here
        case 2:
            let holder = LeaseHolder(host: try text(), epoch: try integer())
            guard holder != .here else { throw Malformed() }
            return holder
        default: throw Malformed()
        }
    }
}
