import Entitlements

/// One row of `merges`: what is kept of an account that went into another.
///
/// Key: its userId. Value: into whom, seq 8, and where there is a history: 1 and its chain; else 0.
struct MergeRow: TableRow {
    static var table: TableName { .merges }
    let key: UserID
    let record: MergedAccount

    var value: Row.Value { .merger(key, record) }

    static func bytes(of user: UserID) -> [UInt8] { user.bytes }
    static func key(of bytes: [UInt8]) throws(Malformed) -> UserID { try Keys.user(of: bytes) }

    static func write(_ merger: MergedAccount, to writer: inout ByteWriter) {
        writer.user(merger.into)
        writer.integer(merger.seq)
        writer.optional(merger.chain) { $0.chain($1) }
    }

    static func record(
        of key: UserID,
        from reader: inout ByteReader
    ) throws(Malformed) -> MergedAccount {
        MergedAccount(
            into: try reader.user(),
            seq: try reader.integer(),
            chain: try reader.optional { (reader) throws(Malformed) in try reader.chain() }
        )
    }

    static func take(_ desk: borrowing Desk, into changes: inout RowChanges) {
        take(desk.merges, into: &changes)
    }
}

// A loaded one: 43, user, record.

extension MergeRow {
    static func rowKey(_ key: UserID) -> RowKey? { .merger(key) }
    static var loadCodes: [UInt8] { [43] }
    func loaded(naming names: [String]) -> LoadedRow? { .merger(key, record) }

    static func writeKey(_ user: UserID, to writer: inout ByteWriter) { writer.user(user) }

    static func readKey(from reader: inout ByteReader) throws(Malformed) -> UserID {
        try reader.user()
    }
}

extension RecordSource {
    /// What is kept of `user`, whose account went into another's.
    func merger(of user: UserID) throws -> MergedAccount? {
        try record(of: MergeRow.self, at: user)
    }
}
