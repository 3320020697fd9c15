import Entitlements
import Journal
import TestSupport
import Testing

@testable import Ledger

/// Records that the journal keeps beside the events: what they cost and save, and who minds them.
struct MilestoneTests {
    private let hands = HandClock()
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private func charge(_ number: Int) throws -> WriteOrder.Kind {
        let user = try user("heavy")
        let charge = Charge(
            user: user,
            amount: 1,
            key: IdempotencyKey(user: user, digest: digest(number)),
            fingerprint: digest(number)
        )
        return .command(.charge(charge))
    }

    /// One user with credits, who is charged `count` times, the numbers from `first` on.
    private func spend(_ count: Int, from first: Int, _ pace: MilestonePace) throws {
        let bench = try WriterBench(
            scratch.store,
            clock: hands.clock,
            limits: JournalLimits(),
            pace: pace
        )
        let user = try user("heavy")
        let gift = CreditOrder(
            user: user,
            amount: 1 << 40,
            key: IdempotencyKey(user: user, digest: digest(first - 1)),
            fingerprint: digest(first - 1),
            until: nil,
            source: "gift",
            reason: "",
            isAdjustment: false
        )
        var batches: [[WriteOrder.Kind]] = [[.command(.credit(gift))]]
        for start in stride(from: first, to: first + count - 1, by: 250) {
            batches.append(try (start..<min(start + 250, first + count - 1)).map(charge))
        }
        #expect(bench.run(batches).gaveUp == nil)
    }

    /// Entries that are decoded at most for a page of so many steps of a history.
    ///
    /// The window in which it begins, those that it fills, the rest of the last one, and the
    /// milestones on the way, at the usual pace. What purchases tell that were somebody else's
    /// before comes in addition.
    private static func entriesMax(of steps: Int) -> Int {
        steps + 4 * Int(LedgerLimits.milestoneEntries) + 2 * UInt32.bitWidth
    }

    @Test func `a page decodes as many entries at any depth as its own length asks for`() throws {
        let user = try user("heavy")
        var depth = 0
        for more in [1_000, 9_000, 40_000] {
            try spend(more, from: depth + 1, MilestonePace())
            depth += more
            let ledger = try open(scratch.store, clock: hands.clock)
            let last = ledger.figures.seq
            try #require(last >= UInt64(depth))
            for place in [0, 300, last / 3, last / 2, last - 150, last - 1] {
                for steps in [1, 100] {
                    let decoded = try ledger.look { reader in
                        var past = try reader.past(of: user, before: place)
                        while let step = try past.next(), step.seq <= place { try past.takeStep() }
                        #expect(past.account?.lastSeq ?? 0 <= place)
                        var taken = 0
                        while taken < steps, try past.next() != nil {
                            try past.takeStep()
                            taken += 1
                        }
                        #expect(taken == min(steps, Int(last - place)))
                        return reader.journalEntriesDecoded
                    }
                    #expect(decoded <= Self.entriesMax(of: steps), "\(place)")
                }
            }
            let told = try ledger.look { reader in
                let moment = Moment(hands.wall)
                let found = try reader.past(of: user).lastStep(at: moment)
                #expect(found == last)
                return reader.journalEntriesDecoded
            }
            #expect(told <= Self.entriesMax(of: 1))
            let count = try #require(try ledger.account(user)).chain.count
            #expect(Int(count) == (depth - 128) / 128)
            ledger.stop()
        }
    }

    private func chain() throws -> Chain {
        let ledger = try open(scratch.store, clock: hands.clock)
        defer { ledger.stop() }
        return try #require(try ledger.account(try user("heavy"))).chain
    }

    @Test func `a user of few entries has none`() throws {
        try spend(255, from: 1, MilestonePace())
        #expect(try chain().count == 0)
        try spend(2, from: 1_000, MilestonePace())
        #expect(try chain().count == 1)
        #expect(try chain().marks.map(\.seq) == [256])
    }

    @Test func `a long record waits for more entries, and a very long one for ever`() throws {
        var pace = MilestonePace()
        (pace.entries, pace.firstEntries, pace.bytesPerEntry) = (16, 16, 1)
        try spend(48, from: 1, pace)
        #expect(try chain().count == 0)
        try spend(100, from: 1_000, pace)
        let once = try chain()
        #expect(once.count == 1)
        pace.bytesMax = 10
        try spend(300, from: 2_000, pace)
        #expect(try chain().count == 1)
        #expect(try chain().since == once.since + 300)
        try expectClean(scratch.store)
    }

    @Test func `verify finds a record that is not what the events have left`() throws {
        try spend(300, from: 1, MilestonePace())
        try expectClean(scratch.store)
        var seqs: [UInt64] = []
        let journal = try SegmentWriter.open(directory: scratch.store + "/journal", appliedGroup: 0)
        let sealed = journal.lastGroup
        journal.close()
        _ = try Segments.rewrite(
            directory: scratch.store + "/journal",
            throughSeq: .max,
            sealed: sealed
        ) { entry in
            let content = try EntryBody.content(of: entry)
            guard case .account(let account, _)? = content.milestones.first?.kind else {
                return nil
            }
            seqs.append(entry.seq)
            let bytes = Milestone(account) { _ in 0 }.bytes
            var body = entry.body
            let place = try #require(
                (0..<body.count).first { body[$0...].starts(with: bytes) }
            )
            // The moment at which the account was opened.
            body[place + 1 + 2 + "heavy".utf8.count + 4 + 8] ^= 1
            return entry.with(body)
        }
        #expect(seqs.count == 1)
        let report = try Ledger.verify(options(scratch.store))
        #expect(report.differencesCount == 1)
        #expect(report.differences.first?.contains("entry \(seqs.first ?? 0)") ?? false)
    }
}
