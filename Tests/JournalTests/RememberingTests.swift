import TestSupport
import Testing

@testable import Journal

/// A reader that remembers reads nothing twice, keeps little, and can tell when files are others.
struct RememberingTests {
    private let scratch: Scratch
    private let limits = JournalLimits(segmentBytesMax: 1 << 20, stepBytesMin: 4096)

    init() throws { scratch = try Scratch() }

    private func written(_ groups: Int, of count: Int) throws -> SegmentWriter {
        let journal = try SegmentWriter.open(
            directory: scratch.journal,
            appliedGroup: 0,
            limits: limits
        )
        for _ in 0..<groups { try journal.add(count, bytes: 300) }
        return journal
    }

    @Test func `a group is read once for all of its entries, and each is decoded alone`() throws {
        let journal = try written(40, of: 100)
        let reader = try SegmentReader(directory: scratch.journal)
        reader.startRemembering()
        for seq in stride(from: journal.lastSeq, to: 0, by: -1) {
            #expect(try reader.entry(seq: seq) == entry(seq, bytes: 300))
        }
        #expect(reader.groupsRead == 40)
        #expect(reader.entriesDecoded == 4_000)
        // Otherwise each question looks at the files as they are.
        reader.isRemembering = false
        reader.forget()
        for seq in UInt64(1)...10 { _ = try reader.entry(seq: seq) }
        #expect(reader.groupsRead == 50)
        #expect(reader.kept.isEmpty)
    }

    @Test func `what is remembered is bounded`() throws {
        let journal = try written(3_000, of: 2)
        let reader = try SegmentReader(directory: scratch.journal)
        reader.startRemembering()
        #expect(scratch.segments.count > 2)
        for seq in stride(from: UInt64(1), through: journal.lastSeq, by: 3) {
            #expect(try reader.entry(seq: seq) == entry(seq, bytes: 300))
        }
        #expect(reader.kept.count == Limits.groupsKeptMax)
        #expect(reader.kept.reduce(0) { $0 + $1.byteCount } <= Limits.groupsKeptBytesMax)
        #expect(reader.openSegments <= Limits.openSegmentsMax)
        #expect(reader.placesKept <= Limits.placesMax)
        reader.forget()
        #expect(reader.kept.isEmpty && reader.openSegments == 0)
    }

    @Test func `many segments are read with few open files`() throws {
        let small = JournalLimits(segmentBytesMax: 8 << 10, stepBytesMin: 4096)
        let journal = try SegmentWriter.open(
            directory: scratch.journal,
            appliedGroup: 0,
            limits: small
        )
        for _ in 0..<400 { try journal.add(2, bytes: 300) }
        #expect(scratch.segments.count > Limits.openSegmentsMax * 2)
        let reader = try SegmentReader(directory: scratch.journal)
        reader.startRemembering()
        for seq in UInt64(1)...journal.lastSeq {
            #expect(try reader.entry(seq: seq) == entry(seq, bytes: 300))
        }
        #expect(reader.openSegments == Limits.openSegmentsMax)
        #expect(reader.groupsRead == 400)
    }

    @Test func `a segment that was removed or replaced is noticed`() throws {
        let journal = try written(2_000, of: 2)
        let reader = try SegmentReader(directory: scratch.journal)
        reader.startRemembering()
        _ = try reader.entry(seq: 1)
        _ = try reader.entry(seq: journal.lastSeq)
        #expect(!reader.isOutdated)
        #expect(try scratch.prune(beforeSeq: journal.lastSeq - 10) > 0)
        #expect(reader.isOutdated)
        reader.startRemembering()
        _ = try reader.entry(seq: journal.lastSeq)
        #expect(!reader.isOutdated)
        try journal.seal()
        _ = try Segments.rewrite(
            directory: scratch.journal,
            throughSeq: journal.lastSeq,
            sealed: journal.lastGroup
        ) { one in
            JournalEntry(
                seq: one.seq,
                moment: one.moment,
                kind: one.kind,
                version: one.version,
                links: one.links,
                body: one.body.map { $0 ^ 1 }
            )
        }
        #expect(reader.isOutdated)
        reader.startRemembering()
        let body = entry(journal.lastSeq, bytes: 300).body.map { $0 ^ 1 }
        #expect(try reader.entry(seq: journal.lastSeq)?.body == body)
    }
}
