import CLMDB

/// The one transaction that may change the environment, lent by `Environment.write`.
///
/// It sees its own changes. It is committed when the closure returns and undone when it throws.
package struct WriteTransaction: ~Copyable, Transaction {
    /// LMDB's transaction; ended by the environment that lends it.
    package let handle: OpaquePointer

    /// Compares what LMDB will go by; nil where everything was written just now.
    let paths: PathCheck?

    /// Stores `value` under `key`, in the place of what was there.
    package func put(
        _ value: UnsafeRawBufferPointer,
        for key: UnsafeRawBufferPointer,
        in table: Table
    ) throws(LMDBFailure) {
        _ = try paths?.has(key, in: table)
        try LMDBFailure.check(store(value, for: key, in: table, flags: 0), "put")
    }

    /// Stores `value` under `key`, in the place of what was there.
    package func put(
        _ value: [UInt8],
        for key: [UInt8],
        in table: Table
    ) throws(LMDBFailure) {
        try check(key, in: table)
        try LMDBFailure.check(store(value, for: key, in: table, flags: 0), "put")
    }

    /// Stores `value` behind the last key of `table`, which `key` must follow; for loading.
    package func append(
        _ value: [UInt8],
        for key: [UInt8],
        in table: Table
    ) throws(LMDBFailure) {
        try check(key, in: table)
        let code = store(value, for: key, in: table, flags: UInt32(MDB_APPEND))
        if code == MDB_KEYEXIST { throw .outOfOrder }
        try LMDBFailure.check(code, "append")
    }

    /// Stores `value` behind the last key of `table`, which `key` must follow; for loading.
    package func append(
        _ value: UnsafeRawBufferPointer,
        for key: UnsafeRawBufferPointer,
        in table: Table
    ) throws(LMDBFailure) {
        _ = try paths?.has(key, in: table)
        let code = store(value, for: key, in: table, flags: UInt32(MDB_APPEND))
        if code == MDB_KEYEXIST { throw .outOfOrder }
        try LMDBFailure.check(code, "append")
    }

    /// Removes `key`; answers whether it was there.
    package func delete(
        _ key: UnsafeRawBufferPointer,
        in table: Table
    ) throws(LMDBFailure) -> Bool {
        try paths?.compareForDeletion(of: key, in: table)
        var name = MDB_val(key)
        // SAFETY: the handle is live while the transaction is lent; the key outlives the call.
        let code = mdb_del(handle, table.dbi, &name, nil)
        if code == MDB_NOTFOUND { return false }
        try LMDBFailure.check(code, "delete")
        return true
    }

    /// Removes `key`; answers whether it was there.
    package func delete(_ key: [UInt8], in table: Table) throws(LMDBFailure) -> Bool {
        var result: Result<Bool, LMDBFailure> = .success(false)
        key.withUnsafeBytes { bytes in
            result = Result { () throws(LMDBFailure) in try delete(bytes, in: table) }
        }
        return try result.get()
    }

    /// Lends a cursor over `table` to `body` and closes it after: each page that it comes to is
    /// compared before anybody sees what stands there.
    package func withCursor<R>(
        in table: Table,
        _ body: (borrowing Cursor) throws -> R
    ) throws -> R {
        try body(try Cursor(transaction: handle, table: table, paths: paths))
    }

    /// Removes every entry of `table` and keeps the table.
    package func clear(_ table: Table) throws(LMDBFailure) {
        try paths?.compareAll(of: table)
        // SAFETY: the handle is live while the transaction is lent; 0 empties without deleting.
        try LMDBFailure.check(mdb_drop(handle, table.dbi, 0), "clear")
    }

    private func check(_ key: [UInt8], in table: Table) throws(LMDBFailure) {
        guard let paths else { return }
        var found: Result<Bool, LMDBFailure> = .success(false)
        key.withUnsafeBytes { key in
            found = Result { () throws(LMDBFailure) in try paths.has(key, in: table) }
        }
        _ = try found.get()
    }

    private func store(
        _ value: UnsafeRawBufferPointer,
        for key: UnsafeRawBufferPointer,
        in table: Table,
        flags: UInt32
    ) -> Int32 {
        var name = MDB_val(key)
        var bytes = MDB_val(value)
        // SAFETY: the handle is live while the transaction is lent; LMDB copies key and value.
        return mdb_put(handle, table.dbi, &name, &bytes, flags)
    }

    private func store(
        _ value: [UInt8],
        for key: [UInt8],
        in table: Table,
        flags: UInt32
    ) -> Int32 {
        // SAFETY: both arrays outlive the call, which copies them.
        key.withUnsafeBytes { key in
            value.withUnsafeBytes { store($0, for: key, in: table, flags: flags) }
        }
    }
}
