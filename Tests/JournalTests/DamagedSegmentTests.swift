import Glibc
import Journal
import TestSupport
import Testing

/// Rot in the middle of what is read: said as damage, by everybody who reads, and nothing is
/// changed.
@Suite struct DamagedSegmentTests {
    /// A journal of several segments, sealed behind its last group; its whole files.
    private func written(
        _ scratch: Scratch,
        groups: Int = 90
    ) throws -> (files: [String: [UInt8]], lastSeq: UInt64) {
        let journal = try SegmentWriter.open(
            directory: scratch.journal,
            appliedGroup: 0,
            limits: small
        )
        for _ in 0..<groups { try journal.add(2, bytes: 300) }
        journal.close()
        try #require(scratch.segments.count > 3)
        var files: [String: [UInt8]] = [:]
        for name in Scratch.names(in: scratch.journal) {
            files[name] = try Scratch.bytes(of: "\(scratch.journal)/\(name)")
        }
        return (files, journal.lastSeq)
    }

    /// Where to flip in a segment: within heads and entries, at the front, in the middle, at the
    /// end.
    private func places(_ bytes: [UInt8]) throws -> [Int] {
        let end = try #require(bytes.lastIndex { $0 != 0 }) + 1
        let early = [0, 9, 13, 16, 24, 33, 41, 45, 47, 97, 120]
        return early + early.map { end / 3 / 8 * 8 + $0 } + [end / 2, end - 130, end - 1]
    }

    private func files(_ scratch: Scratch) throws -> [String: [UInt8]] {
        var files: [String: [UInt8]] = [:]
        for name in Scratch.names(in: scratch.journal) {
            files[name] = try Scratch.bytes(of: "\(scratch.journal)/\(name)")
        }
        return files
    }

    @Test func `an entry that was there is answered or damaged, never gone`() throws {
        let scratch = try Scratch()
        let (files, lastSeq) = try written(scratch)
        for name in scratch.segments {
            let whole = try #require(files[name])
            var damaged = 0
            for place in try places(whole) {
                var bad = whole
                bad[place] ^= 0x20
                try Scratch.put(bad, at: "\(scratch.journal)/\(name)")
                let reader = try SegmentReader(directory: scratch.journal)
                for seq in 1...lastSeq {
                    do throws(JournalFailure) {
                        let found = try reader.entry(seq: seq)
                        #expect(found == entry(seq, bytes: 300), "\(name), \(place), \(seq)")
                    } catch {
                        #expect(isDamage(error), "\(error)")
                        damaged += 1
                    }
                }
            }
            #expect(damaged > 20, "\(name)")
            try Scratch.put(whole, at: "\(scratch.journal)/\(name)")
        }
    }

    @Test func `a rotten group among large ones hides no other`() throws {
        let scratch = try Scratch()
        let limits = JournalLimits(segmentBytesMax: 2 << 20, stepBytesMin: 4096)
        let journal = try SegmentWriter.open(
            directory: scratch.journal,
            appliedGroup: 0,
            limits: limits
        )
        var groups: [(first: UInt64, place: Int)] = []
        var place = 0
        for round in 0..<80 {
            groups.append((journal.lastSeq + 1, place))
            let count = 1 + round * 37 % 120
            try journal.add(count, bytes: 300)
            let bytes = try Scratch.bytes(of: "\(scratch.journal)/\(scratch.segments[0])")
            let length = (0..<4).reduce(0) { $0 | Int(bytes[place + 44 + $1]) << (8 * $1) }
            place += (96 + length + 7) / 8 * 8
        }
        journal.close()
        try #require(scratch.segments.count == 1)
        let path = "\(scratch.journal)/\(scratch.segments[0])"
        let whole = try Scratch.bytes(of: path)
        for rotten in [1, 20, 41, 60, 78] {
            let (first, start) = groups[rotten]
            let next = groups[rotten + 1].first
            for offset in [0, 16, 17, 23, 32, 33, 39, 40, 41, 44, 45, 46, 47, 97, 2000, -1] {
                var bad = whole
                if offset < 0 {
                    // The largest number there is.
                    for byte in 16..<24 { bad[start + byte] = 0xFF }
                } else {
                    bad[start + offset] ^= 0x11
                }
                try Scratch.put(bad, at: path)
                let reader = try SegmentReader(directory: scratch.journal)
                reader.startRemembering()
                for seq in stride(from: journal.lastSeq, through: 1, by: -11) {
                    do throws(JournalFailure) {
                        let found = try reader.entry(seq: seq)
                        #expect(found == entry(seq, bytes: 300), "\(rotten), \(offset), \(seq)")
                    } catch {
                        #expect(isDamage(error), "\(error)")
                        #expect(seq >= first && seq < next, "\(rotten), \(offset), \(seq)")
                    }
                }
                #expect(isDamage(failure { _ = try reader.entry(seq: first) }))
            }
        }
    }

    @Test func `a small rotten group hides no small one behind it, between large ones`() throws {
        let scratch = try Scratch()
        let limits = JournalLimits(segmentBytesMax: 4 << 20, stepBytesMin: 4096)
        let journal = try SegmentWriter.open(
            directory: scratch.journal,
            appliedGroup: 0,
            limits: limits
        )
        var groups: [(first: UInt64, count: Int)] = []
        for round in 0..<36 {
            let count = round % 3 == 0 ? 300 : 12
            groups.append((journal.lastSeq + 1, count))
            try journal.add(count, bytes: 300)
        }
        journal.close()
        let path = "\(scratch.journal)/\(try #require(scratch.segments.first))"
        let whole = try Scratch.bytes(of: path)
        var place = 0
        for (index, group) in groups.enumerated() {
            let length = (0..<4).reduce(0) { $0 | Int(whole[place + 44 + $1]) << (8 * $1) }
            defer { place += (96 + length + 7) / 8 * 8 }
            guard index % 3 == 1 else { continue }
            var bad = whole
            bad[place] ^= 0x11
            try Scratch.put(bad, at: path)
            for seq in groups[index + 1].first..<groups[index + 1].first + 12 {
                let reader = try SegmentReader(directory: scratch.journal)
                #expect(try reader.entry(seq: seq) == entry(seq, bytes: 300), "\(index), \(seq)")
            }
            let reader = try SegmentReader(directory: scratch.journal)
            #expect(isDamage(failure { _ = try reader.entry(seq: group.first) }))
        }
    }

    @Test func `what was pruned is gone, and what is not written yet is not there`() throws {
        let scratch = try Scratch()
        let (_, lastSeq) = try written(scratch)
        try scratch.prune(beforeSeq: 100)
        let reader = try SegmentReader(directory: scratch.journal)
        #expect(try reader.entry(seq: 1) == nil)
        #expect(try reader.entry(seq: lastSeq + 1) == nil)
        #expect(try reader.entry(seq: lastSeq) == entry(lastSeq, bytes: 300))
    }

    @Test func `a segment is read whole, and the first damage in it is said`() throws {
        let scratch = try Scratch()
        let (files, _) = try written(scratch)
        let segments = try Segments.segments(in: scratch.journal)
        #expect(segments.count == scratch.segments.count)
        var bytesRead = 0
        for segment in segments {
            let damage = try Segments.damage(inSegment: segment, of: scratch.journal) {
                bytesRead += $0.bytes
                return $1.count == $0.entryCount
            }
            #expect(damage == nil)
        }
        #expect(bytesRead > 60_000)
        for (segment, name) in zip(segments, scratch.segments) {
            let whole = try #require(files[name])
            for place in try places(whole) {
                var bad = whole
                bad[place] ^= 1
                try Scratch.put(bad, at: "\(scratch.journal)/\(name)")
                let damage = try Segments.damage(inSegment: segment, of: scratch.journal)
                #expect(damage?.contains(name) ?? false, "\(place): \(damage ?? "nothing")")
                for other in segments where other != segment {
                    #expect(try Segments.damage(inSegment: other, of: scratch.journal) == nil)
                }
                #expect(isDamage(failure { try check(scratch) }))
            }
            try Scratch.put(whole, at: "\(scratch.journal)/\(name)")
        }
        #expect(try Segments.damage(inSegment: 4_711, of: scratch.journal) == nil)
        let ended = try Segments.damage(inSegment: 1, of: scratch.journal) { _, _ in false }
        #expect(ended == nil)
    }

    /// Reads everything; throws the first damage.
    private func check(_ scratch: Scratch) throws {
        var damage: String?
        try SegmentJournal(reading: scratch.journal, appliedGroup: 0)
            .read(after: nil, through: .max) { found in
                damage = found
                return false
            } _: { _, _ in
                true
            }
        if let damage { throw JournalFailure.damaged(damage) }
    }

    @Test func `a segment that is being written is whole to what was answered`() throws {
        let scratch = try Scratch()
        let journal = try SegmentWriter.open(
            directory: scratch.journal,
            appliedGroup: 0,
            limits: small
        )
        var problems: [String] = []
        journal.onStep = { step in
            for segment in (try? Segments.segments(in: scratch.journal)) ?? [] {
                let damage = try? Segments.damage(inSegment: segment, of: scratch.journal)
                if let damage { problems.append("\(step): \(damage)") }
            }
        }
        for round in 0..<80 { try journal.add(2, bytes: 40 + round * 17 % 500) }
        journal.onStep = nil
        #expect(problems.isEmpty, "\(problems.prefix(3))")
    }

    @Test func `a rewriting that cannot read all of it changes nothing and says so`() throws {
        let scratch = try Scratch()
        let (whole, lastSeq) = try written(scratch)
        let sealed = lastSeq / 2
        func rewritten() throws -> Int {
            try Segments.rewrite(
                directory: scratch.journal,
                throughSeq: lastSeq,
                sealed: sealed
            ) { entry in
                let body = entry.body.map { $0 ^ 0xFF }
                return JournalEntry(
                    seq: entry.seq,
                    moment: entry.moment,
                    kind: entry.kind,
                    version: entry.version,
                    links: entry.links,
                    body: body
                )
            }
        }
        for name in scratch.segments {
            let bytes = try #require(whole[name])
            let end = try #require(bytes.lastIndex { $0 != 0 }) + 1
            var bads = try places(bytes)
                .map { place in
                    bytes.enumerated().map { $0 == place ? $1 ^ 2 : $1 }
                }
            // Cut off, as by a file system that lost its end.
            bads += [0, 1, end / 2, end - 1].map { Array(bytes[..<$0]) }
            for bad in bads {
                try Scratch.put(bad, at: "\(scratch.journal)/\(name)")
                let before = try files(scratch)
                #expect(isDamage(failure { _ = try rewritten() }), "\(name)")
                #expect(try files(scratch) == before, "\(name)")
            }
            try Scratch.put(bytes, at: "\(scratch.journal)/\(name)")
        }
        #expect(try rewritten() == scratch.segments.count)
        let journal = try SegmentWriter.open(
            directory: scratch.journal,
            appliedGroup: sealed,
            limits: small
        )
        #expect(try journal.all().count == Int(lastSeq))
        #expect(try journal.entry(seq: 1)?.body == entry(1, bytes: 300).body.map { $0 ^ 0xFF })
    }

    @Test func `what may be pruned is not guessed where a segment cannot be read`() throws {
        let scratch = try Scratch()
        let (whole, lastSeq) = try written(scratch)
        let name = scratch.segments[1]
        let bytes = try #require(whole[name])
        func asked() throws -> UInt64? {
            try SegmentReader(directory: scratch.journal)
                .lastSeq(olderThan: .max, through: lastSeq)
        }
        let last = try #require(try asked())
        #expect(last > 100)
        for place in [0, 13, 100] {
            var bad = bytes
            bad[place] ^= 4
            try Scratch.put(bad, at: "\(scratch.journal)/\(name)")
            #expect(isDamage(failure { _ = try asked() }))
            let removed = failure { try scratch.prune(beforeSeq: last) }
            #expect(isDamage(removed))
            #expect(try files(scratch).count == whole.count)
        }
    }
}
