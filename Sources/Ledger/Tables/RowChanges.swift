import Entitlements

/// The rows that a group of commands changes, sealed as they will lie in LMDB.
package struct RowChanges {
    /// One row; without bytes it is deleted.
    struct Change {
        let table: TableName
        let key: [UInt8]
        let sealed: [UInt8]?
    }

    private(set) var rows: [Change] = []
    /// The first alarm that is set.
    var firstAlarm: Tick.Passing?
    /// Alarms that fired: what the rows before say of them no longer holds.
    var fired: Set<Tick.Passing> = []

    /// Puts the row of `key`, or takes it away.
    @inline(__always)
    mutating func put<T: TableRow>(_ record: T.Record?, at key: T.Key, as type: T.Type) {
        let key = T.bytes(of: key)
        guard let record else { return remove(key, from: T.table) }
        put(key, in: T.table) { T.write(record, to: &$0) }
    }

    /// Puts the row at `key` whose value `write` writes.
    mutating func put(
        _ key: [UInt8],
        in table: TableName,
        _ write: (inout ByteWriter) -> Void = { _ in }
    ) {
        rows.append(Change(table: table, key: key, sealed: ByteWriter.row(key, write)))
    }

    /// Takes the row at `key` away.
    mutating func remove(_ key: [UInt8], from table: TableName) {
        rows.append(Change(table: table, key: key, sealed: nil))
    }
}
