/// One row of a view, decoded, for dumps and exports.
package struct Row: Sendable {
    /// Where it stands.
    package let table: TableName
    /// Its key, as stored.
    package let key: [UInt8]
    /// What it says.
    package let value: Value

    /// The row that lies in LMDB as these bytes; throws where they are not what was stored.
    init(
        _ table: TableName,
        _ key: UnsafeRawBufferPointer,
        _ sealed: UnsafeRawBufferPointer
    ) throws(Damage) {
        self.table = table
        self.key = Array(key)
        value = try table.row.init(key: key, sealed: sealed).value
    }
}
