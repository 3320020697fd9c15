import Journal
import TestSupport
import Testing

/// Groups read some at a time, while the journal goes on.
@Suite struct GroupReaderTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private func written(_ rounds: Int) throws -> Journal {
        let journal = try Journal.open(directory: scratch.journal, appliedGroup: 0, limits: small)
        for round in 0..<rounds { try journal.add(1 + round % 3, bytes: 100 + round * 7 % 300) }
        return journal
    }

    /// Reads groups up to `last`, so many at a time, with `between` called between.
    private func read(
        _ reader: GroupReader,
        through last: UInt64,
        groups: Int,
        between: () throws -> Void = {}
    ) throws -> [JournalEntry] {
        var found: [JournalEntry] = []
        while reader.seq < last {
            var count = 0
            try reader.read(through: last) { group, entries in
                #expect(entries.last?.seq == group.lastSeq)
                found += entries
                count += 1
                return count < groups
            }
            try between()
        }
        return found
    }

    @Test(arguments: [1, 3, 1_000]) func `each group is handed out once, across segments`(
        _ groups: Int
    ) throws {
        let journal = try written(120)
        let all = try journal.all()
        try #require(scratch.segments.count > 2)
        for start in [0, 1, 50, journal.lastSeq - 1, journal.lastSeq] as [UInt64] {
            let reader = GroupReader(directory: scratch.journal, afterSeq: start)
            let found = try read(reader, through: journal.lastSeq, groups: groups)
            #expect(found == all.filter { $0.seq > start }, "from \(start)")
        }
    }

    @Test func `it goes on where it was while the journal grows, is pruned and is rewritten`()
        throws
    {
        let journal = try written(60)
        let reader = GroupReader(directory: scratch.journal, afterSeq: 0)
        var turns = 0
        var pruned = 0
        let last = journal.lastSeq + 40
        let found = try read(reader, through: last, groups: 4) {
            turns += 1
            for _ in 0..<4 where journal.lastSeq < last { try journal.add(1, bytes: 200) }
            pruned += try scratch.prune(beforeSeq: reader.seq)
            guard turns % 3 == 0 else { return }
            try journal.seal()
            _ = try Journal.rewrite(
                directory: scratch.journal,
                throughSeq: journal.lastSeq,
                sealed: journal.lastGroup
            ) { entry in
                let body = [UInt8](repeating: 7, count: entry.body.count)
                guard body != entry.body else { return nil }
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
        #expect(found.map(\.seq) == Array(1...last))
        #expect(pruned > 1 && turns > 6)
        #expect(found.suffix(10).contains { $0.body.allSatisfy { $0 == 7 } })
    }

    @Test func `what is missing or not whole is damage, and nothing behind it is handed out`()
        throws
    {
        let journal = try written(120)
        let name = scratch.segments[1]
        let path = "\(scratch.journal)/\(name)"
        var bytes = try Scratch.bytes(of: path)
        bytes[700] ^= 1
        try Scratch.put(bytes, at: path)
        let reader = GroupReader(directory: scratch.journal, afterSeq: 0)
        let refused = failure { _ = try read(reader, through: journal.lastSeq, groups: 5) }
        #expect(isDamage(refused))
        let first = try #require(try JournalReader(directory: scratch.journal).group(of: 1))
        #expect(reader.seq > first.group.lastSeq && reader.seq < journal.lastSeq)
        let behind = GroupReader(directory: scratch.journal, afterSeq: journal.lastSeq)
        #expect(
            isDamage(failure { try behind.read(through: journal.lastSeq + 1) { _, _ in true } })
        )
    }
}
