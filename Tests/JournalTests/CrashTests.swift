import Glibc
import Journal
import Testing

/// A crash between any two steps, and disks that fail.
@Suite struct CrashTests {
    @Test func `a copy taken at any step opens, with every answered group and no other gap`() throws
    {
        let scratch = try Scratch()
        let journal = try Journal.open(directory: scratch.journal, appliedGroup: 0, limits: small)
        let copy = scratch.path + "/crash"
        var looked: [JournalStep: Int] = [:]
        var problems: [String] = []
        journal.onStep = { step in
            let answered = journal.lastGroup
            do {
                try Scratch.copy(scratch.journal, to: copy)
                let after = try Journal.open(
                    directory: copy,
                    appliedGroup: answered,
                    limits: small
                )
                // A group in flight may be there as a whole; never in part, never one more.
                if !(answered...answered + 1).contains(after.lastGroup) {
                    problems.append("\(step): \(after.lastGroup) after \(answered)")
                }
                let first = try JournalReader(directory: copy).firstSeq()
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
        for round in 0..<160 {
            try journal.add(1 + round % 3, bytes: 100 + 7 * round)
            if round % 20 == 19 { _ = try journal.prune(beforeSeq: journal.lastSeq - 20) }
        }
        // The closure holds the journal that holds it.
        journal.onStep = nil
        #expect(problems.isEmpty, "\(problems.prefix(5))")
        for step in [JournalStep.created, .recycled, .prewritten, .written, .flushed, .pruned] {
            #expect((looked[step] ?? 0) > 0, "\(step)")
        }
    }

    @Test func `a torn group over the old groups of a recycled segment is cut`() throws {
        let scratch = try Scratch()
        let journal = try Journal.open(directory: scratch.journal, appliedGroup: 0, limits: small)
        let copy = scratch.path + "/crash"
        var before: [UInt8] = []
        var cases = 0
        var problems: [String] = []
        for round in 0..<120 {
            let names = Scratch.names(in: scratch.journal).filter { !$0.hasPrefix("spare") }
            let name = names.last ?? ""
            before = name.isEmpty ? [] : try Scratch.bytes(of: "\(scratch.journal)/\(name)")
            try journal.add(2, bytes: 400 + round)
            if round % 10 == 9 { _ = try journal.prune(beforeSeq: journal.lastSeq - 10) }
            guard Scratch.names(in: scratch.journal).filter({ !$0.hasPrefix("spare") }).last == name
            else { continue }
            let after = try Scratch.bytes(of: "\(scratch.journal)/\(name)")
            guard after.count == before.count else { continue }
            let changed = after.indices.filter { after[$0] != before[$0] }
            guard let first = changed.first, let last = changed.last else { continue }
            for cut in stride(from: first + 1, through: last, by: 97) {
                let torn = Array(after[..<cut]) + Array(before[cut...])
                try Scratch.copy(scratch.journal, to: copy)
                try Scratch.put(torn, at: "\(copy)/\(name)")
                let applied = journal.lastGroup - 1
                let opened = try Journal.open(directory: copy, appliedGroup: applied, limits: small)
                if opened.lastGroup != applied { problems.append("round \(round), byte \(cut)") }
                try opened.add(2, bytes: 100)
                if try opened.all(afterSeq: opened.lastSeq - 4).count != 4 {
                    problems.append("round \(round), byte \(cut): not readable")
                }
                cases += 1
            }
        }
        #expect(problems.isEmpty, "\(problems.prefix(5))")
        #expect(cases > 200)
    }

    @Test func `a full disk refuses the group, keeps the journal, and takes the next one`() throws {
        guard let disk = try SmallDisk(bytes: 512 << 10) else { return }
        let path = disk.path + "/journal"
        let journal = try Journal.open(directory: path, appliedGroup: 0, limits: small)
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
                    let looked = try Journal.read(directory: path, afterSeq: 0) { _, _ in }
                    #expect(looked.lastSeq == journal.lastSeq)
                    #expect(looked.tornTail == nil)
                }
            }
            disk.empty()
            let next = entry(journal.lastSeq + 1)
            _ = try journal.append([next], catalogVersion: 0, rulesVersion: 0)
            expected.append(next)
            if round == 10 {
                let again = try Journal.open(
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
        let journal = try Journal.open(directory: disk.path + "/journal", appliedGroup: 0)
        try journal.add()
        let path = disk.path + "/journal/00000000000000000001.segment"
        #expect(try Scratch.bytes(of: path).count <= 256 << 10)
        #expect(try Scratch.bytes(of: path).count >= 64 << 10)
    }

    @Test func `a failed flush stops the journal for good`() throws {
        let scratch = try Scratch()
        let journal = try Journal.open(directory: scratch.journal, appliedGroup: 0, limits: small)
        try journal.add()
        // /dev/null takes every write, and cannot be flushed.
        try Self.replace(scratch.journal + "/00000000000000000001.segment", by: "/dev/null")
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
        let journal = try Journal.open(directory: scratch.journal, appliedGroup: 0, limits: small)
        try journal.add()
        // /dev/full answers ENOSPC to every write, and cannot be cut.
        try Self.replace(scratch.journal + "/00000000000000000001.segment", by: "/dev/full")
        let first = failure { try journal.add() }
        guard case .io = first else {
            Issue.record("\(String(describing: first))")
            return
        }
        #expect(failure { try journal.add() } == first)
    }

    /// Puts another file under the descriptor by which this process has `path` open.
    private static func replace(_ path: String, by other: String) throws {
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
        let replacement = open(other, O_RDWR)
        try #require(replacement >= 0)
        try #require(dup2(replacement, descriptor) == descriptor)
        close(replacement)
    }
}
