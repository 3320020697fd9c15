import CLMDB
import Glibc

/// Why the environment could not do what it was asked.
package enum LMDBFailure: Error, Equatable, Sendable {
    /// The map has no page left; nothing of the transaction was stored.
    case mapFull
    /// The disk has no page left; nothing of the transaction was stored, and reads go on.
    case diskFull
    /// The files are not what LMDB wrote. There is no repair: the views are rebuilt or restored.
    case damaged(String)
    /// A flush failed. What the kernel kept of it is unknown: stop, and start anew from the disk.
    case poisoned(String)
    /// Every slot of the reader table is taken.
    case readersFull
    /// One transaction changed more pages than LMDB can hold.
    case transactionFull
    /// A key is empty or longer than `Limits.keyBytesMax`.
    case keySize
    /// The files were written by another format of LMDB.
    case versionMismatch
    /// Somebody else works in this directory; the process, when it is known.
    case busy(pid: Int32?)
    /// Memory maps and locks cannot be relied on here; the file system's name.
    case unsupportedFilesystem(String)
    /// Less than `Limits.freeSpaceBytesMin` is free.
    case noSpaceFloor(freeBytes: Int)
    /// Others than the owner can write here, and could put false records in the place of true ones;
    /// the permission bits.
    case writableByOthers(path: String, mode: UInt32)
    /// The system does not let this process in.
    case denied(errno: Int32, path: String)
    /// The map, or memory, does not fit in the address space; what was tried.
    case noAddressSpace(String)
    /// A key that was to be appended does not follow the last one.
    case outOfOrder
    /// The environment was closed.
    case closed
    /// Anything else, with LMDB's code or the system's errno and what was tried.
    case other(code: Int32, String)

    /// The failure that LMDB's `code` stands for; `attempt` says what was tried.
    @usableFromInline
    package init(code: Int32, attempt: String) {
        switch code {
        case MDB_MAP_FULL: self = .mapFull
        // EFBIG: the file is as large as this process may make it (RLIMIT_FSIZE).
        case ENOSPC, EDQUOT, EFBIG: self = .diskFull
        case ENOMEM: self = .noAddressSpace(attempt)
        // A bad transaction is one in which such a page was met before.
        // Too deep a tree, and no room where it was counted: both only where pages contradict.
        case MDB_CORRUPTED, MDB_PAGE_NOTFOUND, MDB_INVALID, MDB_BAD_TXN, MDB_CURSOR_FULL,
            MDB_PAGE_FULL:
            self = .damaged("\(attempt): \(Self.text(of: code))")
        case MDB_PANIC, EIO: self = .poisoned("\(attempt): \(Self.text(of: code))")
        case MDB_READERS_FULL: self = .readersFull
        case MDB_TXN_FULL: self = .transactionFull
        case MDB_BAD_VALSIZE: self = .keySize
        case MDB_VERSION_MISMATCH: self = .versionMismatch
        case EACCES, EPERM, EROFS: self = .denied(errno: code, path: attempt)
        default: self = .other(code: code, "\(attempt): \(Self.text(of: code))")
        }
    }

    /// Throws the failure of `code` unless it says success.
    static func check(_ code: Int32, _ attempt: @autoclosure () -> String) throws(LMDBFailure) {
        if code != MDB_SUCCESS { throw LMDBFailure(code: code, attempt: attempt()) }
    }

    /// The failure of the system call that just failed.
    static func ofLastCall(_ attempt: String) -> LMDBFailure {
        LMDBFailure(code: errno, attempt: attempt)
    }

    /// The same failure; damage names the file at `path`.
    func named(_ path: String) -> LMDBFailure {
        guard case .damaged(let what) = self, !what.hasPrefix(path) else { return self }
        return .damaged("\(path): \(what)")
    }

    private static func text(of code: Int32) -> String {
        // SAFETY: mdb_strerror returns a static string for LMDB's codes and strerror's otherwise.
        mdb_strerror(code).map { String(cString: $0) } ?? "error \(code)"
    }
}
