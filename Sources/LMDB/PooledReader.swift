import CLMDB

/// A reader that one event loop keeps: one slot of the reader table for the life of its thread.
///
/// `renew` once per wake-up, `get` as often as needed, `reset` before waiting: a view that is held
/// across a wait keeps every page that it can see, and the file grows. Not Sendable: one thread.
package final class PooledReader: Transaction {
    /// LMDB's transaction, for the life of the reader.
    package let handle: OpaquePointer

    /// Whether the reader has a view at the moment.
    ///
    /// One thread's, read and written whole: nothing that a check at every look-up could find.
    @usableFromInline
    @exclusivity(unchecked) package private(set) var isLive: Bool

    /// Grows with each view: what was lent from another one is gone.
    @exclusivity(unchecked) private(set) var view = 0

    let environment: Environment
    /// For the present view.
    private var paths: PathCheck?

    /// Takes a slot of the reader table; the reader starts without a view.
    package init(_ environment: Environment) throws(LMDBFailure) {
        self.environment = environment
        handle = try environment.begin(flags: UInt32(MDB_RDONLY))
        // SAFETY: the transaction was just begun and is known to nobody else.
        mdb_txn_reset(handle)
        isLive = false
    }

    deinit {
        // SAFETY: begun in init, ended once; an aborted reset reader gives its slot back.
        environment.abort(handle)
    }

    /// Takes the newest view.
    package func renew() throws(LMDBFailure) {
        reset()
        // SAFETY: lmdb.h: a reset read-only transaction may be renewed.
        try LMDBFailure.check(mdb_txn_renew(handle), "renew a reader")
        isLive = true
        view += 1
        paths = nil
    }

    /// Gives the view back; what was lent from it is gone.
    package func reset() {
        guard isLive else { return }
        // SAFETY: the transaction is live and read-only.
        mdb_txn_reset(handle)
        isLive = false
    }

    /// The value under `key` in the present view, or nil when there is none.
    @inlinable
    package func get(
        _ key: UnsafeRawBufferPointer,
        in table: Table
    ) throws(LMDBFailure) -> UnsafeRawBufferPointer? {
        precondition(isLive, "a pooled reader is renewed before it is asked")
        var name = MDB_val(key)
        var value = MDB_val()
        // SAFETY: the view is live; both values outlive the call.
        let code = mdb_get(handle, table.dbi, &name, &value)
        if code == MDB_SUCCESS { return UnsafeRawBufferPointer(value) }
        if code == MDB_NOTFOUND { return nil }
        throw LMDBFailure(code: code, attempt: "get")
    }

    /// Throws `.damaged` unless `key`, which `get` did not find, is proven not to be there: every
    /// page on its way is compared with its sum once more, and looked into without LMDB.
    ///
    /// 1 to 2 µs in a table of 200,000 rows. Where the view is two commits old or more, nothing is
    /// said.
    package func proveAbsence(
        of key: UnsafeRawBufferPointer,
        in table: Table
    ) throws(LMDBFailure) {
        guard try has(key, in: table) ?? false else { return }
        // The view may have become too old meanwhile, and its meta page half another one.
        guard try environment.pages.pathCheck(asOf: UInt64(commit)) != nil else { return }
        throw .damaged("\(environment.pages.path): a key that is there was not found")
    }

    /// Throws `.damaged` unless the pages on the way to `key`, or to its place, are what was
    /// written.
    package func provePath(
        to key: UnsafeRawBufferPointer,
        in table: Table
    ) throws(LMDBFailure) {
        _ = try has(key, in: table)
    }

    private func has(
        _ key: UnsafeRawBufferPointer,
        in table: Table
    ) throws(LMDBFailure) -> Bool? {
        do throws(LMDBFailure) {
            if paths == nil { paths = try environment.pages.pathCheck(asOf: UInt64(commit)) }
            return try paths?.has(key, in: table)
        } catch {
            throw error.named(environment.pages.path)
        }
    }
}
