import CLMDB

/// A place in one table, moved in key order; lent by a transaction's `withCursor`.
///
/// Keys and values are lent as a transaction lends them.
package struct Cursor: ~Copyable {
    /// One key and its value, in the memory map.
    package typealias Entry = (key: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer)

    private let handle: OpaquePointer
    private let table: Table
    /// In a write transaction, the check of the path to what the cursor finds; nil in a read.
    private let paths: PathCheck?

    init(
        transaction: OpaquePointer,
        table: Table,
        paths: PathCheck? = nil
    ) throws(LMDBFailure) {
        var opened: OpaquePointer?
        // SAFETY: the transaction is live while it is lent, and outlives the cursor it lends.
        try LMDBFailure.check(mdb_cursor_open(transaction, table.dbi, &opened), "cursor")
        guard let opened else { throw .other(code: MDB_SUCCESS, "a cursor without a handle") }
        handle = opened
        self.table = table
        self.paths = paths
    }

    deinit {
        // SAFETY: closed exactly once, and before the end of its transaction (lmdb.h asks for it
        // in a write transaction), because the lending closure has returned.
        mdb_cursor_close(handle)
    }

    /// The first entry of the table.
    package func first() throws(LMDBFailure) -> Entry? { try move(MDB_FIRST) }

    /// The last entry of the table.
    package func last() throws(LMDBFailure) -> Entry? { try move(MDB_LAST) }

    /// The entry after the present one; the first, when the cursor was not moved before.
    package func next() throws(LMDBFailure) -> Entry? { try move(MDB_NEXT) }

    /// The entry before the present one; the last, when the cursor was not moved before.
    package func previous() throws(LMDBFailure) -> Entry? { try move(MDB_PREV) }

    /// The first entry whose key is `key` or greater.
    package func seek(atOrAfter key: UnsafeRawBufferPointer) throws(LMDBFailure) -> Entry? {
        try move(MDB_SET_RANGE, key)
    }

    /// The first entry whose key is `key` or greater.
    package func seek(atOrAfter key: [UInt8]) throws(LMDBFailure) -> Entry? {
        try seek(MDB_SET_RANGE, key)
    }

    /// Removes the present entry; `next` then answers the one that followed it.
    ///
    /// Only in a write transaction; in another one LMDB refuses.
    package func deleteCurrent() throws(LMDBFailure) {
        if let paths, let (key, _) = try move(MDB_GET_CURRENT) {
            try paths.compareForDeletion(of: key, in: table)
        }
        // SAFETY: the cursor is open; lmdb.h: the cursor stays at the place of the deletion.
        try LMDBFailure.check(mdb_cursor_del(handle, 0), "delete at the cursor")
    }

    private func seek(
        _ operation: MDB_cursor_op,
        _ key: [UInt8]
    ) throws(LMDBFailure) -> Entry? {
        var name = MDB_val()
        var value = MDB_val()
        // SAFETY: the key is read during the call; after it LMDB has set both to bytes in the map.
        let code = key.withUnsafeBytes { bytes in
            name = MDB_val(bytes)
            return mdb_cursor_get(handle, &name, &value, operation)
        }
        return try entry(code, name, value)
    }

    private func move(
        _ operation: MDB_cursor_op,
        _ key: UnsafeRawBufferPointer = UnsafeRawBufferPointer(start: nil, count: 0)
    ) throws(LMDBFailure) -> Entry? {
        var name = MDB_val(key)
        var value = MDB_val()
        // SAFETY: the cursor is open; after the call LMDB has set both to bytes in the map.
        let code = mdb_cursor_get(handle, &name, &value, operation)
        return try entry(code, name, value)
    }

    private func entry(
        _ code: Int32,
        _ name: MDB_val,
        _ value: MDB_val
    ) throws(LMDBFailure) -> Entry? {
        if code == MDB_NOTFOUND { return nil }
        try LMDBFailure.check(code, "move a cursor")
        if let paths, let page = name.mv_data { try paths.compare(at: page) }
        return (UnsafeRawBufferPointer(name), UnsafeRawBufferPointer(value))
    }
}
