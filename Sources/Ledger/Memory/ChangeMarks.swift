import CLinux
import Entitlements
import Glibc

/// How new the newest change of each group of users is, in a file that processes on this host map.
///
/// With it a client knows whether an answer that it has kept still holds; docs/shared-answers.md
/// has the file's layout and the client's rule.
///
/// Laws:
///  - C1. A mark is written before readers can see the change.
///  - C2. The generation is another one before the first answer of a life, and after its last.
///  - C3. The file keeps its inode over lives: whoever has mapped it sees C2.
package final class ChangeMarks: Sendable {
    /// How many groups there are; a power of two.
    package static let groupCount = 1 << 18
    private static let headerBytes = 64
    private static let bytes = headerBytes + 8 * groupCount
    /// `ENTMARK1`, as the bytes of a word.
    private static let magic = "ENTMARK1".utf8.reversed().reduce(0) { $0 << 8 | UInt64($1) }
        .littleEndian

    private enum Word {
        static let magic = 0
        static let count = 1
        static let generation = 2
        static let catalog = 3
    }

    // SAFETY: the mapping lives as long as this; its words are written atomically.
    private nonisolated(unsafe) let words: UnsafeMutablePointer<UInt64>

    /// Takes over the file at `path`, or makes one that those whom `mode` lets read may read.
    ///
    /// - Throws: `.unusable`.
    package init(path: String, mode: UInt16) throws(LedgerFailure) {
        let descriptor = try Self.open(path, mode: mode & 0o444 | 0o600)
        defer { close(descriptor) }
        // On a full disk a page that was never written would end the process.
        let reserved = posix_fallocate(descriptor, 0, Self.bytes)
        guard reserved == 0 else { throw Self.failure(reserved, path) }
        // SAFETY: a new mapping of a file of this length, which nobody shortens.
        let mapping = mmap(nil, Self.bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)
        guard let mapping, mapping != MAP_FAILED else {
            throw Self.failure(errno, path)
        }
        // SAFETY: a mapping begins at a page, and has room for all words.
        words = mapping.bindMemory(to: UInt64.self, capacity: Self.bytes / 8)
        renewGeneration()
        // SAFETY: the marks are the rest of the mapping; nobody keeps anything of this life yet.
        memset(words + Self.headerBytes / 8, 0, 8 * Self.groupCount)
        write(0, at: Word.catalog)
        write(UInt64(Self.groupCount), at: Word.count)
        write(Self.magic, at: Word.magic)
    }

    deinit {
        // SAFETY: the mapping that `init` made.
        munmap(words, Self.bytes)
    }

    /// Ends what others have kept by the file at `path`, and takes it away; nothing where there is
    /// none.
    ///
    /// - Throws: `.unusable`: then somebody may go on believing in old answers.
    package static func retire(path: String) throws(LedgerFailure) {
        guard access(path, F_OK) == 0 else { return }
        try ChangeMarks(path: path, mode: 0o600).end()
        guard unlink(path) == 0 else { throw failure(errno, path) }
    }

    /// What was kept in this life holds no longer.
    package func end() { renewGeneration() }

    /// Marks the users of `changes`, which readers will see as of `seq` (C1).
    func note(_ changes: borrowing RowChanges, seq: UInt64) {
        for row in changes.rows where row.table == .accounts {
            write(seq, at: Self.headerBytes / 8 + Self.group(of: row.key))
        }
    }

    /// Answers as of `seq` may be by an older catalog.
    func noteCatalog(seq: UInt64) { write(seq, at: Word.catalog) }

    /// The group of the user with this id.
    package static func group(of id: [UInt8]) -> Int {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in id { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return Int(truncatingIfNeeded: hash ^ hash >> 32) & (groupCount - 1)
    }

    private func renewGeneration() {
        let now = linux_read_word(words + Word.generation)
        var next = UInt64.random(in: 1...UInt64.max)
        while next == now { next = UInt64.random(in: 1...UInt64.max) }
        write(next, at: Word.generation)
    }

    private func write(_ value: UInt64, at index: Int) {
        // SAFETY: `index` is within the mapping.
        linux_write_word(words + index, value)
    }

    private static func failure(_ code: Int32, _ path: String) -> LedgerFailure {
        // SAFETY: strerror returns a string that is valid until the next call on this thread.
        .unusable("\(path) cannot be shared: \(String(cString: strerror(code)))")
    }

    /// The file that is there, where it is ours and of the right length, else a new one.
    private static func open(_ path: String, mode: UInt16) throws(LedgerFailure) -> Int32 {
        let flags = O_RDWR | O_NOFOLLOW | O_CLOEXEC
        let found = Glibc.open(path, flags)
        if found >= 0 {
            var status = stat()
            // SAFETY: fstat fills the record that it is given.
            let isKnown = fstat(found, &status) == 0
            let isOurs =
                isKnown && status.st_mode & S_IFMT == S_IFREG
                && status.st_uid == geteuid() && status.st_nlink == 1
                && status.st_size == Self.bytes
            if isOurs, fchmod(found, mode_t(mode)) == 0 { return found }
            close(found)
            guard unlink(path) == 0 else { throw failure(errno, path) }
        } else if errno != ENOENT {
            guard unlink(path) == 0 else { throw failure(errno, path) }
        }
        let made = Glibc.open(path, flags | O_CREAT | O_EXCL, mode_t(mode))
        guard made >= 0 else { throw failure(errno, path) }
        // The umask may have taken bits away.
        fchmod(made, mode_t(mode))
        return made
    }
}
