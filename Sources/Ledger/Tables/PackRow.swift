import Entitlements

/// One row of `packs`: what a credit pack, or a paid period, has done.
///
/// Key: app_store/Production/<transaction id>. Value: see `ByteWriter.packRecord`.
struct PackRow: TableRow {
    static var table: TableName { .packs }
    let key: PackKey
    let record: Pack

    var value: Row.Value { .pack(key, record) }
    static var isSwept: Bool { true }
    static var isSearched: Bool { true }
    var persons: PersonNames { PersonNames(users: [record.user]) }

    func isOver(at moment: Moment, behind border: UInt64) -> Bool { record.isOver(at: moment) }

    /// Earlier releases forgot refunded periods, too.
    func mayBeGone(at moment: Moment, behind border: UInt64) -> Bool {
        record.endedLong(before: moment)
    }

    func agreesBesideRules(with made: Self) -> Bool { record.user == made.record.user }

    static var isTraced: Bool { true }

    func trace(of users: Set<UserID>, in traces: inout PersonTraces) {
        if users.contains(record.user) { traces.packs.append(key) }
    }

    static func bytes(of key: PackKey) -> [UInt8] {
        Array("\(key.store.name)/\(key.environment.name)/\(key.transactionID)".utf8)
    }

    static func key(of bytes: [UInt8]) throws(Malformed) -> PackKey {
        let written = try SubscriptionRow.key(of: bytes)
        return PackKey(
            store: written.store,
            environment: written.environment,
            transactionID: written.originalID
        )
    }

    static func write(_ pack: Pack, to writer: inout ByteWriter) { writer.packRecord(pack) }

    static func record(
        of key: PackKey,
        from reader: inout ByteReader
    ) throws(Malformed) -> Pack {
        try reader.packRecord()
    }

    static func take(_ desk: borrowing Desk, into changes: inout RowChanges) {
        take(desk.packs, into: &changes)
    }
}

// A loaded one: 9, 10 where it was refunded in part, or 11 for a paid period; key, record.

extension PackRow {
    static func rowKey(_ key: PackKey) -> RowKey? { .pack(key) }
    static var loadCodes: [UInt8] { [9, 10, 11] }
    var loadCode: UInt8 { record.isPeriod ? 11 : record.refundedPart == nil ? 9 : 10 }
    func loaded(naming names: [String]) -> LoadedRow? { .pack(key, record) }

    func writeLoaded(naming names: [String], to writer: inout ByteWriter) {
        writer.packKey(key)
        writer.packRecord(record)
    }

    static func loaded(
        _ code: UInt8,
        from reader: inout ByteReader
    ) throws(Malformed) -> LoadedRow {
        .pack(
            try reader.packKey(),
            try reader.packRecord(hasPart: code != 9, isPeriod: code == 11)
        )
    }
}

extension RecordSource {
    /// What became of a pack.
    func pack(of key: PackKey) throws -> Pack? { try record(of: PackRow.self, at: key) }
}
