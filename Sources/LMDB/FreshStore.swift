import CLMDB
import Glibc

/// A data file that is being made, known to nobody else: it has no lock file.
///
/// LMDB zeroes the pages that it takes for it (lmdb.h: MDB_NOMEMINIT is off), so the file has
/// nothing but what was appended.
struct FreshStore: ~Copyable {
    private let path: String
    private let handle: OpaquePointer

    /// Makes a data file without entries at `path` where there is none; on the disk after.
    ///
    /// LMDB makes an empty file and writes to it afterwards. A process that ended between the two
    /// would leave what looks like a data file that was cut, so the file gets its name when it is
    /// whole.
    static func make(_ path: String, mapBytes: Int) throws(LMDBFailure) {
        // SAFETY: plain system calls that read paths, and a descriptor that is closed here.
        guard access(path, F_OK) != 0 else { return }
        let partial = path + ".partial"
        guard unlink(partial) == 0 || errno == ENOENT else {
            throw .ofLastCall("remove \(partial)")
        }
        _ = try FreshStore(path: partial, mapBytes: mapBytes, tablesMax: 0)
        // LMDB flushes the commits of such a file, and it has none.
        let descriptor = Glibc.open(partial, O_WRONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .ofLastCall("open \(partial)") }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw .ofLastCall("flush \(partial)") }
        try publish(partial, as: path)
    }

    /// Gives the file at `partial`, which nobody has open, the name `path` once it was walked page
    /// by page and the sums of its pages stand beside it; on the disk after.
    static func publish(_ partial: String, as path: String) throws(LMDBFailure) {
        let inventory = try PageInventory.walk(partial)
        guard let inventory else { throw .damaged("\(partial) is empty") }
        _ = try SumsFile(SumsFile.path(besides: path), with: inventory.contents)
        guard rename(partial, path) == 0 else { throw .ofLastCall("rename to \(path)") }
        try StoreDirectory.flush(directoryOf: path)
    }

    /// Makes the file at `path`, where nothing may be.
    init(path: String, mapBytes: Int, tablesMax: Int) throws(LMDBFailure) {
        // SAFETY: a plain system call; LMDB opens the file again, and takes an empty one for new.
        let descriptor = Glibc.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .ofLastCall("create \(path)") }
        close(descriptor)
        var created: OpaquePointer?
        // SAFETY: the handle is used by nobody else; lmdb.h: after a failed mdb_env_open it must be
        // closed.
        try LMDBFailure.check(mdb_env_create(&created), "create an environment")
        guard let created else { throw .other(code: MDB_SUCCESS, "no environment") }
        var code = mdb_env_set_mapsize(created, StoreDirectory.mapBytes(mapBytes))
        if code == MDB_SUCCESS { code = mdb_env_set_maxdbs(created, UInt32(tablesMax)) }
        if code == MDB_SUCCESS { code = mdb_env_set_assert(created, stopForDamage) }
        if code == MDB_SUCCESS {
            let flags = UInt32(MDB_NOSUBDIR | MDB_NOLOCK | MDB_NOTLS)
            code = mdb_env_open(created, path, flags, 0o600)
        }
        if code == MDB_SUCCESS { code = Environment.closeOnExec(created) }
        guard code == MDB_SUCCESS else {
            mdb_env_close(created)
            throw Self.failure(code, path)
        }
        self.path = path
        handle = created
    }

    deinit {
        // SAFETY: every transaction ends in the function that begins it; closed exactly once.
        mdb_env_close(handle)
    }

    /// Appends every entry of `source` to the table `name`, which is made; on the disk after.
    ///
    /// In pieces, because LMDB keeps the pages of one transaction in memory.
    ///
    /// - Throws: `.damaged` where the keys of `source` are not in their order, or no keys at all:
    ///   LMDB refuses to append them.
    func append(all source: borrowing Cursor, in name: String) throws {
        let table = try write { transaction in
            var dbi = MDB_dbi()
            // SAFETY: nobody else opens a table of this file.
            let code = mdb_dbi_open(transaction.handle, name, UInt32(MDB_CREATE), &dbi)
            try LMDBFailure.check(code, "make table \(name)")
            return Table(dbi: dbi)
        }
        var entry = try source.first()
        while entry != nil {
            try write { transaction in
                var bytes = 0
                while let (key, value) = entry, bytes < Limits.copyPieceBytes {
                    do throws(LMDBFailure) {
                        try transaction.append(value, for: key, in: table)
                    } catch .keySize, .outOfOrder {
                        throw LMDBFailure.damaged("table \(name): the keys are out of order")
                    }
                    bytes += key.count + value.count
                    entry = try source.next()
                }
            }
        }
    }

    private func write<R>(_ body: (borrowing WriteTransaction) throws -> R) throws -> R {
        var begun: OpaquePointer?
        // SAFETY: the environment is open as long as this value lives.
        let code = mdb_txn_begin(handle, nil, 0, &begun)
        guard code == MDB_SUCCESS, let begun else { throw Self.failure(code, path) }
        let result: R
        do {
            result = try body(WriteTransaction(handle: begun, paths: nil))
        } catch {
            // SAFETY: a transaction is ended exactly once.
            mdb_txn_abort(begun)
            throw error
        }
        // SAFETY: a transaction is ended exactly once; a failed commit frees it as well.
        let ending = mdb_txn_commit(begun)
        guard ending == MDB_SUCCESS else { throw Self.failure(ending, path) }
        return result
    }

    /// What `code` means for the copy; the store that is copied has no part in it.
    private static func failure(_ code: Int32, _ path: String) -> LMDBFailure {
        // LMDB calls a short write on a full disk EIO.
        guard code == EIO else { return LMDBFailure(code: code, attempt: "write \(path)") }
        let isFull = StoreDirectory.freeBytes(of: path) < Limits.freeSpaceBytesMin
        return isFull ? .diskFull : .other(code: EIO, "write \(path)")
    }
}
