import Chance
import Glibc
import Journal
import TestSupport
import Testing

/// The two journals that there are: what holds of one holds of the other.
enum JournalUnderTest: CaseIterable, Sendable {
    case segments
    case memory

    func location(_ scratch: Scratch) -> any JournalLocation {
        switch self {
        case .segments:
            SegmentLocation(
                scratch.store + "/journal",
                limits: JournalLimits(segmentBytesMax: 16 << 10, stepBytesMax: 64 << 10)
            )
        case .memory: MemoryLocation(journal: MemoryJournal())
        }
    }
}

/// What every journal promises, whatever keeps its groups.
struct JournalConformanceTests {
    private let scratch: Scratch
    private let versions = JournalVersions(catalog: 3, rules: 4)

    init() throws {
        scratch = try Scratch()
        try #require(mkdir(scratch.store, 0o700) == 0)
    }

    private func entry(_ seq: UInt64, _ byte: UInt8 = 1) -> JournalEntry {
        JournalEntry(
            seq: seq,
            moment: 1_000 * Int64(seq),
            kind: 2,
            version: 1,
            links: [seq, 0],
            body: [UInt8](repeating: byte, count: 300 + Int(seq % 40))
        )
    }

    /// Appends `groups` groups of three entries; answers the end.
    @discardableResult
    private func fill(
        _ journal: any Journal,
        _ groups: Int,
        from last: JournalPosition = JournalPosition(seq: 0, group: 0)
    ) throws -> JournalPosition {
        var last = last
        for _ in 0..<groups {
            let entries = (1...3).map { entry(last.seq + UInt64($0)) }
            #expect(try journal.append(entries, under: versions, after: last) == .committed)
            last = JournalPosition(seq: last.seq + 3, group: last.group + 1)
        }
        return last
    }

    private func seqs(
        _ journal: any Journal,
        after seq: UInt64?,
        through last: UInt64 = .max
    ) throws -> [UInt64] {
        var seqs: [UInt64] = []
        try journal.read(after: seq, through: last) { _, entries in
            seqs += entries.map(\.seq)
            return true
        }
        return seqs
    }

    @Test(arguments: JournalUnderTest.allCases)
    func `a group behind another position than the end is a conflict, and is not there`(
        _ kind: JournalUnderTest
    ) throws {
        let journal = try kind.location(scratch).open(appliedGroup: 0).journal
        let end = try fill(journal, 5)
        let wrong = [
            JournalPosition(seq: 0, group: 0), JournalPosition(seq: end.seq - 3, group: 4),
            JournalPosition(seq: end.seq + 3, group: 6), JournalPosition(seq: end.seq, group: 6),
        ]
        for position in wrong {
            let entries = [entry(position.seq + 1)]
            let answer = try journal.append(entries, under: versions, after: position)
            #expect(answer == .conflict(end))
            #expect(try journal.append([], under: versions, after: position) == .conflict(end))
        }
        #expect(try seqs(journal, after: nil) == Array(1...end.seq))
        #expect(try fill(journal, 1, from: end).group == 6)
    }

    @Test(arguments: JournalUnderTest.allCases)
    func `groups are read whole, behind any entry and up to any other`(
        _ kind: JournalUnderTest
    ) throws {
        let journal = try kind.location(scratch).open(appliedGroup: 0).journal
        let end = try fill(journal, 60)
        for after in [0, 1, 2, 3, 89, 90, end.seq - 1, end.seq] as [UInt64] {
            #expect(try seqs(journal, after: after) == Array((after + 1)..<(end.seq + 1)))
        }
        #expect(try seqs(journal, after: 4, through: 8) == [5, 6, 7, 8, 9])
        #expect(try seqs(journal, after: 8, through: 8).allSatisfy { $0 == 9 })
        var numbers: [UInt64] = []
        let extent = try journal.read(after: nil) { group, entries in
            #expect(group.catalogVersion == 3 && group.rulesVersion == 4)
            #expect(group.entryCount == 3 && entries.count == 3 && group.bytes > 900)
            numbers.append(group.number)
            return numbers.count < 7
        }
        #expect(numbers == Array(1...7))
        #expect(extent.lastSeq == end.seq && extent.bytes > 60 * 900)
        #expect(try journal.bytes() == extent.bytes)
    }

    @Test(arguments: JournalUnderTest.allCases)
    func `an entry is found by its seq, before and behind a new start`(
        _ kind: JournalUnderTest
    ) throws {
        let location = kind.location(scratch)
        let end = try fill(try location.open(appliedGroup: 0).journal, 60)
        let opened = try location.open(appliedGroup: end.group)
        #expect(opened.last == end && opened.tornTail == nil && opened.groupBytesMax > 8_000)
        let memory = JournalMemory()
        memory.remember()
        for journal in [opened.journal, location.reading(appliedGroup: end.group)] {
            for seq in [1, 2, 90, end.seq] as [UInt64] {
                #expect(try journal.entry(seq) == entry(seq))
                #expect(try journal.entry(seq, remembering: memory) == entry(seq))
            }
            #expect(try journal.entry(0) == nil)
            #expect(try journal.entry(end.seq + 1) == nil)
        }
        #expect(memory.entriesDecoded == 8 && !memory.isOutdated)
    }

    @Test(arguments: JournalUnderTest.allCases)
    func `what is rewritten keeps its place, and who has read it learns so`(
        _ kind: JournalUnderTest
    ) throws {
        let journal = try kind.location(scratch).open(appliedGroup: 0).journal
        let end = try fill(journal, 40)
        let memory = JournalMemory()
        memory.remember()
        #expect(try journal.entry(5, remembering: memory) == entry(5))
        var commits = 0
        let committed = { commits += 1 }
        try journal.rewrite(through: 60, onCommit: committed) { old in
            old.seq % 5 == 0 && old.seq <= 60 ? entry(old.seq, 9) : nil
        }
        #expect(commits == 1 && memory.isOutdated)
        memory.remember()
        #expect(try journal.entry(5, remembering: memory) == entry(5, 9))
        #expect(!memory.isOutdated)
        let later = try fill(journal, 5, from: end)
        for seq in 1...later.seq {
            #expect(try journal.entry(seq) == entry(seq, seq % 5 == 0 && seq <= 60 ? 9 : 1))
        }
        struct Refusal: Error {}
        #expect(throws: Refusal.self) {
            try journal.rewrite(through: 60, onCommit: committed) { old in
                if old.seq == 30 { throw Refusal() }
                return entry(old.seq, 7)
            }
        }
        #expect(try journal.entry(1) == entry(1) && commits == 1)
        #expect(try seqs(journal, after: nil) == Array(1...later.seq))
    }

    @Test(arguments: JournalUnderTest.allCases)
    func `the oldest go in pieces, and what comes next is said to be pruned`(
        _ kind: JournalUnderTest
    ) throws {
        let journal = try kind.location(scratch).open(appliedGroup: 0).journal
        let end = try fill(journal, 90)
        let extent = DropExtent(olderThan: 1_000 * 200, through: 150)
        let would = try #require(try journal.drop(extent, isDryRun: true) { Issue.record("gone") })
        #expect(would.lastSeq <= 150 && would.lastSeq > 12 && would.pieces == 0)
        #expect(try seqs(journal, after: nil).count == Int(end.seq))
        var count = 0
        let went = try #require(try journal.drop(extent, isDryRun: false) { count += 1 })
        #expect(went.lastSeq == would.lastSeq && went.pieces == count && count > 0)
        #expect(try seqs(journal, after: nil) == Array((went.lastSeq + 1)...end.seq))
        #expect(try seqs(journal, after: went.lastSeq).count == Int(end.seq - went.lastSeq))
        #expect(throws: JournalFailure.pruned(firstSeq: went.lastSeq + 1)) {
            try seqs(journal, after: went.lastSeq - 1)
        }
        #expect(try journal.entry(went.lastSeq) == nil)
        #expect(try journal.drop(extent, isDryRun: true) {} == nil)
        #expect(
            try journal.drop(DropExtent(olderThan: 0, through: .max), isDryRun: false) {} == nil
        )
        let all = DropExtent(olderThan: .max, through: .max)
        #expect(try #require(try journal.drop(all, isDryRun: false) {}).lastSeq < end.seq)
        #expect(try fill(journal, 1, from: end).seq == end.seq + 3)
    }

    @Test(arguments: JournalUnderTest.allCases)
    func `an export is a journal of segments that ends with the group that was named`(
        _ kind: JournalUnderTest
    ) throws {
        let journal = try kind.location(scratch).open(appliedGroup: 0).journal
        try fill(journal, 60)
        let path = scratch.path + "/export"
        let copy = try journal.export(throughGroup: 41, to: path)
        #expect(copy.lastSeq == 123 && !copy.paths.isEmpty)
        let opened = try SegmentLocation(path).open(appliedGroup: 41)
        #expect(opened.last == JournalPosition(seq: 123, group: 41))
        #expect(try opened.journal.entry(50) == entry(50))
        #expect(try fill(opened.journal, 1, from: opened.last).group == 42)
    }
}
