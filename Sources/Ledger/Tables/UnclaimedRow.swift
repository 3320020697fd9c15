import Entitlements

/// One row of `unclaimed`: a purchase that waits for the user of its token.
///
/// Key: <UUID>/app_store/Production/<original id>. The value is empty.
struct UnclaimedRow: TableRow {
    static var table: TableName { .unclaimed }
    let key: Unclaimed
    let record: Bool

    var value: Row.Value { .unclaimed(key) }

    static func bytes(of waiting: Unclaimed) -> [UInt8] {
        TokenRow.bytes(of: waiting.token) + [UInt8(ascii: "/")]
            + SubscriptionRow.bytes(of: waiting.key)
    }

    static func key(of bytes: [UInt8]) throws(Malformed) -> Unclaimed {
        guard bytes.count > 37 else { throw Malformed() }
        return Unclaimed(
            token: try TokenRow.key(of: Array(bytes.prefix(36))),
            key: try SubscriptionRow.key(of: Array(bytes.dropFirst(37)))
        )
    }

    static func write(_ record: Bool, to writer: inout ByteWriter) {}

    static func record(of key: Unclaimed, from reader: inout ByteReader) -> Bool { true }

    static func take(_ desk: borrowing Desk, into changes: inout RowChanges) {
        take(desk.unclaimed, into: &changes)
    }
}

// A loaded one: 4, token, subscription.

extension UnclaimedRow {
    static func rowKey(_ key: Unclaimed) -> RowKey? { .unclaimed(key) }
    static var loadCodes: [UInt8] { [4] }
    func loaded(naming names: [String]) -> LoadedRow? { .unclaimed(key) }

    static func writeKey(_ waiting: Unclaimed, to writer: inout ByteWriter) {
        writer.token(waiting.token)
        writer.key(waiting.key)
    }

    static func readKey(from reader: inout ByteReader) throws(Malformed) -> Unclaimed {
        Unclaimed(token: try reader.token(), key: try reader.key())
    }
}
