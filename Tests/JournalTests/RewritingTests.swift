import TestSupport
import Testing

@testable import Journal

/// What is rewritten may be longer or shorter than what stood there.
struct RewritingTests {
    private let scratch: Scratch
    private let limits = JournalLimits(segmentBytesMax: 64 << 10, stepBytesMin: 4096)

    init() throws { scratch = try Scratch() }

    private func written() throws -> SegmentWriter {
        let journal = try SegmentWriter.open(
            directory: scratch.journal,
            appliedGroup: 0,
            limits: limits
        )
        for _ in 0..<300 { try journal.add(3, bytes: 300) }
        #expect(scratch.segments.count > 3)
        return journal
    }

    /// Every third entry grows, every other third shrinks, and one third stays.
    private func changed(_ old: JournalEntry) -> JournalEntry? {
        if old.seq % 3 == 0 { return nil }
        return JournalEntry(
            seq: old.seq,
            moment: old.moment,
            kind: old.kind,
            version: old.version,
            links: old.links,
            body: old.seq % 3 == 1 ? old.body + [1, 2, 3, 4, 5] : Array(old.body.dropLast(9))
        )
    }

    private func rewrite(_ journal: SegmentWriter) throws {
        try journal.seal()
        let copied = try Segments.rewrite(
            directory: scratch.journal,
            throughSeq: journal.lastSeq,
            sealed: journal.lastGroup,
            changed
        )
        #expect(copied > 3)
    }

    @Test func `entries change their length; whoever is reading reads on`() throws {
        let journal = try written()
        let last = journal.lastSeq
        // From the middle: the place of a group is looked for before the first one is read.
        var isRewritten = false
        var seen: [UInt64] = []
        try Segments.walk(directory: scratch.journal, afterSeq: last / 2, throughSeq: last) {
            _,
            entries in
            if !isRewritten {
                isRewritten = true
                try rewrite(journal)
            }
            for one in entries {
                let old = entry(one.seq, bytes: 300)
                #expect(one == old || one == changed(old))
                seen.append(one.seq)
            }
            return true
        }
        #expect(seen == Array(last / 2 + 1...last))
        let reader = try SegmentReader(directory: scratch.journal)
        for seq in (1...last).reversed() {
            let old = entry(seq, bytes: 300)
            #expect(try reader.entry(seq: seq) == changed(old) ?? old)
        }
    }

    @Test func `what has another length is appended to, and opened again`() throws {
        let journal = try written()
        let last = journal.lastSeq
        try rewrite(journal)
        try journal.add(2, bytes: 50)
        let reader = try SegmentReader(directory: scratch.journal)
        #expect(try reader.entry(seq: last + 2) == entry(last + 2, bytes: 50))
        for segment in try Segments.segments(in: scratch.journal) {
            #expect(try Segments.damage(inSegment: segment, of: scratch.journal) == nil)
        }
    }

    /// A place that was found in a file is of no use in the one that replaced it.
    @Test func `a place is found in the file that it was looked for in`() throws {
        let journal = try written()
        let last = journal.lastSeq
        let reader = try SegmentReader(directory: scratch.journal)
        let place = try #require(try reader.place(of: last / 2))
        #expect(place.offset > 0)
        try rewrite(journal)
        var walk = SegmentWalk(
            SegmentDirectory(path: scratch.journal),
            segments: reader.segments,
            from: place
        )
        var next: UInt64 = 0
        while let head = try walk.next() {
            if next > 0 { #expect(head.firstSeq == next) }
            next = head.group.lastSeq + 1
        }
        #expect(next == last + 1)
    }
}
