import Entitlements

/// One table; a value of the type is one of its rows.
///
/// What is particular to a table stands in the file of its type: how keys and values are written,
/// what a command leaves there, when a row is over, and what load, erasure, pruning and `verify`
/// make of it. Code that goes through all tables asks `TableName.rows`.
package protocol TableRow: Hashable, Sendable {
    /// What its rows are found by.
    associatedtype Key: Hashable & Sendable
    /// What they say.
    associatedtype Record: Hashable & Sendable

    /// Which table.
    static var table: TableName { get }
    /// What the row is found by.
    var key: Key { get }
    /// What it says.
    var record: Record { get }
    /// The row that says `record` under `key`.
    init(key: Key, record: Record)
    /// The row, for whoever tells the tables apart, as a dump does.
    var value: Row.Value { get }

    // MARK: Bytes

    /// A key as it lies in LMDB.
    static func bytes(of key: Key) -> [UInt8]
    /// The key that `bytes` are.
    static func key(of bytes: [UInt8]) throws(Malformed) -> Key
    /// Writes a value as it lies in LMDB, unsealed.
    static func write(_ record: Record, to writer: inout ByteWriter)
    /// Reads the value of the row of `key`, and nothing behind it.
    static func record(
        of key: Key,
        from reader: inout ByteReader
    ) throws(Malformed) -> Record

    // MARK: The desk

    /// Lays the records that `needs` names, where nothing follows from them.
    static func lay(_ needs: Needs, on desk: inout Desk, from source: some RecordSource) throws
    /// Puts what changed on `desk`.
    static func take(_ desk: borrowing Desk, into changes: inout RowChanges)

    // MARK: Load

    /// The key of a row that can be loaded; nil in a table that every ledger keeps for itself.
    static func rowKey(_ key: Key) -> RowKey?
    /// The row as an admin would load it, where `names` are those of the ledger's numbers.
    func loaded(naming names: [String]) -> LoadedRow?
    /// The codes with which loaded rows of this table begin in the journal.
    static var loadCodes: [UInt8] { get }
    /// The code of this one.
    var loadCode: UInt8 { get }
    /// Writes a key as the journal keeps it.
    static func writeKey(_ key: Key, to writer: inout ByteWriter)
    /// Reads what `writeKey` wrote.
    static func readKey(from reader: inout ByteReader) throws(Malformed) -> Key
    /// Writes what stands behind the code of a loaded row: key and record.
    func writeLoaded(naming names: [String], to writer: inout ByteWriter)
    /// Reads what `writeLoaded` wrote.
    static func loaded(
        _ code: UInt8,
        from reader: inout ByteReader
    ) throws(Malformed) -> LoadedRow

    // MARK: Sweep and pruning

    /// Whether rows of this table are over some day.
    static var isSwept: Bool { get }
    /// Whether nobody will ask for it after `moment`, where the journal was pruned up to `border`.
    func isOver(at moment: Moment, behind border: UInt64) -> Bool
    /// Whether it is over, or was for an earlier release: it may be here or not.
    func mayBeGone(at moment: Moment, behind border: UInt64) -> Bool
    /// Whether the row with these bytes can be read, and is over.
    static func isOver(
        key: [UInt8],
        value: [UInt8],
        at moment: Moment,
        behind border: UInt64
    ) -> Bool
    /// The last entry of the journal that changed it, where the row says so.
    var lastSeq: UInt64? { get }

    // MARK: Erasure

    /// Whether rows may be about somebody under whose id they are not kept: they are searched.
    static var isSearched: Bool { get }
    /// Whom such a row names.
    var persons: PersonNames { get }
    /// Whether rows are somebody's by what they say, and go with them.
    static var isTraced: Bool { get }
    /// Adds such a row to what is known of `users`, where it is theirs.
    func trace(of users: Set<UserID>, in traces: inout PersonTraces)
    /// The row with other names, where it names somebody and cannot be loaded.
    func renamed(_ name: (UserID) -> UserID) -> Self?

    // MARK: Verify

    /// Whether rows are compared one by one with those that the journal makes.
    static var isCompared: Bool { get }
    /// Whether it says what `made` says, as far as the release that wrote `bytes` kept that.
    func agrees(with made: Self, writtenAs bytes: UnsafeRawBufferPointer) -> Bool
    /// Whether it says what `made` says in all that no version of the rules can change; false where
    /// rules change nothing.
    func agreesBesideRules(with made: Self) -> Bool
}

/// Whom a row names.
package struct PersonNames {
    var users: [UserID] = []
    var tokens: Set<Token> = []
    /// The purchases that it was before, and became.
    var kin: Set<SubscriptionKey> = []
}

extension TableRow {
    /// The row that lies in LMDB as these bytes, all of them.
    init(key bytes: [UInt8], value: some Collection<UInt8>) throws(Malformed) {
        let key = try Self.key(of: bytes)
        self.init(key: key, record: try Self.record(of: key, value))
    }

    /// The row that lies in LMDB as these bytes; throws where they are not what was stored.
    init(key: UnsafeRawBufferPointer, sealed: UnsafeRawBufferPointer) throws(Damage) {
        guard let value = Seal.opened(sealed, key) else { throw Damage(table: Self.table) }
        do {
            try self.init(key: Array(key), value: Array(value))
        } catch {
            throw Damage(table: Self.table)
        }
    }

    /// What all of `bytes` say, which are the value of the row of `key`.
    static func record(
        of key: Key,
        _ bytes: some Collection<UInt8>,
        noting notes: NameNotes? = nil
    ) throws(Malformed) -> Record {
        var reader = ByteReader(bytes, noting: notes)
        let record = try record(of: key, from: &reader)
        guard reader.isAtEnd else { throw Malformed() }
        return record
    }

    /// Its key as it lies in LMDB.
    var keyBytes: [UInt8] { Self.bytes(of: key) }

    /// Its value as it lies in LMDB, unsealed.
    var valueBytes: [UInt8] { ByteWriter.bytes { Self.write(record, to: &$0) } }

    /// The key of a row that can be loaded; nil where the bytes are none.
    static func rowKey(of bytes: [UInt8]) -> RowKey? {
        guard let key = try? key(of: bytes) else { return nil }
        return rowKey(key)
    }

    /// Whom the row with these bytes names; nil where they are not what was stored.
    static func persons(
        in key: UnsafeRawBufferPointer,
        _ sealed: UnsafeRawBufferPointer
    ) -> PersonNames? {
        (try? Self(key: key, sealed: sealed))?.persons
    }

    /// The same of a row whose type is not known.
    func agrees(withAny made: any TableRow, writtenAs bytes: UnsafeRawBufferPointer) -> Bool {
        guard let made = made as? Self else { return false }
        return agrees(with: made, writtenAs: bytes)
    }

    /// The same of a row whose type is not known.
    func agreesBesideRules(withAny made: any TableRow) -> Bool {
        guard let made = made as? Self else { return false }
        return agreesBesideRules(with: made)
    }
}

extension TableRow where Key: Comparable {
    /// Puts the rows of `sheet` that changed, in the order of their keys.
    @inline(__always)
    static func take(_ sheet: Sheet<Key, Record>, into changes: inout RowChanges) {
        for key in sheet.changed.sorted() { changes.put(sheet[key], at: key, as: Self.self) }
    }
}

// What most tables have nothing else to say about.

extension TableRow {
    static func isOver(
        key: [UInt8],
        value: [UInt8],
        at moment: Moment,
        behind border: UInt64
    ) -> Bool {
        guard let row = try? Self(key: key, value: value) else { return false }
        return row.isOver(at: moment, behind: border)
    }

    static func lay(_ needs: Needs, on desk: inout Desk, from source: some RecordSource) {}
    static func take(_ desk: borrowing Desk, into changes: inout RowChanges) {}

    static func rowKey(_ key: Key) -> RowKey? { nil }
    func loaded(naming names: [String]) -> LoadedRow? { nil }
    static var loadCodes: [UInt8] { [] }
    var loadCode: UInt8 { Self.loadCodes.first ?? 0 }
    static func writeKey(_ key: Key, to writer: inout ByteWriter) {}
    static func readKey(from reader: inout ByteReader) throws(Malformed) -> Key {
        throw Malformed()
    }

    func writeLoaded(naming names: [String], to writer: inout ByteWriter) {
        Self.writeKey(key, to: &writer)
        Self.write(record, to: &writer)
    }

    static func loaded(
        _ code: UInt8,
        from reader: inout ByteReader
    ) throws(Malformed) -> LoadedRow {
        let key = try readKey(from: &reader)
        let row = Self(key: key, record: try record(of: key, from: &reader))
        guard let loaded = row.loaded(naming: []) else { throw Malformed() }
        return loaded
    }

    static var isSwept: Bool { false }
    func isOver(at moment: Moment, behind border: UInt64) -> Bool { false }
    func mayBeGone(at moment: Moment, behind border: UInt64) -> Bool {
        isOver(at: moment, behind: border)
    }
    var lastSeq: UInt64? { nil }

    static var isSearched: Bool { false }
    var persons: PersonNames { PersonNames() }
    static var isTraced: Bool { false }
    func trace(of users: Set<UserID>, in traces: inout PersonTraces) {}
    func renamed(_ name: (UserID) -> UserID) -> Self? { nil }

    static var isCompared: Bool { true }
    func agrees(with made: Self, writtenAs bytes: UnsafeRawBufferPointer) -> Bool { self == made }
    func agreesBesideRules(with made: Self) -> Bool { false }
}
