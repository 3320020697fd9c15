// LMDB keeps tables in a memory-mapped file, and does not believe the file.
//
// In reading order:
//   Environment       below: one directory's data.mdb, with its laws E1 to E6
//   StoreDirectory    what is checked before a file is opened; StoreFile reads it as bytes
//   ReadTransaction   a view of one commit; WriteTransaction changes; Transaction is what both have
//   Cursor            a place in one table
//   PooledReader      a reader that one event loop keeps
//   TablePrefetch     several look-ups whose waits for memory overlap
//   PageSums          a checksum for each page; SumsFile is where they are kept
//   CheckedPages      each page compared with its sum before LMDB follows it
//   TreeAudit         every page read and believed by none; PathCheck the path to one key
//
// Its laws:
//   1. E1 to E6, at Environment.
//   2. A page is compared with its sum before LMDB reads it. Where they differ, the process ends
//      with exit code 65: no answer comes from a page that has rotted.
//   3. Bytes are lent: they end with the transaction, and whoever keeps them copies them.
//
// It never knows what a row means; keys and values are bytes to it.

import CLMDB
import Glibc
import Synchronization

/// One directory's LMDB environment: data.mdb and lock.mdb.
///
/// The law of this type:
///  - E1. One environment per directory and process. A second one would drop the first one's locks.
///  - E2. Transactions are lent to closures and end with them; no view is held across a wait.
///  - E3. One thread writes at a time. LMDB's lock makes others wait; it cannot make them ordered.
///  - E4. Never MDB_NOSYNC, MDB_NOMETASYNC or MDB_WRITEMAP: an answered write is on the disk.
///  - E5. A failed flush is final: after `.poisoned` nothing is written any more.
///  - E6. No fork after opening; LMDB's locks do not survive it.
package final class Environment: Sendable {
    /// What an environment is opened with.
    package struct Options: Sendable {
        /// Address space for the map, not disk; it cannot grow while the environment is open.
        package var mapSizeBytes: Int
        /// Slots of the reader table.
        package var readersMax: Int
        /// Named tables that can be opened.
        package var tablesMax: Int
        /// Whether nothing in the directory is written, not even lock.mdb.
        ///
        /// Only under a `DirectoryLock`: LMDB then locks nothing itself, and a writer would take
        /// pages from under a reader that it does not know of.
        package var isReadOnly: Bool
        /// Whether the kernel may read ahead; off for data much larger than the memory.
        package var readAhead: Bool
        /// Whether it is thrown away with the process: nothing is flushed, no page has a sum.
        var isScratch = false

        /// A larger data.mdb is not compared with its sums as a whole at opening, but each of its
        /// pages when it is first touched.
        package var comparedBytesMax = Limits.comparedBytesMax

        /// Options with the usual numbers.
        package init(
            mapSizeBytes: Int,
            readersMax: Int = 512,
            tablesMax: Int = 32,
            isReadOnly: Bool = false,
            readAhead: Bool = true
        ) {
            self.mapSizeBytes = mapSizeBytes
            self.readersMax = readersMax
            self.tablesMax = tablesMax
            self.isReadOnly = isReadOnly
            self.readAhead = readAhead
        }
    }

    /// The directory the environment lives in.
    package let directory: String

    /// What an operator should hear about the place, for the log of the top floor.
    package let warnings: [StoreWarning]

    // SAFETY: an MDB_env may be used from any thread after mdb_env_open (lmdb.h); it is closed
    // once, by `close` or deinit, when no transaction is open.
    private nonisolated(unsafe) let handle: OpaquePointer
    /// None where the directory is gone: another may have its number by now.
    private let claim: DirectoryClaim?
    private let openTransactions = Atomic<Int>(0)
    private let isClosing = Atomic<Bool>(false)
    private let isClosed = Atomic<Bool>(false)
    private let isPoisoned = Atomic<Bool>(false)
    let pages: CheckedPages
    /// Held by the one that writes, until the sums of what it wrote are noted.
    private let writing = WriteLock()

    private init(
        handle: OpaquePointer,
        claim: DirectoryClaim?,
        directory: String,
        warnings: [StoreWarning],
        pages: CheckedPages
    ) {
        self.pages = pages
        self.handle = handle
        self.claim = claim
        self.directory = directory
        self.warnings = warnings
    }

    deinit { close() }

    /// Opens the environment in `directory`, which is created when it is missing.
    ///
    /// What LMDB would answer with a signal is refused before: a full disk, a lock file with
    /// holes, a data file that is not what was written, a file system without working maps.
    package static func open(
        directory: String,
        options: Options
    ) throws(LMDBFailure) -> Environment {
        let warnings = options.isReadOnly ? [] : try StoreDirectory.prepare(directory)
        let claim = options.isScratch ? nil : try DirectoryClaim.take(directory)
        do throws(LMDBFailure) {
            if !options.isReadOnly {
                try StoreDirectory.preallocateLock(directory, readersMax: options.readersMax)
            }
            if !options.isReadOnly, !options.isScratch {
                try FreshStore.make("\(directory)/data.mdb", mapBytes: options.mapSizeBytes)
            }
            let inventory = try PageInventory.take(
                "\(directory)/data.mdb",
                comparedBytesMax: options.comparedBytesMax
            )
            let handle = try open(handleIn: directory, options)
            let pages: CheckedPages
            do throws(LMDBFailure) {
                pages = try checkedPages(of: handle, inventory, directory, options)
            } catch {
                mdb_env_close(handle)
                throw error
            }
            let environment = Environment(
                handle: handle,
                claim: claim,
                directory: directory,
                warnings: warnings + [inventory?.warning].compactMap { $0 },
                pages: pages
            )
            if !options.isReadOnly { _ = try environment.checkReaders() }
            return environment
        } catch {
            claim?.release()
            throw error
        }
    }

    private static func checkedPages(
        of handle: OpaquePointer,
        _ inventory: PageInventory?,
        _ directory: String,
        _ options: Options
    ) throws(LMDBFailure) -> CheckedPages {
        var info = MDB_envinfo()
        // SAFETY: the environment was just opened; the structure is filled.
        try LMDBFailure.check(mdb_env_info(handle, &info), "info")
        let pages = try CheckedPages(
            "\(directory)/data.mdb",
            inventory,
            mapBytes: info.me_mapsize,
            comparedBytesMax: options.comparedBytesMax,
            isReadOnly: options.isReadOnly,
            isScratch: options.isScratch
        )
        try pages.attach(handle)
        return pages
    }

    private static func open(
        handleIn directory: String,
        _ options: Options
    ) throws(LMDBFailure) -> OpaquePointer {
        var created: OpaquePointer?
        // SAFETY: the handle is used by nobody else until this function returns it; lmdb.h: after a
        // failed mdb_env_open it must be closed.
        try LMDBFailure.check(mdb_env_create(&created), "create an environment")
        guard let handle = created else { throw .other(code: MDB_SUCCESS, "no environment") }
        let readAhead = options.readAhead ? 0 : UInt32(MDB_NORDAHEAD)
        var code = mdb_env_set_mapsize(handle, StoreDirectory.mapBytes(options.mapSizeBytes))
        if code == MDB_SUCCESS {
            code = mdb_env_set_maxreaders(handle, UInt32(options.readersMax))
        }
        if code == MDB_SUCCESS { code = mdb_env_set_maxdbs(handle, UInt32(options.tablesMax)) }
        if code == MDB_SUCCESS { code = mdb_env_set_assert(handle, stopForDamage) }
        if code == MDB_SUCCESS {
            let access = options.isReadOnly ? UInt32(MDB_RDONLY | MDB_NOLOCK) : 0
            // Keeps E4: nobody is answered from what is thrown away.
            let flush = options.isScratch ? UInt32(MDB_NOSYNC) : 0
            let flags = UInt32(MDB_NOTLS) | access | readAhead | flush
            code = mdb_env_open(handle, directory, flags, 0o600)
        }
        if code == MDB_SUCCESS { code = closeOnExec(handle) }
        if code != MDB_SUCCESS {
            mdb_env_close(handle)
            throw LMDBFailure(code: code, attempt: "open \(directory)")
        }
        return handle
    }

    /// Closes data.mdb for the programs this process might start; LMDB leaves it open for them.
    static func closeOnExec(_ handle: OpaquePointer) -> Int32 {
        var descriptor: Int32 = -1
        let code = mdb_env_get_fd(handle, &descriptor)
        guard code == MDB_SUCCESS else { return code }
        return fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0 ? MDB_SUCCESS : errno
    }

    /// The table `name`, created when it is missing.
    package func table(_ name: String) throws(LMDBFailure) -> Table {
        do {
            let table = try write { transaction in
                var dbi = MDB_dbi()
                // SAFETY: mdb_dbi_open wants one opener at a time; the write lock sees to it.
                let code = mdb_dbi_open(transaction.handle, name, UInt32(MDB_CREATE), &dbi)
                try LMDBFailure.check(code, "open table \(name)")
                return Table(dbi: dbi)
            }
            pages.note(name, of: table.dbi)
            return table
        } catch let failure as LMDBFailure {
            throw failure
        } catch {
            throw .other(code: MDB_SUCCESS, "\(error)")
        }
    }

    /// The table `name`, or nil where there is none; creates nothing.
    package func existingTable(_ name: String) throws(LMDBFailure) -> Table? {
        let transaction = try begin(flags: UInt32(MDB_RDONLY))
        var dbi = MDB_dbi()
        // SAFETY: the transaction was just begun; lmdb.h: a table opened in one that is committed
        // stays open.
        let code = mdb_dbi_open(transaction, name, 0, &dbi)
        guard code == MDB_SUCCESS else {
            abort(transaction)
            if code == MDB_NOTFOUND { return nil }
            throw LMDBFailure(code: code, attempt: "open table \(name)")
        }
        try commit(transaction)
        pages.note(name, of: dbi)
        return Table(dbi: dbi)
    }

    /// Lends a consistent view to `body`; throws what `body` throws, or an `LMDBFailure`.
    package func read<R>(_ body: (borrowing ReadTransaction) throws -> R) throws -> R {
        let transaction = ReadTransaction(handle: try begin(flags: UInt32(MDB_RDONLY)))
        defer { abort(transaction.handle) }
        return try body(transaction)
    }

    /// Lends the write transaction to `body`; on the disk when it returns, undone when it throws.
    ///
    /// Throws what `body` throws, or an `LMDBFailure`. Not to be nested: it would wait for itself.
    package func write<R>(_ body: (borrowing WriteTransaction) throws -> R) throws -> R {
        if isPoisoned.load(ordering: .relaxed) {
            throw LMDBFailure.poisoned("an earlier flush failed")
        }
        writing.lock()
        defer { writing.unlock() }
        try pages.settle()
        let handle = try begin(flags: 0)
        let result: R
        do {
            // Behind the beginning, which has read a meta page.
            result = try body(WriteTransaction(handle: handle, paths: try pages.pathCheck()))
        } catch {
            abort(handle)
            if error as? LMDBFailure == .mapFull { _ = try? checkReaders() }
            throw error
        }
        try commit(handle)
        try pages.noteCommit(self.handle)
        return result
    }

    /// Frees the reader slots of processes that are gone; answers how many there were.
    package func checkReaders() throws(LMDBFailure) -> Int {
        try enter()
        defer { leave() }
        var dead: Int32 = 0
        // SAFETY: the environment is open while a use is counted.
        try LMDBFailure.check(mdb_reader_check(handle, &dead), "check the readers")
        return Int(dead)
    }

    /// Closes the environment; answers false, and leaves it open, while a transaction is open.
    ///
    /// Nothing is lost by not closing: LMDB needs no good-bye.
    @discardableResult
    package func close() -> Bool {
        isClosing.store(true, ordering: .sequentiallyConsistent)
        guard openTransactions.load(ordering: .sequentiallyConsistent) == 0 else { return false }
        guard !isClosed.exchange(true, ordering: .sequentiallyConsistent) else { return true }
        pages.detach()
        // SAFETY: no transaction is open, and none begins any more: `enter` looks at `isClosing`.
        mdb_env_close(handle)
        claim?.release()
        return true
    }

    /// Uses the handle while the environment is certainly open.
    func use<R>(
        _ body: (OpaquePointer) throws(LMDBFailure) -> R
    ) throws(LMDBFailure) -> R {
        try enter()
        defer { leave() }
        return try body(handle)
    }

    /// Begins a transaction; `abort` or `commit` ends it.
    func begin(flags: UInt32) throws(LMDBFailure) -> OpaquePointer {
        try enter()
        var begun: OpaquePointer?
        // SAFETY: the environment is open while a use is counted.
        let code = mdb_txn_begin(handle, nil, flags, &begun)
        if code == MDB_SUCCESS, let begun { return begun }
        leave()
        if code == MDB_PANIC { isPoisoned.store(true, ordering: .relaxed) }
        throw LMDBFailure(code: code, attempt: "begin a transaction")
    }

    /// Ends a transaction without keeping its changes.
    func abort(_ transaction: OpaquePointer) {
        // SAFETY: every transaction that `begin` gave out is ended exactly once.
        mdb_txn_abort(transaction)
        leave()
    }

    private func commit(_ transaction: OpaquePointer) throws(LMDBFailure) {
        // SAFETY: every transaction that `begin` gave out is ended exactly once; a failed commit
        // frees it as well.
        let code = mdb_txn_commit(transaction)
        leave()
        guard code != MDB_SUCCESS else { return }
        try throwFailure(ofCommit: code)
    }

    /// Says what a failed commit means for the next one.
    ///
    /// First match wins: a failed meta write poisoned the environment; a short write on a full
    /// disk, which LMDB calls EIO; then what the code says.
    private func throwFailure(ofCommit code: Int32) throws(LMDBFailure) -> Never {
        let probe = try begin(flags: 0)
        abort(probe)
        if code == EIO, StoreDirectory.freeBytes(of: directory) < Limits.freeSpaceBytesMin {
            throw .diskFull
        }
        let failure = LMDBFailure(code: code, attempt: "commit")
        if case .poisoned = failure { isPoisoned.store(true, ordering: .relaxed) }
        if case .mapFull = failure { _ = try? checkReaders() }
        throw failure
    }

    private func enter() throws(LMDBFailure) {
        openTransactions.add(1, ordering: .sequentiallyConsistent)
        guard !isClosing.load(ordering: .sequentiallyConsistent) else {
            leave()
            throw .closed
        }
    }

    private func leave() {
        openTransactions.subtract(1, ordering: .sequentiallyConsistent)
    }
}
