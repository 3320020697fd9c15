import CLinux
import Chance
import Glibc
import Journal
import TestSupport
import Testing

/// What a crash, a bad disk and a stranger can leave in the files.
@Suite struct TailTests {
    /// A journal of `groups` groups in one segment; its path, its bytes, and where each group ends.
    ///
    /// The proof is that of the last but one, as a crash leaves it that came while the last was
    /// written.
    private func written(
        _ scratch: Scratch,
        groups: Int,
        bytes: Int = 40
    ) throws -> (path: String, bytes: [UInt8], ends: [Int]) {
        let journal = try SegmentWriter.open(
            directory: scratch.journal,
            appliedGroup: 0,
            limits: small
        )
        var ends = [0]
        var proof: [UInt8] = []
        for _ in 0..<groups {
            proof = try Scratch.bytes(of: scratch.proof)
            try journal.add(2, bytes: bytes)
            let now = try Scratch.bytes(of: scratch.journal + "/00000000000000000001.segment")
            // A group ends at the next multiple of 8 behind its last byte, which is not zero here.
            let last = now.lastIndex { $0 != 0 } ?? 0
            ends.append((last + 8) / 8 * 8)
        }
        journal.close()
        try Scratch.put(proof, at: scratch.proof)
        let path = scratch.journal + "/00000000000000000001.segment"
        return (path, try Scratch.bytes(of: path), ends)
    }

    @Test func `a last group cut at any byte is a torn tail, and is cut`() throws {
        let scratch = try Scratch()
        let (path, bytes, ends) = try written(scratch, groups: 4)
        let proof = try Scratch.bytes(of: scratch.proof)
        for cut in ends[3]..<ends[4] - 8 {
            var torn = bytes
            for index in cut..<bytes.count { torn[index] = 0 }
            try Scratch.put(torn, at: path)
            let looked = try Segments.readEach(directory: scratch.journal, afterSeq: 0) { _, _ in }
            #expect(looked.lastGroup == 3)
            if cut == ends[3] { #expect(looked.tornTail == nil) }
            if cut >= ends[3] + 96 { #expect(looked.tornTail?.offset == ends[3]) }
            #expect(try Scratch.bytes(of: path) == torn)
            let journal = try SegmentWriter.open(
                directory: scratch.journal,
                appliedGroup: 3,
                limits: small
            )
            #expect(journal.lastGroup == 3)
            #expect(journal.lastSeq == 6)
            #expect(journal.tornTail == looked.tornTail)
            #expect(try Scratch.bytes(of: path)[ends[3]...].allSatisfy { $0 == 0 })
            #expect(try journal.add(2) == 4)
            #expect(try journal.all().map(\.seq) == Array(1...8))
            try Scratch.put(proof, at: scratch.proof)
        }
    }

    @Test func `a file that ends within the last group is a torn tail`() throws {
        let scratch = try Scratch()
        let (path, bytes, ends) = try written(scratch, groups: 4)
        let proof = try Scratch.bytes(of: scratch.proof)
        for cut in ends[3]..<ends[4] {
            try Scratch.put(Array(bytes[..<cut]), at: path)
            let journal = try SegmentWriter.open(
                directory: scratch.journal,
                appliedGroup: 3,
                limits: small
            )
            #expect(journal.lastGroup == 3)
            #expect(try journal.add(2) == 4)
            #expect(try journal.all().map(\.seq) == Array(1...8))
            try Scratch.put(proof, at: scratch.proof)
        }
    }

    @Test func `sectors of the last group in any choice are a torn tail or the whole group`() throws
    {
        let scratch = try Scratch()
        let (path, bytes, ends) = try written(scratch, groups: 3, bytes: 900)
        let proof = try Scratch.bytes(of: scratch.proof)
        let seed = Seed.told()
        var random = seed
        for _ in 0..<300 {
            random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            var torn = bytes
            var lost = false
            for sector in ends[2] / 512...ends[3] / 512 where random >> (sector % 40 + 8) & 1 == 1 {
                for index in max(ends[2], sector * 512)..<min(ends[3], sector * 512 + 512) {
                    lost = lost || torn[index] != 0
                    torn[index] = 0
                }
            }
            try Scratch.put(torn, at: path)
            try Scratch.put(proof, at: scratch.proof)
            let journal = try SegmentWriter.open(
                directory: scratch.journal,
                appliedGroup: 2,
                limits: small
            )
            #expect(journal.lastGroup == (lost ? 2 : 3))
            #expect(try journal.all().count == (lost ? 4 : 6))
        }
    }

    @Test func `a flipped bit before the last group is damage, wherever it is`() throws {
        let scratch = try Scratch()
        let (path, bytes, ends) = try written(scratch, groups: 5)
        for index in 0..<ends[4] {
            var bad = bytes
            bad[index] ^= 1 << (index % 8)
            try Scratch.put(bad, at: path)
            for applied in [UInt64(0), 5] {
                let found = failure {
                    _ = try SegmentWriter.open(
                        directory: scratch.journal,
                        appliedGroup: applied,
                        limits: small
                    )
                }
                #expect(isDamage(found), "byte \(index): \(String(describing: found))")
            }
            let read = failure {
                _ = try Segments.readEach(directory: scratch.journal, afterSeq: 0) { _, _ in }
            }
            #expect(read != nil)
            #expect(try Scratch.bytes(of: path) == bad)
        }
    }

    @Test func `a torn last group that was applied is damage`() throws {
        let scratch = try Scratch()
        let (path, bytes, ends) = try written(scratch, groups: 4)
        for index in stride(from: ends[3], to: ends[4] - 8, by: 3) {
            var bad = bytes
            bad[index] ^= 0x10
            try Scratch.put(bad, at: path)
            let found = failure {
                _ = try SegmentWriter.open(
                    directory: scratch.journal,
                    appliedGroup: 4,
                    limits: small
                )
            }
            #expect(isDamage(found))
        }
    }

    @Test func `missing segments are damage, at the front, in the middle, and all`() throws {
        let scratch = try Scratch()
        let journal = try SegmentWriter.open(
            directory: scratch.journal,
            appliedGroup: 0,
            limits: small
        )
        for _ in 0..<100 { try journal.add(2, bytes: 300) }
        journal.close()
        let names = scratch.segments
        try #require(names.count > 3)
        for name in names.dropLast() {
            let copy = scratch.path + "/copy"
            try Scratch.copy(scratch.journal, to: copy)
            unlink("\(copy)/\(name)")
            let found = failure {
                _ = try SegmentWriter.open(directory: copy, appliedGroup: 0, limits: small)
            }
            #expect(isDamage(found))
        }
        let nothing = failure {
            _ = try SegmentWriter.open(
                directory: scratch.path + "/new",
                appliedGroup: 1,
                limits: small
            )
        }
        #expect(isDamage(nothing))
    }

    @Test func `an entry that holds a whole group of another journal cannot pass for one`() throws {
        let scratch = try Scratch()
        let (_, stranger, ends) = try written(scratch, groups: 9)
        let group = Array(stranger[ends[8]..<ends[9]])
        let path = scratch.path + "/mine"
        let journal = try SegmentWriter.open(directory: path, appliedGroup: 0, limits: small)
        try journal.add()
        for shift in 0..<8 {
            let body = [UInt8](repeating: 0, count: shift) + group
            let sent = JournalEntry(
                seq: journal.lastSeq + 1,
                moment: 0,
                kind: 0,
                version: 0,
                links: [],
                body: body
            )
            let proof = try Scratch.bytes(of: path + "/proof")
            let number = try journal.append([sent], catalogVersion: 0, rulesVersion: 0)
            try Scratch.put(proof, at: path + "/proof")
            let segment = path + "/00000000000000000001.segment"
            var bytes = try Scratch.bytes(of: segment)
            let whole = bytes
            // The head of the last group is lost, its body is there.
            let start = try #require(Self.start(ofGroup: number, in: bytes))
            for index in start..<start + 96 { bytes[index] = 0 }
            try Scratch.put(bytes, at: segment)
            let again = try SegmentWriter.open(
                directory: path,
                appliedGroup: number - 1,
                limits: small
            )
            #expect(again.lastGroup == number - 1)
            #expect(again.tornTail?.group == number)
            try Scratch.put(whole, at: segment)
        }
    }

    private static func start(ofGroup number: UInt64, in bytes: [UInt8]) -> Int? {
        let magic = Array("entitldJ".utf8)
        return stride(from: 0, to: bytes.count - 96, by: 8)
            .first { place in
                Array(bytes[place..<place + 8]) == magic
                    && bytes[place + 24..<place + 32] == bytes[24..<32]
                    && bytes[place + 16] == UInt8(truncatingIfNeeded: number)
            }
    }

    @Test func `a group of a later version is refused, not cut`() throws {
        let scratch = try Scratch()
        var (path, bytes, ends) = try written(scratch, groups: 3)
        bytes[ends[2] + 8] = 2
        for (index, byte) in Self.checksum(of: Array(bytes[ends[2]..<ends[3]])).enumerated() {
            bytes[ends[2] + 12 + index] = byte
        }
        try Scratch.put(bytes, at: path)
        let found = failure {
            _ = try SegmentWriter.open(directory: scratch.journal, appliedGroup: 2, limits: small)
        }
        #expect(found == .unknownVersion(2))
        #expect(try Scratch.bytes(of: path) == bytes)
    }

    /// The checksum of a whole group, as it stands in its head.
    private static func checksum(of group: [UInt8]) -> [UInt8] {
        var group = group
        for index in 12..<16 { group[index] = 0 }
        let sum = linux_crc32c(0, group, group.count)
        return (0..<4).map { UInt8(truncatingIfNeeded: sum >> (8 * $0)) }
    }
}
