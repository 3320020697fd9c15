import Glibc
import Journal
import LMDB
import Threads

extension LedgerFailure {
    /// Whether a system call that failed with `code` found no space: on the disk, in the quota, or
    /// in a file as large as this process may make it.
    static func isFull(_ code: Int32) -> Bool {
        code == ENOSPC || code == EDQUOT || code == EFBIG
    }

    /// What a failure of the disk means to those above.
    init(_ error: any Error) {
        switch error {
        case let failure as LedgerFailure: self = failure
        case let damage as Damage:
            self = .damaged("a row of \(damage.table.rawValue) is not what was stored")
        case is HistoryGone: self = .gone(oldest: nil)
        case is Malformed: self = .damaged("a record is not what its version says")
        case let failure as LMDBFailure: self.init(failure)
        case let failure as JournalFailure: self.init(failure)
        case let failure as ThreadFailure:
            self = .unusable("no thread could be started (errno \(failure.errno))")
        default: self = .failed("\(error)")
        }
    }

    private init(_ failure: LMDBFailure) {
        switch failure {
        case .mapFull, .diskFull: self = .storageFull
        case .damaged(let what): self = .damaged(what)
        case .poisoned(let what): self = .failed(what)
        case .busy(let pid): self = .busy(pid: pid ?? 0)
        case .versionMismatch: self = .damaged("the views are of another format of LMDB")
        case .unsupportedFilesystem(let name):
            self = .unusable("\(name) cannot hold memory maps and locks that can be relied on")
        case .noSpaceFloor(let bytes):
            self = .unusable("only \(bytes) bytes are free; starting needs 1 MiB")
        case .denied(let code, let path):
            // SAFETY: strerror returns a string that is valid until the next call on this thread.
            self = .unusable("\(path): \(String(cString: strerror(code)))")
        case .writableByOthers(let path, let mode): self = .writable(path, mode)
        case .noAddressSpace:
            self = .unusable("storage.mapSizeGiB does not fit in the address space (ulimit -v)")
        case .readersFull: self = .unusable("every slot of LMDB's reader table is taken")
        case .transactionFull, .keySize, .outOfOrder, .closed, .other: self = .failed("\(failure)")
        }
    }

    /// What others can write is not trusted.
    private static func writable(_ path: String, _ mode: UInt32) -> LedgerFailure {
        let bits = String(mode, radix: 8)
        return .unusable("others can write \(path) (mode \(bits)): chmod go-w \(path)")
    }

    private init(_ failure: JournalFailure) {
        switch failure {
        case .diskFull: self = .storageFull
        case .tooLarge: self = .tooLarge
        case .damaged(let what): self = .damaged("journal: \(what)")
        case .writableByOthers(let path, let mode): self = .writable(path, mode)
        case .pruned(let first):
            self = .damaged("journal: begins with entry \(first), and no base has what came before")
        case .unknownVersion(let version):
            self = .unusable("journal: a later entitld wrote it, in version \(version)")
        case .io, .denied, .closed: self = .failed("journal: \(failure)")
        }
    }
}
