import Glibc
import Journal
import TestSupport
import Testing

/// What was answered is there at the next start, or the start is refused; never is it cut.
@Suite struct ProofTests {
    /// A journal with several groups in each block at its end; the bytes of its last segment, and
    /// those that stand after each group.
    private func written(
        _ scratch: Scratch,
        groups: Int
    ) throws -> (path: String, bytes: [UInt8], versions: [[UInt8]], end: Int) {
        let journal = try SegmentWriter.open(
            directory: scratch.journal,
            appliedGroup: 0,
            limits: small
        )
        let path = scratch.journal + "/00000000000000000001.segment"
        var versions: [[UInt8]] = []
        for number in 0..<groups {
            try journal.add(1 + number % 2, bytes: 40 + number * 37 % 400)
            versions.append(try Scratch.bytes(of: path))
        }
        journal.close()
        let bytes = try Scratch.bytes(of: path)
        let last = try #require(bytes.lastIndex { $0 != 0 })
        return (path, bytes, versions, (last + 8) / 8 * 8)
    }

    /// Opens what is there, as a start without views does; answers how many groups it has, nil
    /// where it is refused as damaged.
    ///
    /// `read` must say the same, and nothing may be changed by a refusal.
    private func opened(_ scratch: Scratch, applied: UInt64 = 0) throws -> UInt64? {
        let before = try Scratch.names(in: scratch.journal)
            .map { try Scratch.bytes(of: "\(scratch.journal)/\($0)") }
        var read: UInt64?
        let unread = failure {
            read =
                try Segments.readEach(
                    directory: scratch.journal,
                    afterSeq: 0,
                    appliedGroup: applied
                ) { _, _ in }
                .lastGroup
        }
        do {
            let journal = try SegmentWriter.open(
                directory: scratch.journal,
                appliedGroup: applied,
                limits: small
            )
            defer { journal.close() }
            #expect(read == journal.lastGroup)
            return journal.lastGroup
        } catch {
            #expect(isDamage(error), "\(error)")
            #expect(isDamage(unread), "\(String(describing: unread))")
            let after = try Scratch.names(in: scratch.journal)
                .map { try Scratch.bytes(of: "\(scratch.journal)/\($0)") }
            #expect(before == after)
            return nil
        }
    }

    @Test func `a flipped byte in any answered group is damage, however near the end`() throws {
        let scratch = try Scratch()
        let (path, bytes, _, end) = try written(scratch, groups: 7)
        let proof = try Scratch.bytes(of: scratch.proof)
        for index in 0..<end {
            var bad = bytes
            bad[index] ^= 1 << (index % 8)
            try Scratch.put(bad, at: path)
            // The views may have any of the groups before it.
            #expect(try opened(scratch, applied: index % 2 == 0 ? 0 : 3) == nil, "byte \(index)")
        }
        #expect(try Scratch.bytes(of: scratch.proof) == proof)
        for index in stride(from: end, to: bytes.count, by: 61) {
            var bad = bytes
            bad[index] ^= 4
            try Scratch.put(bad, at: path)
            #expect(try opened(scratch) == 7, "byte \(index) behind the end")
        }
    }

    @Test func `a block that is lost, filled or of an earlier day is damage, or held nothing`()
        throws
    {
        let scratch = try Scratch()
        let (path, bytes, versions, end) = try written(scratch, groups: 24)
        try #require(end > 2 * 4096)
        var refused = 0
        for start in stride(from: 0, to: bytes.count, by: 4096) {
            let block = start..<min(start + 4096, bytes.count)
            let others =
                [
                    [UInt8](repeating: 0, count: block.count),
                    [UInt8](repeating: 0xFF, count: block.count),
                ] + versions.filter { $0.count >= block.upperBound }.map { Array($0[block]) }
            for other in others {
                var bad = bytes
                bad.replaceSubrange(block, with: other)
                try Scratch.put(bad, at: path)
                let isLost = bad[..<end] != bytes[..<end]
                #expect(try opened(scratch) == (isLost ? nil : 24), "block at \(start)")
                refused += isLost ? 1 : 0
            }
        }
        #expect(refused > 30)
    }

    @Test func `a segment that ends too early is damage, at any length`() throws {
        let scratch = try Scratch()
        let (path, bytes, _, end) = try written(scratch, groups: 9)
        for length in stride(from: 0, to: bytes.count, by: 23) {
            try Scratch.put(Array(bytes[..<length]), at: path)
            #expect(try opened(scratch) == (length < end ? nil : 9), "\(length) bytes")
        }
        unlink(path)
        #expect(try opened(scratch) == nil)
    }

    @Test func `after a crash at any step, a lost block loses no answered group`() throws {
        let scratch = try Scratch()
        let journal = try SegmentWriter.open(
            directory: scratch.journal,
            appliedGroup: 0,
            limits: small
        )
        let crash = try Scratch()
        var problems: [String] = []
        var looks = 0
        var refused = 0
        func look(_ step: String, answered: UInt64) throws {
            try Scratch.copy(scratch.journal, to: crash.journal)
            let name = try #require(crash.segments.last)
            let path = "\(crash.journal)/\(name)"
            let bytes = try Scratch.bytes(of: path)
            let proof = try Scratch.bytes(of: crash.proof)
            let end = bytes.lastIndex { $0 != 0 } ?? 0
            for start in stride(from: max(0, end / 4096 - 1) * 4096, through: end, by: 4096) {
                var bad = bytes
                for index in start..<min(start + 4096, bad.count) { bad[index] = 0 }
                try Scratch.put(bad, at: path)
                try Scratch.put(proof, at: crash.proof)
                let found = try opened(crash)
                looks += 1
                refused += found == nil ? 1 : 0
                if let found, found < answered {
                    problems.append("\(step): \(found) of \(answered), block at \(start)")
                }
            }
        }
        var answered: UInt64 = 0
        var thrown: (any Error)?
        journal.onStep = { step in
            do { try look("\(step)", answered: answered) } catch { thrown = error }
        }
        for round in 0..<60 {
            answered = try journal.add(1 + round % 3, bytes: 60 + round * 131 % 900)
            try look("answered", answered: answered)
        }
        journal.onStep = nil
        #expect(thrown == nil)
        #expect(problems.isEmpty, "\(problems.prefix(5))")
        #expect(looks > 300)
        #expect(refused > 100)
    }

    @Test func `a proof that has rotted or is gone refuses nothing, and is made anew`() throws {
        let scratch = try Scratch()
        let (path, bytes, _, end) = try written(scratch, groups: 5)
        let proof = try Scratch.bytes(of: scratch.proof)
        let stranger = try Scratch()
        _ = try written(stranger, groups: 9)
        let another = try Scratch.bytes(of: stranger.proof)
        var others = (0..<64).map { index in proof.enumerated().map { $0 == index ? $1 ^ 16 : $1 } }
        others += [[], Array(proof[..<40]), [UInt8](repeating: 0, count: 4096), another]
        for other in others {
            try Scratch.put(bytes, at: path)
            try Scratch.put(other, at: scratch.proof)
            #expect(try opened(scratch) == 5)
            #expect(try Scratch.bytes(of: scratch.proof)[..<64] == proof[..<64])
        }
        unlink(scratch.proof)
        #expect(try opened(scratch) == 5)
        // It proves again.
        var bad = bytes
        bad[end - 9] ^= 1
        try Scratch.put(bad, at: path)
        #expect(try opened(scratch) == nil)
    }

    @Test func `an older proof lets a later group be whole, or torn`() throws {
        let scratch = try Scratch()
        let journal = try SegmentWriter.open(
            directory: scratch.journal,
            appliedGroup: 0,
            limits: small
        )
        for _ in 0..<4 { try journal.add() }
        let older = try Scratch.bytes(of: scratch.proof)
        for _ in 0..<3 { try journal.add() }
        journal.close()
        try Scratch.put(older, at: scratch.proof)
        #expect(try opened(scratch) == 7)
    }

    @Test func `the proof is flushed when it is asked for, and at the end`() throws {
        let scratch = try Scratch()
        let journal = try SegmentWriter.open(
            directory: scratch.journal,
            appliedGroup: 0,
            limits: small
        )
        #expect(!journal.hasUnflushedProof)
        try journal.add()
        #expect(journal.hasUnflushedProof)
        try journal.flushProof()
        #expect(!journal.hasUnflushedProof)
        try journal.add()
        journal.close()
        #expect(!journal.hasUnflushedProof)
    }

    @Test func `a proof that finds no space waits, and one that cannot be written stops`() throws {
        for (device, isFull) in [("/dev/full", true), ("/proc/self/cmdline", false)] {
            let scratch = try Scratch()
            let journal = try SegmentWriter.open(
                directory: scratch.journal,
                appliedGroup: 0,
                limits: small
            )
            try journal.add()
            try put(device, inPlaceOf: scratch.proof)
            let said = failure { try journal.add() }
            if isFull {
                #expect(said == nil)
                #expect(try journal.add() == 3)
            } else {
                guard case .io = said else {
                    Issue.record("\(String(describing: said))")
                    return
                }
                #expect(failure { try journal.add() } == said)
            }
        }
    }

    @Test func `a copy has the proof of its last group`() throws {
        let scratch = try Scratch()
        let journal = try SegmentWriter.open(
            directory: scratch.journal,
            appliedGroup: 0,
            limits: small
        )
        for _ in 0..<80 { try journal.add(2, bytes: 200) }
        let copy = try Scratch()
        let made = try Segments.copy(
            directory: scratch.journal,
            throughGroup: 71,
            to: copy.journal
        )
        #expect(made.lastSeq == 142)
        #expect(made.paths == copy.segments.map { "\(copy.journal)/\($0)" })
        let path = try #require(made.paths.last)
        var bytes = try Scratch.bytes(of: path)
        bytes[bytes.count - 20] ^= 1
        try Scratch.put(bytes, at: path)
        #expect(try opened(copy) == nil)
        bytes[bytes.count - 20] ^= 1
        try Scratch.put(bytes, at: path)
        #expect(try opened(copy) == 71)
    }

    @Test func `what the views lack is written again before anything is built on it`() throws {
        let scratch = try Scratch()
        let limits = JournalLimits(segmentBytesMax: 4 << 20, stepBytesMin: 1 << 20)
        let journal = try SegmentWriter.open(
            directory: scratch.journal,
            appliedGroup: 0,
            limits: limits
        )
        for _ in 0..<100 { try journal.add(4, bytes: 1_000) }
        journal.close()
        let path = scratch.journal + "/00000000000000000001.segment"
        let bytes = try Scratch.bytes(of: path)
        let end = try #require(bytes.lastIndex { $0 != 0 })
        for applied in [UInt64(0), 50, 99, 100] {
            let before = try Self.bytesWrittenByThisThread()
            let again = try SegmentWriter.open(
                directory: scratch.journal,
                appliedGroup: applied,
                limits: limits
            )
            let written = try Self.bytesWrittenByThisThread() - before
            let lacking = end / 100 * Int(100 - applied)
            #expect(written >= lacking, "\(written) of \(lacking) bytes")
            #expect(written < lacking + 8_192)
            #expect(again.lastGroup == 100)
            again.close()
            #expect(try Scratch.bytes(of: path) == bytes)
        }
    }

    /// What this thread handed to write calls, as the kernel counts it.
    private static func bytesWrittenByThisThread() throws -> Int {
        let descriptor = open("/proc/thread-self/io", O_RDONLY)
        try #require(descriptor >= 0, "the kernel counts what a thread writes")
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 1024)
        let count = read(descriptor, &bytes, bytes.count)
        let lines = String(decoding: bytes[..<max(0, count)], as: UTF8.self).split(separator: "\n")
        let line = try #require(lines.first { $0.hasPrefix("wchar: ") })
        return try #require(Int(line.dropFirst(7)))
    }
}
