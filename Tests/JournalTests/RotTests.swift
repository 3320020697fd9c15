import Glibc
import Journal
import TestSupport
import Testing

/// Rot in what the views lack: told from a torn tail by what stands behind it.
@Suite struct RotTests {
    /// A group, and where it lies.
    private struct Place {
        let number: UInt64
        let path: String
        let range: Range<Int>
    }

    /// What may rot in a group, as offsets into it; the places of `GroupFormat`.
    private static let parts: [(name: String, offset: @Sendable (Int) -> Int)] = [
        ("magic", { _ in 3 }), ("bytes of the head", { _ in 10 }), ("checksum", { _ in 13 }),
        ("number", { _ in 16 }), ("number's top", { _ in 23 }), ("journal", { _ in 27 }),
        ("seq", { _ in 32 }), ("count", { _ in 40 }), ("length", { _ in 44 }),
        ("length's second byte", { _ in 45 }), ("length's top", { _ in 47 }),
        ("catalog", { _ in 48 }), ("hash", { _ in 70 }), ("an entry's length", { _ in 96 }),
        ("an entry's seq", { _ in 105 }), ("the middle", { $0 / 2 }), ("the end", { $0 - 1 }),
    ]

    /// A journal of three segments, the last of which has six groups.
    private func written(_ scratch: Scratch) throws -> [Place] {
        let journal = try SegmentWriter.open(
            directory: scratch.journal,
            appliedGroup: 0,
            limits: small
        )
        var round = 0
        while scratch.segments.count < 3 {
            try journal.add(1 + round % 5, bytes: 40 + round * 37 % 700)
            round += 1
        }
        for bytes in [61, 900, 40, 333, 8] { try journal.add(2, bytes: bytes) }
        journal.close()
        var places: [Place] = []
        for name in scratch.segments {
            let bytes = try Scratch.bytes(of: "\(scratch.journal)/\(name)")
            var start = 0
            while start + 96 <= bytes.count, bytes[start] != 0 {
                let length = (0..<4).reduce(0) { $0 | Int(bytes[start + 44 + $1]) << (8 * $1) }
                let end = start + (96 + length + 7) / 8 * 8
                places.append(
                    Place(
                        number: UInt64(places.count + 1),
                        path: "\(scratch.journal)/\(name)",
                        range: start..<end
                    )
                )
                start = end
            }
        }
        try #require(places.count == Int(journal.lastGroup))
        return places
    }

    /// What a start, and a look that changes nothing, say when `applied` is what the views have.
    private func said(
        _ scratch: Scratch,
        applied: UInt64
    ) -> (opened: JournalFailure?, read: JournalFailure?) {
        let read = failure {
            _ = try Segments.readEach(
                directory: scratch.journal,
                afterSeq: 0,
                appliedGroup: applied
            ) { _, _ in }
        }
        let opened = failure {
            _ =
                try SegmentWriter.open(
                    directory: scratch.journal,
                    appliedGroup: applied,
                    limits: small
                )
                .close()
        }
        return (opened, read)
    }

    @Test func `a rotten group is damage while a whole one stands behind it, whatever rots`() throws
    {
        let scratch = try Scratch()
        let places = try written(scratch)
        let last = places.count
        let edge = try #require(places.lastIndex { $0.range.lowerBound == 0 })
        // The last of a segment, the first of the next, one within, the last that has one behind.
        for index in [edge - 2, edge - 1, edge, edge + 1, edge + 3, last - 2] {
            let place = places[index]
            let whole = try Scratch.bytes(of: place.path)
            for (name, offset) in Self.parts {
                for bit in [0, 3, 7] {
                    var bad = whole
                    bad[place.range.lowerBound + offset(place.range.count)] ^= 1 << bit
                    // The group's own padding may be where `the end` is: it counts too.
                    try Scratch.put(bad, at: place.path)
                    // The views have all before it, or ended a while before it.
                    for applied in [place.number - 1, place.number - 3] {
                        let (opened, read) = said(scratch, applied: applied)
                        let what = "group \(place.number) of \(last), \(name), bit \(bit)"
                        #expect(isDamage(opened), "\(what): \(String(describing: opened))")
                        #expect(isDamage(read), "\(what): \(String(describing: read))")
                    }
                    #expect(try Scratch.bytes(of: place.path) == bad)
                }
            }
            try Scratch.put(whole, at: place.path)
        }
    }

    @Test func `pages that are lost are damage while a whole group stands behind them`() throws {
        let scratch = try Scratch()
        let places = try written(scratch)
        let edge = try #require(places.lastIndex { $0.range.lowerBound == 0 })
        let last = try #require(places.last)
        for first in [edge - 3, edge - 1, edge, edge + 1] {
            for end in first + 1..<places.count {
                // Of those in this segment all are lost, up to the last but one of the journal.
                let lost = places[first..<end].filter { $0.path == places[first].path }
                let whole = try Scratch.bytes(of: places[first].path)
                for filling in [UInt8(0), 0xFF] {
                    var bad = whole
                    for place in lost { for index in place.range { bad[index] = filling } }
                    try Scratch.put(bad, at: places[first].path)
                    let (opened, read) = said(scratch, applied: places[first].number - 1)
                    #expect(isDamage(opened), "\(first)..<\(end) of \(last.number)")
                    #expect(isDamage(read), "\(first)..<\(end) of \(last.number)")
                }
                try Scratch.put(whole, at: places[first].path)
            }
        }
    }

    @Test func `without a proof, rot in the last group looks like a torn tail, unless applied`()
        throws
    {
        let scratch = try Scratch()
        let places = try written(scratch)
        let last = try #require(places.last)
        let whole = try Scratch.bytes(of: last.path)
        for (name, offset) in Self.parts {
            var bad = whole
            bad[last.range.lowerBound + offset(last.range.count)] ^= 1
            try Scratch.put(bad, at: last.path)
            unlink(scratch.proof)
            #expect(isDamage(said(scratch, applied: last.number).opened), "\(name)")
            #expect(isDamage(said(scratch, applied: last.number).read), "\(name)")
            let journal = try SegmentWriter.open(
                directory: scratch.journal,
                appliedGroup: last.number - 1,
                limits: small
            )
            #expect(journal.tornTail?.group == last.number, "\(name)")
            #expect(journal.tornTail?.offset == last.range.lowerBound, "\(name)")
            #expect(journal.lastGroup == last.number - 1, "\(name)")
            #expect(try journal.add() == last.number)
            journal.close()
        }
    }
}
