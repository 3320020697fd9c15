import Chance
import Entitlements
import JSON
import Ledger
import Testing

@testable import Methods

/// Pages of a history: nothing is lost between two of them.
struct HistoryPageTests {
    /// Nine grants that end one after the other while the daemon sleeps, so that one tick tells of
    /// all of it.
    private func stage() throws -> Stage {
        let stage = try Stage(startingAt: 1_750_000_000_000)
        var plan = Policy.Plan(name: "pro")
        plan.unlimited = ["render"]
        var source = Policy.Source()
        source.plans = [plan]
        try stage.install(source)
        let user = try #require(UserID("alice"))
        for number in 1...9 {
            let start = stage.now.advanced(byMilliseconds: Int64(number) * 2_000)
            try stage.order(
                .grant(
                    GrantOrder(
                        user: user,
                        plan: "pro",
                        key: IdempotencyKey(
                            user: user,
                            digest: Digest256(UInt64(number), 0, 0, 0)
                        ),
                        fingerprint: Digest256(0, 0, 0, 0),
                        from: start,
                        until: start.advanced(byMilliseconds: 1_000),
                        store: nil,
                        reason: ""
                    )
                )
            )
        }
        stage.pass(60_000)
        return stage
    }

    private func turns(
        on stage: Stage? = nil,
        after seq: UInt64 = 0,
        limit: Int = .max
    ) throws -> [Chronicle.Turn] {
        let stage = try stage ?? self.stage()
        let user = try #require(UserID("alice"))
        let reader = try LedgerReader(stage.ledger)
        try reader.wake()
        defer { reader.rest() }
        var chronicle = try Chronicle(of: user, reader)
        return try chronicle.turns(until: stage.now, after: seq, limit: limit)
    }

    @Test func `no more is looked for than a page takes, and the page is the same`() throws {
        let stage = try stage()
        // Else the last turns would get their position meanwhile.
        try WatchedLifeTests.letTimeBeNoted(stage)
        let all = try turns(on: stage)
        for seq in [0] + Set(all.map(\.seq)).sorted() {
            for limit in [1, 2, 5, 8, 20] {
                let some = try turns(on: stage, after: seq, limit: limit)
                let page = Self.page(some, after: seq, limit: limit, bytesMax: 1 << 20)
                #expect(page == Self.page(all, after: seq, limit: limit, bytesMax: 1 << 20))
                #expect(some.allSatisfy { $0.seq > seq })
            }
        }
        #expect(try turns(on: stage, limit: 1).count < all.count)
    }

    @Test func `pages follow one another, whatever their size`() throws {
        let turns = try turns()
        let clock = turns.filter { $0.cause == .clock }
        #expect(clock.count == 18)
        let together = Dictionary(grouping: turns, by: \.seq).values.map(\.count).max() ?? 0
        #expect(together > 9, "many are of one position")
        let all = Self.page(turns, after: 0, limit: 1_000, bytesMax: 1 << 20)
        #expect(all.count == turns.count)
        for limit in [1, 2, 5, 20] {
            var paged: [JSONValue] = []
            while true {
                let after = UInt64(paged.last?["seq"]?.int64 ?? 0)
                let page = Self.page(turns, after: after, limit: limit, bytesMax: 1 << 20)
                if page.isEmpty { break }
                paged += page
            }
            #expect(paged == all, "\(limit) at a time")
        }
    }

    @Test func `what does not fit in a frame is told more coarsely, never in parts`() throws {
        let turns = try turns()
        for bytesMax in [4_096, 8_192] {
            var paged: [JSONValue] = []
            while true {
                let after = UInt64(paged.last?["seq"]?.int64 ?? 0)
                let page = Self.page(turns, after: after, limit: 100, bytesMax: bytesMax)
                if page.isEmpty { break }
                let size = page.reduce(0) { $0 + $1.bytes.count + 1 }
                #expect(size + 1_024 < bytesMax)
                paged += page
            }
            #expect(paged.count < turns.count)
            #expect(Set(paged.map { $0["seq"]?.int64 }) == Set(turns.map { Int64($0.seq) }))
            for (event, next) in zip(paged, paged.dropFirst()) {
                #expect(event["after"]?["state"] == next["before"]?["state"])
            }
        }
    }

    /// Records that the journal keeps are what pages begin at: nobody can tell from a page.
    @Test func `whatever position a page begins behind, it is a part of the whole history`() throws
    {
        let seed = Seed.told()
        let stage = try Stage(startingAt: 1_750_000_000_000, milestones: .quick)
        var story = YearOfLife(SplitMix64(seed: seed), users: 2)
        try stage.install(story.catalog())
        for number in 0..<200 {
            stage.pass(Int64(number * 7_919 % 40) * 3_600_000)
            let kind = story.command(at: stage.now)
            story.heard(try stage.order(kind).outcome, of: kind)
            if number % 90 == 89 { try stage.install(story.catalog()) }
        }
        try WatchedLifeTests.letTimeBeNoted(stage)
        let reader = try LedgerReader(stage.ledger)
        try reader.wake()
        defer { reader.rest() }
        for user in YearOfLife.users.prefix(2) {
            var whole = try Chronicle(of: user, reader)
            let all = try whole.turns(until: stage.now)
            #expect(all.count > 25, "seed \(seed), \(user)")
            for seq in 0...stage.ledger.figures.seq {
                var chronicle = try Chronicle(of: user, reader)
                let some = try chronicle.turns(until: stage.now, after: seq, limit: 3)
                let page = Self.page(some, after: seq, limit: 3, bytesMax: 1 << 20)
                let expected = Self.page(all, after: seq, limit: 3, bytesMax: 1 << 20)
                try #require(page == expected, "seed \(seed), \(user) behind \(seq)")
            }
        }
    }

    private static func page(
        _ turns: [Chronicle.Turn],
        after seq: UInt64,
        limit: Int,
        bytesMax: Int
    ) -> [JSONValue] {
        var page = HistoryPage(limit: limit, bytesMax: bytesMax)
        page.fill(turns, after: seq)
        return page.events
    }
}
