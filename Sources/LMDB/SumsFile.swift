import CLinux
import Glibc

/// data.sums: the sums of the pages of the data.mdb beside it, as of one of its commits.
///
/// Records one behind the other, little-endian. The first has the sums of all pages, each other one
/// what one more commit changed; when there is more of those than of the first, the file is written
/// anew.
///
///      0  u32 magic   4 u32 0: all pages, 1: changes, 2: a commit that is not believed
///      8  u64 commit
///     16  3 × u32 sums of the meta pages of this commit and of the two before it, 0 for none
///     28  u32 page size   32 u64 how many
///     40  all: a u32 sum for each page from page 0 on; changes: u32 page and u32 sum for each
///      …  u32 CRC32C of everything before
///
/// A record is on the disk before the next commit begins, so that the file is one commit behind
/// data.mdb at most: data.mdb still has the commit before its newest then, and the two compared say
/// what the record would have said. A record that is not whole, at the end, is therefore nothing.
final class SumsFile {
    /// What a file says.
    struct Contents {
        var commit: UInt64
        /// The sums of the meta pages of the commit and of the two before.
        var metas: [UInt32]
        var pageBytes: Int
        /// By page number.
        var sums: [UInt32]
        /// Where the next record goes.
        var end: Int
        /// The commit after this one was built on what was not written: it is not believed.
        var isRefused = false

        /// Whether `meta` is that of the commit, or of one of the two before it.
        func knows(_ meta: StoreFile.Meta) -> Bool {
            guard meta.commit <= commit, commit - meta.commit < UInt64(metas.count) else {
                return false
            }
            return metas[Int(commit - meta.commit)] == meta.sum
        }
    }

    /// What is found beside a data file.
    enum Finding {
        case missing
        /// Its first record is not what was written.
        case unreadable
        case contents(Contents)
    }

    private static let magic: UInt32 = 0x4D55_5345
    private static let headBytes = 40
    private static let all: UInt32 = 0
    private static let changes: UInt32 = 1
    private static let refused: UInt32 = 2

    let path: String
    private let descriptor: Int32
    /// Where the next record goes; nil before the first.
    private var end: Int?
    /// So long is the first record.
    private var wholeBytes = 0

    /// The name of the sums of the data file at `path`.
    static func path(besides path: String) -> String {
        (path.hasSuffix(".mdb") ? String(path.dropLast(4)) : path) + ".sums"
    }

    /// Reads the file at `path`.
    static func read(_ path: String) throws(LMDBFailure) -> Finding {
        guard let file = try PageFile(path) else { return .missing }
        guard let bytes = try file.bytes(at: 0, count: file.byteCount)?.bytes else {
            return .unreadable
        }
        return bytes.withUnsafeBytes { bytes in
            guard let (kind, first) = record(bytes, at: 0), kind == all else {
                return .unreadable
            }
            var contents = first
            while let (kind, next) = record(bytes, at: contents.end), kind == changes,
                next.commit == contents.commit + 1, next.pageBytes == contents.pageBytes
            {
                apply(bytes, at: contents.end, to: &contents.sums)
                contents.commit = next.commit
                contents.metas = next.metas
                contents.end = next.end
            }
            if let (kind, next) = record(bytes, at: contents.end), kind == refused {
                contents.isRefused = next.commit == contents.commit + 1
            }
            return .contents(contents)
        }
    }

    /// The file at `path`, which has `contents`; nothing behind them stays.
    init(_ path: String, goingOnFrom contents: Contents) throws(LMDBFailure) {
        // SAFETY: a plain system call; the descriptor is owned by this value.
        descriptor = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { throw .ofLastCall("open \(path)") }
        self.path = path
        end = contents.end
        wholeBytes = Self.headBytes + 4 * contents.sums.count + 4
        guard ftruncate(descriptor, contents.end) == 0 else { throw .ofLastCall("cut \(path)") }
    }

    /// A new file in the place of what is at `path`, with `contents`; on the disk after.
    init(_ path: String, with contents: Contents) throws(LMDBFailure) {
        let partial = path + ".partial"
        _ = unlink(partial)
        // SAFETY: plain system calls; the descriptor is owned by this value.
        descriptor = open(partial, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw .ofLastCall("create \(partial)") }
        self.path = path
        let bytes = Self.record(
            Self.all,
            contents.commit,
            contents.metas,
            contents.pageBytes,
            contents.sums
        )
        wholeBytes = bytes.count
        do throws(LMDBFailure) {
            try write(bytes, at: 0)
            try flush()
            guard rename(partial, path) == 0 else { throw .ofLastCall("rename to \(path)") }
            try StoreDirectory.flush(directoryOf: path)
        } catch {
            _ = unlink(partial)
            throw error
        }
        end = bytes.count
    }

    deinit { close(descriptor) }

    /// Whether it is time to write the file anew.
    var isLong: Bool { (end ?? 0) > 2 * wholeBytes + Limits.sumsSlackBytes }

    /// A record of what `commit` changed: pages with their sums, 0 for those that it gave up.
    static func changes(
        _ commit: UInt64,
        _ metas: [UInt32],
        _ pageBytes: Int,
        _ pages: [(page: UInt32, sum: UInt32)]
    ) -> [UInt8] {
        record(changes, commit, metas, pageBytes, pages.flatMap { [$0.page, $0.sum] })
    }

    /// A record that says that `commit` is not to be believed.
    static func refusal(_ commit: UInt64, _ pageBytes: Int) -> [UInt8] {
        record(refused, commit, [0, 0, 0], pageBytes, [])
    }

    /// Writes a record behind the others.
    func append(_ record: [UInt8]) throws(LMDBFailure) {
        let place = end ?? 0
        try write(record, at: place)
        end = place + record.count
    }

    /// Waits until everything is on the disk.
    func flush() throws(LMDBFailure) {
        guard fdatasync(descriptor) == 0 else { throw .ofLastCall("flush \(path)") }
    }

    private func write(_ bytes: [UInt8], at offset: Int) throws(LMDBFailure) {
        var done = 0
        while done < bytes.count {
            // SAFETY: the array outlives the call; only its rest is written.
            let count = bytes.withUnsafeBytes {
                pwrite(
                    descriptor,
                    $0.baseAddress.map { $0 + done },
                    bytes.count - done,
                    offset + done
                )
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .ofLastCall("write \(path)") }
            done += count
        }
    }

    private static func record(
        _ kind: UInt32,
        _ commit: UInt64,
        _ metas: [UInt32],
        _ pageBytes: Int,
        _ numbers: [UInt32]
    ) -> [UInt8] {
        let count = UInt64(kind == changes ? numbers.count / 2 : numbers.count)
        var words = [magic, kind, UInt32(truncatingIfNeeded: commit), UInt32(commit >> 32)]
        words += [metas[0], metas[1], metas[2], UInt32(pageBytes)]
        words += [UInt32(truncatingIfNeeded: count), UInt32(count >> 32)]
        words += numbers
        let sum = words.withUnsafeBytes { linux_crc32c(0, $0.baseAddress, $0.count) }
        words.append(sum)
        return words.withUnsafeBytes { Array($0) }
    }

    /// The record at `offset`, if it is whole: its kind, and what it says; sums for all pages only.
    private static func record(
        _ bytes: UnsafeRawBufferPointer,
        at offset: Int
    ) -> (kind: UInt32, contents: Contents)? {
        guard bytes.count - offset >= headBytes + 4, word(bytes, offset) == magic else {
            return nil
        }
        let kind = word(bytes, offset + 4)
        let count = UInt64(word(bytes, offset + 32)) | UInt64(word(bytes, offset + 36)) << 32
        let each = kind == changes ? 8 : 4
        guard count <= UInt64((bytes.count - offset - headBytes - 4) / each) else { return nil }
        let length = headBytes + Int(count) * each
        // SAFETY: `count` was compared with the number of bytes just above.
        let sum = UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + length])
        guard linux_crc32c(0, sum.baseAddress, sum.count) == word(bytes, offset + length) else {
            return nil
        }
        return (
            kind,
            Contents(
                commit: UInt64(word(bytes, offset + 8)) | UInt64(word(bytes, offset + 12)) << 32,
                metas: (0..<3).map { word(bytes, offset + 16 + 4 * $0) },
                pageBytes: Int(word(bytes, offset + 28)),
                sums: kind != all
                    ? [] : (0..<Int(count)).map { word(bytes, offset + headBytes + 4 * $0) },
                end: offset + length + 4
            )
        )
    }

    private static func apply(
        _ bytes: UnsafeRawBufferPointer,
        at offset: Int,
        to sums: inout [UInt32]
    ) {
        let count = Int(word(bytes, offset + 32))
        for index in 0..<count {
            let place = offset + headBytes + 8 * index
            let page = Int(word(bytes, place))
            if page >= sums.count {
                sums += [UInt32](repeating: 0, count: page + 1 - sums.count)
            }
            sums[page] = word(bytes, place + 4)
        }
    }

    private static func word(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt32 {
        UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
    }
}
