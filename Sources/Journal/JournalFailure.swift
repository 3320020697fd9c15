import Glibc

/// Why the journal could not do what it was asked.
package enum JournalFailure: Error, Equatable, Sendable {
    /// The disk is full; the journal is as it was, and the next append may succeed.
    case diskFull
    /// A whole group that was on the disk is not whole any more, or is missing.
    case damaged(String)
    /// A write or a flush failed, and what the disk has of it is unknown: stop, and start anew.
    case io(errno: Int32, String)
    /// The entries do not fit in a segment or in their fields.
    case tooLarge(bytes: Int, bytesMax: Int)
    /// What was asked for was pruned; the first seq that is still here.
    case pruned(firstSeq: UInt64)
    /// A later version of this program wrote the journal.
    case unknownVersion(UInt16)
    /// The system does not let this process in.
    case denied(errno: Int32, path: String)
    /// Others than the owner can write here, and could put false entries in the place of true ones;
    /// the permission bits.
    case writableByOthers(path: String, mode: UInt32)
    /// The journal was closed.
    case closed

    /// The failure of a system call with `code`; `attempt` says what was tried.
    static func call(_ code: Int32, _ attempt: String) -> JournalFailure {
        switch code {
        // EFBIG: the file is as large as this process may make it (RLIMIT_FSIZE).
        case ENOSPC, EDQUOT, EFBIG: .diskFull
        case EACCES, EPERM, EROFS: .denied(errno: code, path: attempt)
        default: .io(errno: code, attempt)
        }
    }

    /// The failure of the system call that just failed.
    static func ofLastCall(_ attempt: String) -> JournalFailure { call(errno, attempt) }
}
