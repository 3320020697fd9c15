import Glibc
import Journal
import TestSupport
import Testing

/// A crash between any two steps, and disks that fail.
@Suite struct CrashTests {
    @Test func `a copy taken at any step opens, with every answered group and no other gap`() throws
    {
        let scratch = try Scratch()
        let journal = try SegmentWriter.open(
            directory: scratch.journal,
            appliedGroup: 0,
            limits: small
        )
        let copy = scratch.path + "/crash"
        var looked: [String: Int] = [:]
        var problems: [String] = []
        func look(_ step: String) {
            let answered = journal.lastGroup
            do {
                try Scratch.copy(scratch.journal, to: copy)
                let after = try SegmentWriter.open(
                    directory: copy,
                    appliedGroup: answered,
                    limits: small
                )
                // A group in flight may be there as a whole; never in part, never one more.
                if !(answered...answered + 1).contains(after.lastGroup) {
                    problems.append("\(step): \(after.lastGroup) after \(answered)")
                }
                let first = try SegmentReader(directory: copy).firstSeq()
                let seqs = try after.all(afterSeq: max(1, first) - 1).map(\.seq)
                if seqs != Array(max(1, first)..<after.lastSeq + 1) {
                    problems.append("\(step): \(seqs)")
                }
                try after.add(2, bytes: 100)
            } catch {
                problems.append("\(step) after group \(answered): \(error)")
            }
            looked[step, default: 0] += 1
        }
        journal.onStep = { look("\($0)") }
        for round in 0..<160 {
            try journal.add(1 + round % 3, bytes: 100 + 7 * round)
            if round % 20 == 19 {
                try scratch.prune(beforeSeq: journal.lastSeq - 20) { look("pruned") }
            }
        }
        // The closure holds the journal that holds it.
        journal.onStep = nil
        #expect(problems.isEmpty, "\(problems.prefix(5))")
        for step in ["created", "prewritten", "written", "flushed", "proved", "pruned"] {
            #expect((looked[step] ?? 0) > 0, "\(step)")
        }
    }

    @Test func `a full disk refuses the group, keeps the journal, and takes the next one`() throws {
        guard let disk = try SmallDisk(bytes: 512 << 10) else { return }
        let path = disk.path + "/journal"
        let journal = try SegmentWriter.open(directory: path, appliedGroup: 0, limits: small)
        var expected: [JournalEntry] = []
        for round in 0..<20 {
            try disk.fill(leaving: 4096 * (round % 6))
            var refusals = 0
            while refusals < 3 {
                let next = entry(journal.lastSeq + 1, bytes: 1_000 + 100 * round)
                do {
                    _ = try journal.append([next], catalogVersion: 0, rulesVersion: 0)
                    expected.append(next)
                } catch {
                    #expect(error == .diskFull)
                    refusals += 1
                    #expect(try journal.all() == expected)
                    let looked = try Segments.readEach(directory: path, afterSeq: 0) { _, _ in }
                    #expect(looked.lastSeq == journal.lastSeq)
                    #expect(looked.tornTail == nil)
                }
            }
            disk.empty()
            let next = entry(journal.lastSeq + 1)
            _ = try journal.append([next], catalogVersion: 0, rulesVersion: 0)
            expected.append(next)
            if round == 10 {
                let again = try SegmentWriter.open(
                    directory: path,
                    appliedGroup: journal.lastGroup,
                    limits: small
                )
                #expect(try again.all() == expected)
            }
            if expected.count > 100 { break }
        }
        #expect(try journal.all() == expected)
    }

    @Test func `the step shrinks with what is free`() throws {
        guard let disk = try SmallDisk(bytes: 4 << 20) else { return }
        let journal = try SegmentWriter.open(directory: disk.path + "/journal", appliedGroup: 0)
        try journal.add()
        let path = disk.path + "/journal/00000000000000000001.segment"
        #expect(try Scratch.bytes(of: path).count <= 256 << 10)
        #expect(try Scratch.bytes(of: path).count >= 64 << 10)
    }

    @Test func `a failed flush stops the journal for good`() throws {
        let scratch = try Scratch()
        let journal = try SegmentWriter.open(
            directory: scratch.journal,
            appliedGroup: 0,
            limits: small
        )
        try journal.add()
        // /dev/null takes every write, and cannot be flushed.
        try put("/dev/null", inPlaceOf: scratch.journal + "/00000000000000000001.segment")
        let first = failure { try journal.add() }
        guard case .io = first else {
            Issue.record("\(String(describing: first))")
            return
        }
        #expect(failure { try journal.add() } == first)
        #expect(journal.lastGroup == 1)
    }

    @Test func `a refused write that cannot be taken back stops the journal`() throws {
        let scratch = try Scratch()
        let journal = try SegmentWriter.open(
            directory: scratch.journal,
            appliedGroup: 0,
            limits: small
        )
        try journal.add()
        // /dev/full answers ENOSPC to every write, and cannot be cut.
        try put("/dev/full", inPlaceOf: scratch.journal + "/00000000000000000001.segment")
        let first = failure { try journal.add() }
        guard case .io = first else {
            Issue.record("\(String(describing: first))")
            return
        }
        #expect(failure { try journal.add() } == first)
    }
}
