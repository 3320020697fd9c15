import CLMDB

/// What can be asked of any transaction, so that one function reads records under each kind.
///
/// Bytes are lent: they lie in the memory map and are valid until the transaction ends, in a
/// write transaction only until its next change. Copy out what you keep.
package protocol Transaction: ~Copyable {
    /// LMDB's transaction; only this room gives it out and only this room uses it.
    var handle: OpaquePointer { get }
}

extension Transaction where Self: ~Copyable {
    /// The value under `key`, or nil when there is none.
    @inlinable
    package func get(
        _ key: UnsafeRawBufferPointer,
        in table: Table
    ) throws(LMDBFailure) -> UnsafeRawBufferPointer? {
        var name = MDB_val(key)
        var value = MDB_val()
        // SAFETY: the handle is live while the transaction is lent; both values outlive the call.
        let code = mdb_get(handle, table.dbi, &name, &value)
        if code == MDB_SUCCESS { return UnsafeRawBufferPointer(value) }
        if code == MDB_NOTFOUND { return nil }
        throw LMDBFailure(code: code, attempt: "get")
    }

    /// The value under `key`, or nil when there is none.
    @inlinable
    package func get(
        _ key: [UInt8],
        in table: Table
    ) throws(LMDBFailure) -> UnsafeRawBufferPointer? {
        var found: Result<UnsafeRawBufferPointer?, LMDBFailure> = .success(nil)
        // SAFETY: the key is read during the call only; the value lies in the map, not in the key.
        key.withUnsafeBytes { bytes in
            do throws(LMDBFailure) {
                found = .success(try get(bytes, in: table))
            } catch {
                found = .failure(error)
            }
        }
        return try found.get()
    }

    /// Which commit this view shows; it grows by one with each.
    @inlinable
    package var commit: Int {
        // SAFETY: the handle is live while the transaction is lent.
        mdb_txn_id(handle)
    }

    /// How many entries `table` has, without counting them.
    package func entryCount(of table: Table) throws(LMDBFailure) -> Int {
        var stat = MDB_stat()
        // SAFETY: the handle is live while the transaction is lent.
        try LMDBFailure.check(mdb_stat(handle, table.dbi, &stat), "stat")
        return stat.ms_entries
    }

    /// How many tables the environment has.
    package func tableCount() throws(LMDBFailure) -> Int {
        var main = MDB_dbi()
        // SAFETY: the handle is live while the transaction is lent; lmdb.h: without a name it is
        // the table of the tables, which is always open.
        try LMDBFailure.check(mdb_dbi_open(handle, nil, 0, &main), "open the main table")
        return try entryCount(of: Table(dbi: main))
    }

    /// Lends a cursor over `table` to `body` and closes it after.
    package func withCursor<R>(
        in table: Table,
        _ body: (borrowing Cursor) throws -> R
    ) throws -> R {
        let cursor = try Cursor(transaction: handle, table: table)
        return try body(cursor)
    }
}

extension MDB_val {
    /// The same bytes as LMDB wants to see them; it never writes through a key.
    @inlinable
    init(_ bytes: UnsafeRawBufferPointer) {
        // SAFETY: mv_data is not const in lmdb.h, but keys and values given to LMDB are only read.
        self.init(
            mv_size: bytes.count,
            mv_data: UnsafeMutableRawPointer(mutating: bytes.baseAddress)
        )
    }
}

extension UnsafeRawBufferPointer {
    /// The bytes that LMDB points to.
    @inlinable
    init(_ value: MDB_val) {
        self.init(start: UnsafeRawPointer(value.mv_data), count: value.mv_size)
    }
}
