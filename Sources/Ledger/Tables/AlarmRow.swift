import Entitlements

/// One row of `alarms`: when to look at an account again.
///
/// Key: moment 8 (big-endian, sign flipped), userId. The value is empty.
///
/// An index of the accounts, which `RowChanges.arm` keeps; no record of the desk stands for it, and
/// `AlarmAudit` compares it.
struct AlarmRow: TableRow {
    static var table: TableName { .alarms }
    let key: Tick.Passing
    let record: Bool

    var value: Row.Value { .alarm(key) }
    static var isSearched: Bool { true }
    var persons: PersonNames { PersonNames(users: [key.user]) }
    static var isCompared: Bool { false }

    func renamed(_ name: (UserID) -> UserID) -> Self? {
        let other = name(key.user)
        guard other != key.user else { return nil }
        return AlarmRow(key: Tick.Passing(user: other, due: key.due), record: record)
    }

    static func bytes(of passing: Tick.Passing) -> [UInt8] {
        Keys.moment(passing.due) + passing.user.bytes
    }

    static func key(of bytes: [UInt8]) throws(Malformed) -> Tick.Passing {
        guard bytes.count > 8 else { throw Malformed() }
        return Tick.Passing(
            user: try Keys.user(of: Array(bytes[8...])),
            due: Keys.moment(of: bytes[..<8])
        )
    }

    static func write(_ record: Bool, to writer: inout ByteWriter) {}

    static func record(of key: Tick.Passing, from reader: inout ByteReader) -> Bool { true }
}
