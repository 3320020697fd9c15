import Glibc
import Journal
import TestSupport
import Testing

extension Scratch {
    var journal: String { path + "/journal" }
    var proof: String { journal + "/proof" }

    /// The names of the segments, oldest first.
    var segments: [String] { Self.names(in: journal).filter { $0.hasSuffix(".segment") } }

    /// Removes the segments of the journal with nothing but seqs below `seq`; answers how many.
    @discardableResult
    func prune(beforeSeq seq: UInt64, _ onEach: () -> Void = {}) throws -> Int {
        try Segments.remove(directory: journal, throughSeq: seq - 1, onEach)
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

extension SegmentWriter {
    /// Appends the next `count` entries as one group.
    @discardableResult
    func add(_ count: Int = 1, bytes: Int = 40) throws -> UInt64 {
        let first = lastSeq + 1
        let entries = (0..<UInt64(count)).map { JournalTests.entry(first + $0, bytes: bytes) }
        return try append(entries, catalogVersion: 3, rulesVersion: 4)
    }

    func all(afterSeq seq: UInt64 = 0) throws -> [JournalEntry] {
        var entries: [JournalEntry] = []
        try SegmentJournal(self)
            .read(after: seq) { _, group in
                entries += group
                return true
            }
        return entries
    }

    func entry(seq: UInt64) throws -> JournalEntry? { try SegmentJournal(self).entry(seq) }
}

extension SegmentReader {
    /// As a task does that reads much.
    func startRemembering() {
        forget()
        isRemembering = true
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
