import Entitlements

/// One row of `merges`: what is kept of an account that went into another.
///
/// Key: its userId. Value: into whom, seq 8, marks 1 (1 there is a history, 2 its free credits did
/// not go along) and, where there is a history, its chain.
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
        let marks = merger.chain == nil ? 0 : Mark.chain
        writer.integer(marks | (merger.leftFreeCredits ? Mark.leftFreeCredits : 0))
        if let chain = merger.chain { writer.chain(chain) }
    }

    static func record(
        of key: UserID,
        from reader: inout ByteReader
    ) throws(Malformed) -> MergedAccount {
        let into = try reader.user()
        let seq = try reader.integer(UInt64.self)
        let marks = try reader.integer(UInt8.self)
        guard marks & ~(Mark.chain | Mark.leftFreeCredits) == 0 else { throw Malformed() }
        return MergedAccount(
            into: into,
            seq: seq,
            chain: marks & Mark.chain == 0 ? nil : try reader.chain(),
            leftFreeCredits: marks & Mark.leftFreeCredits != 0
        )
    }

    /// Whose a purchase was decides which entries are about an account.
    func agreesBesideRules(with made: Self) -> Bool {
        record.into == made.record.into
            && record.leftFreeCredits == made.record.leftFreeCredits
    }

    private enum Mark {
        static let chain: UInt8 = 1
        static let leftFreeCredits: UInt8 = 2
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
