import Glibc
import Journal
import TestSupport
import Testing

@Suite struct AppendTests {
    @Test func `what was appended is read back, after a reopening too`() throws {
        let scratch = try Scratch()
        let journal = try SegmentWriter.open(
            directory: scratch.journal,
            appliedGroup: 0,
            limits: small
        )
        #expect(try journal.add(3) == 1)
        #expect(try journal.add(1, bytes: 0) == 2)
        #expect(try journal.add(5, bytes: 200) == 3)
        #expect(journal.lastSeq == 9)
        #expect(journal.lastGroup == 3)
        let expected = (1...9)
            .map { seq -> JournalEntry in
                entry(UInt64(seq), bytes: seq < 4 ? 40 : seq == 4 ? 0 : 200)
            }
        #expect(try journal.all() == expected)
        journal.close()
        let again = try SegmentWriter.open(
            directory: scratch.journal,
            appliedGroup: 3,
            limits: small
        )
        #expect(again.tornTail == nil)
        #expect(again.lastSeq == 9)
        #expect(try again.all() == expected)
        #expect(try again.add() == 4)
    }

    @Test func `each group is handed over with its number, catalog and rules`() throws {
        let scratch = try Scratch()
        let journal = try SegmentWriter.open(
            directory: scratch.journal,
            appliedGroup: 0,
            limits: small
        )
        _ = try journal.append([entry(1)], catalogVersion: 7, rulesVersion: 8)
        _ = try journal.append([entry(2), entry(3)], catalogVersion: 9, rulesVersion: 10)
        var groups: [JournalGroup] = []
        try SegmentJournal(journal)
            .read(after: 0) { group, _ in
                groups.append(group)
                return true
            }
        #expect(groups.map(\.number) == [1, 2])
        #expect(groups.map(\.catalogVersion) == [7, 9])
        #expect(groups.map(\.rulesVersion) == [8, 10])
        #expect(groups[1].firstSeq == 2 && groups[1].lastSeq == 3)
    }

    @Test(arguments: [false, true])
    func `a group in a segment that was removed, or replaced, is not said to be kept`(
        _ isReplaced: Bool
    ) throws {
        let scratch = try Scratch()
        let journal = try SegmentWriter.open(
            directory: scratch.journal,
            appliedGroup: 0,
            limits: small
        )
        for _ in 0..<100 { try journal.add(2, bytes: 300) }
        let names = scratch.segments
        let last = try #require(names.last.map { "\(scratch.journal)/\($0)" })
        // An older one is not written to: it is missed by who reads it.
        unlink("\(scratch.journal)/\(names[0])")
        try journal.add()
        if isReplaced {
            try Scratch.put(try Scratch.bytes(of: last), at: scratch.path + "/copy")
            #expect(rename(scratch.path + "/copy", last) == 0)
        } else {
            unlink(last)
        }
        let lost = JournalFailure.io(errno: ENOENT, "\(last) was removed")
        #expect(failure { try journal.add() } == lost)
        // Nothing more is taken, not in another segment either.
        #expect(failure { try journal.add(4, bytes: 3_000) } == lost)
    }

    @Test func `the directory and the files belong to this user alone`() throws {
        let scratch = try Scratch()
        let journal = try SegmentWriter.open(
            directory: scratch.journal,
            appliedGroup: 0,
            limits: small
        )
        try journal.add()
        var status = stat()
        #expect(stat(scratch.journal, &status) == 0)
        #expect(status.st_mode & 0o777 == 0o700)
        #expect(Scratch.names(in: scratch.journal) == scratch.segments + ["proof"])
        for name in Scratch.names(in: scratch.journal) {
            #expect(stat("\(scratch.journal)/\(name)", &status) == 0)
            #expect(status.st_mode & 0o777 == 0o600)
        }
    }

    @Test func `segments roll, are named by their first group, and replay begins anywhere`() throws
    {
        let scratch = try Scratch()
        let journal = try SegmentWriter.open(
            directory: scratch.journal,
            appliedGroup: 0,
            limits: small
        )
        for _ in 0..<100 { try journal.add(2, bytes: 300) }
        let names = scratch.segments
        #expect(names.count > 3)
        #expect(names[0] == "00000000000000000001.segment")
        for after in UInt64(0)...200 {
            let seqs = try journal.all(afterSeq: after).map(\.seq)
            #expect(seqs == Array(after + 1..<201))
        }
        let again = try SegmentWriter.open(
            directory: scratch.journal,
            appliedGroup: 100,
            limits: small
        )
        #expect(again.lastSeq == 200)
        #expect(again.lastGroup == 100)
    }

    @Test func `single entries are found, and others are not`() throws {
        let scratch = try Scratch()
        let limits = JournalLimits(segmentBytesMax: 1 << 20, stepBytesMin: 4096)
        let journal = try SegmentWriter.open(
            directory: scratch.journal,
            appliedGroup: 0,
            limits: limits
        )
        let reader = try SegmentReader(directory: scratch.journal)
        #expect(try reader.entry(seq: 1) == nil)
        for _ in 0..<1_000 { try journal.add(3, bytes: 700) }
        #expect(scratch.segments.count > 2)
        for seq in stride(from: UInt64(3_000), through: 1, by: -7) {
            #expect(try journal.entry(seq: seq) == entry(seq, bytes: 700))
            #expect(try reader.entry(seq: seq) == entry(seq, bytes: 700))
        }
        #expect(try journal.entry(seq: 0) == nil)
        #expect(try journal.entry(seq: 3_001) == nil)
        #expect(try reader.entry(seq: 3_001) == nil)
        try journal.add()
        #expect(try reader.entry(seq: 3_001) == entry(3_001))
    }

    @Test func `a group that no segment can hold is refused, and nothing else`() throws {
        let scratch = try Scratch()
        let journal = try SegmentWriter.open(
            directory: scratch.journal,
            appliedGroup: 0,
            limits: small
        )
        try journal.add()
        let refused = failure { try journal.add(1, bytes: 16 << 10) }
        #expect(refused == .tooLarge(bytes: (16 << 10) + 96 + 28 + 16 + 4, bytesMax: 16 << 10))
        let many = JournalEntry(
            seq: 2,
            moment: 0,
            kind: 0,
            version: 0,
            links: [UInt64](repeating: 1, count: 65_536),
            body: []
        )
        let wide = try SegmentWriter.open(directory: scratch.path + "/wide", appliedGroup: 0)
        try wide.add()
        let tooMany = failure {
            _ = try wide.append([many], catalogVersion: 0, rulesVersion: 0)
        }
        #expect(tooMany == .tooLarge(bytes: 8 * 65_536, bytesMax: 8 * 65_535))
        #expect(try journal.add() == 2)
    }

    @Test func `within a step an append changes neither size nor blocks of the file`() throws {
        let scratch = try Scratch()
        let limits = JournalLimits(segmentBytesMax: 1 << 20, stepBytesMin: 256 << 10)
        let journal = try SegmentWriter.open(
            directory: scratch.journal,
            appliedGroup: 0,
            limits: limits
        )
        var steps: [JournalStep] = []
        journal.onStep = { steps.append($0) }
        try journal.add()
        #expect(steps == [.created, .prewritten, .written, .flushed, .proved])
        let path = "\(scratch.journal)/00000000000000000001.segment"
        var first = stat()
        #expect(stat(path, &first) == 0)
        #expect(first.st_size >= 256 << 10)
        #expect(first.st_blocks * 512 >= first.st_size)
        steps = []
        for _ in 0..<200 { try journal.add(2, bytes: 100) }
        var later = stat()
        #expect(stat(path, &later) == 0)
        #expect(later.st_size == first.st_size)
        #expect(later.st_blocks == first.st_blocks)
        #expect(Set(steps.map { "\($0)" }) == ["written", "flushed", "proved"])
    }

    @Test func `a closed journal takes nothing`() throws {
        let scratch = try Scratch()
        let journal = try SegmentWriter.open(
            directory: scratch.journal,
            appliedGroup: 0,
            limits: small
        )
        try journal.add()
        journal.close()
        #expect(failure { try journal.add() } == .closed)
    }

    @Test func `a journal that is pruned while it is written is read on`() throws {
        let scratch = try Scratch()
        let journal = try SegmentWriter.open(
            directory: scratch.journal,
            appliedGroup: 0,
            limits: small
        )
        let reader = try SegmentReader(directory: scratch.journal)
        var removed = 0
        for round in 1...30 {
            for _ in 0..<20 { try journal.add(2, bytes: 100 + 10 * round) }
            let keep = journal.lastSeq - 30
            removed += try scratch.prune(beforeSeq: keep)
            let seqs = try journal.all(afterSeq: keep - 1).map(\.seq)
            #expect(seqs == Array(keep...journal.lastSeq))
            #expect(try reader.entry(seq: keep)?.seq == keep)
            #expect(try reader.entry(seq: journal.lastSeq)?.seq == journal.lastSeq)
            let again = try SegmentWriter.open(
                directory: scratch.journal,
                appliedGroup: journal.lastGroup,
                limits: small
            )
            #expect(again.lastSeq == journal.lastSeq)
            #expect(again.tornTail == nil)
        }
        #expect(removed > 10)
        #expect(try journal.entry(seq: 1) == nil)
        let lost = failure { _ = try journal.all(afterSeq: 0) }
        #expect(lost == .pruned(firstSeq: try reader.firstSeq()))
    }

    @Test func `pruning keeps every seq it was told to keep, and the last segment`() throws {
        let scratch = try Scratch()
        let journal = try SegmentWriter.open(
            directory: scratch.journal,
            appliedGroup: 0,
            limits: small
        )
        for _ in 0..<100 { try journal.add(2, bytes: 300) }
        #expect(try scratch.prune(beforeSeq: 1) == 0)
        _ = try scratch.prune(beforeSeq: 100)
        #expect(try journal.entry(seq: 100) == entry(100, bytes: 300))
        _ = try scratch.prune(beforeSeq: 1_000)
        #expect(try journal.entry(seq: 200) == entry(200, bytes: 300))
        let again = try SegmentWriter.open(
            directory: scratch.journal,
            appliedGroup: 100,
            limits: small
        )
        #expect(again.lastSeq == 200)
    }

    @Test func `reading for a check answers what there is and changes nothing`() throws {
        let scratch = try Scratch()
        let journal = try SegmentWriter.open(
            directory: scratch.journal,
            appliedGroup: 0,
            limits: small
        )
        for _ in 0..<40 { try journal.add(2, bytes: 300) }
        var seqs: [UInt64] = []
        let summary = try Segments.readEach(directory: scratch.journal, afterSeq: 10) { entry, _ in
            seqs.append(entry.seq)
        }
        #expect(seqs == Array(11...80))
        #expect(summary.firstSeq == 1 && summary.lastSeq == 80 && summary.lastGroup == 40)
        #expect(summary.tornTail == nil)
        let tooFar = failure {
            _ = try Segments.readEach(directory: scratch.journal, afterSeq: 0, appliedGroup: 41) {
                _,
                _ in
            }
        }
        #expect(isDamage(tooFar))
    }
}
