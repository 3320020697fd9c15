import Entitlements

/// One row of `tokens`: whose a token is.
///
/// Key: the UUID, lower case. Value: the userId.
struct TokenRow: TableRow {
    static var table: TableName { .tokens }
    let key: Token
    let record: UserID

    var value: Row.Value { .token(key, record) }

    static func bytes(of token: Token) -> [UInt8] { Array(token.description.utf8) }

    static func key(of bytes: [UInt8]) throws(Malformed) -> Token {
        guard let token = Token(String(decoding: bytes, as: UTF8.self)) else { throw Malformed() }
        return token
    }

    static func write(_ user: UserID, to writer: inout ByteWriter) { writer.raw(user.bytes) }

    static func record(
        of key: Token,
        from reader: inout ByteReader
    ) throws(Malformed) -> UserID {
        try Keys.user(of: Array(reader.rest()))
    }

    static func take(_ desk: borrowing Desk, into changes: inout RowChanges) {
        take(desk.tokens, into: &changes)
    }
}

// A loaded one: 3, token, user.

extension TokenRow {
    static func rowKey(_ key: Token) -> RowKey? { .token(key) }
    static var loadCodes: [UInt8] { [3] }
    func loaded(naming names: [String]) -> LoadedRow? { .token(key, record) }

    func writeLoaded(naming names: [String], to writer: inout ByteWriter) {
        writer.token(key)
        writer.user(record)
    }

    static func loaded(
        _ code: UInt8,
        from reader: inout ByteReader
    ) throws(Malformed) -> LoadedRow {
        .token(try reader.token(), try reader.user())
    }
}

extension RecordSource {
    /// Whose `token` is.
    func user(of token: Token) throws -> UserID? { try record(of: TokenRow.self, at: token) }
}
