import Glibc
import Journal
import Testing

/// A directory of its own for one test, removed after.
final class Scratch {
    let path: String

    init() throws {
        var template = Array("/tmp/entitld-journal-XXXXXX".utf8CString)
        let made = template.withUnsafeMutableBufferPointer { buffer in
            buffer.baseAddress.flatMap { mkdtemp($0) }.map { String(cString: $0) }
        }
        path = try #require(made)
    }

    deinit { Self.remove(path) }

    var journal: String { path + "/journal" }
    var proof: String { journal + "/proof" }

    /// The names of the segments, oldest first.
    var segments: [String] { Self.names(in: journal).filter { $0.hasSuffix(".segment") } }

    /// Removes the segments of the journal with nothing but seqs below `seq`; answers how many.
    @discardableResult
    func prune(beforeSeq seq: UInt64, _ onEach: () -> Void = {}) throws -> Int {
        try Journal.removeSegments(directory: journal, throughSeq: seq - 1, onEach)
    }

    static func names(in path: String) -> [String] {
        guard let stream = opendir(path) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    static func remove(_ path: String) {
        for name in names(in: path) {
            if unlink("\(path)/\(name)") != 0 { remove("\(path)/\(name)") }
        }
        rmdir(path)
    }

    static func bytes(of path: String) throws -> [UInt8] {
        let descriptor = open(path, O_RDONLY)
        try #require(descriptor >= 0, "open \(path)")
        defer { close(descriptor) }
        var status = stat()
        fstat(descriptor, &status)
        var bytes = [UInt8](repeating: 0, count: status.st_size)
        let count = bytes.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, 0) }
        try #require(count == bytes.count)
        return bytes
    }

    static func put(_ bytes: [UInt8], at path: String) throws {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        try #require(descriptor >= 0, "open \(path)")
        defer { close(descriptor) }
        let count = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        try #require(count == bytes.count)
    }

    static func copy(_ from: String, to: String) throws {
        remove(to)
        try #require(mkdir(to, 0o700) == 0)
        for name in names(in: from) {
            try put(try bytes(of: "\(from)/\(name)"), at: "\(to)/\(name)")
        }
    }
}

/// Small numbers, so that a test reaches every limit quickly.
let small = JournalLimits(
    segmentBytesMax: 16 << 10,
    stepBytesMin: 4 << 10,
    stepBytesMax: 8 << 10
)

func entry(_ seq: UInt64, bytes: Int = 40) -> JournalEntry {
    JournalEntry(
        seq: seq,
        moment: 1_700_000_000_000 + Int64(seq),
        kind: UInt8(seq % 7),
        version: 1,
        links: (0..<seq % 4).map { seq &* 31 &+ $0 },
        body: (0..<bytes).map { UInt8(truncatingIfNeeded: seq &* 17 &+ UInt64($0)) }
    )
}

extension Journal {
    /// Appends the next `count` entries as one group.
    @discardableResult
    func add(_ count: Int = 1, bytes: Int = 40) throws -> UInt64 {
        let first = lastSeq + 1
        let entries = (0..<UInt64(count)).map { JournalTests.entry(first + $0, bytes: bytes) }
        return try append(entries, catalogVersion: 3, rulesVersion: 4)
    }

    func all(afterSeq seq: UInt64 = 0) throws -> [JournalEntry] {
        var entries: [JournalEntry] = []
        try replay(afterSeq: seq) { entry, _ in entries.append(entry) }
        return entries
    }
}

/// Answers the failure that `body` throws.
func failure(_ body: () throws -> Void) -> JournalFailure? {
    do {
        try body()
        return nil
    } catch {
        return error as? JournalFailure
    }
}

func isDamage(_ failure: JournalFailure?) -> Bool {
    if case .damaged = failure { return true }
    return false
}

/// A small file system of its own, or nil, said loudly, where nothing can be mounted.
final class SmallDisk {
    let path: String

    init?(bytes: Int) throws {
        var template = Array("/tmp/entitld-disk-XXXXXX".utf8CString)
        let made = template.withUnsafeMutableBufferPointer { buffer in
            buffer.baseAddress.flatMap { mkdtemp($0) }.map { String(cString: $0) }
        }
        path = try #require(made)
        guard mount("tmpfs", path, "tmpfs", 0, "size=\(bytes)") == 0 else {
            print(
                "SKIPPED: a full disk needs a tmpfs, and mounting one needs root (errno \(errno))"
            )
            rmdir(path)
            return nil
        }
    }

    deinit {
        umount2(path, Int32(MNT_DETACH))
        rmdir(path)
    }

    /// Takes all that is free but `bytes`.
    func fill(leaving bytes: Int = 0) throws {
        let descriptor = open(path + "/ballast", O_WRONLY | O_CREAT | O_APPEND, 0o600)
        try #require(descriptor >= 0)
        let block = [UInt8](repeating: 1, count: 4096)
        while write(descriptor, block, block.count) == block.count {}
        var status = stat()
        fstat(descriptor, &status)
        ftruncate(descriptor, max(0, status.st_size - bytes))
        close(descriptor)
    }

    func empty() { unlink(path + "/ballast") }
}

/// Puts another file under the descriptor by which this process has `path` open.
func put(_ other: String, inPlaceOf path: String) throws {
    let descriptor = try #require(
        Scratch.names(in: "/proc/self/fd").compactMap { Int32($0) }
            .first { candidate in
                var name = [CChar](repeating: 0, count: 4096)
                let count = readlink("/proc/self/fd/\(candidate)", &name, name.count - 1)
                guard count > 0 else { return false }
                return String(
                    decoding: name[..<count].map { UInt8(bitPattern: $0) },
                    as: UTF8.self
                )
                    == path
            }
    )
    let replacement = open(other, access(other, W_OK) == 0 ? O_RDWR : O_RDONLY)
    try #require(replacement >= 0)
    try #require(dup2(replacement, descriptor) == descriptor)
    close(replacement)
}
