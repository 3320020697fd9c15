import AppStore
import Chance
import Entitlements
import JSON
import Synchronization
import Testing

@testable import Reconciler

/// Lost notifications come back, and change nothing that is newer.
struct RecoveryTests {
    /// What one subscription's year says, in order.
    private struct Notice {
        var period: StoreVoice.Period
        var payload: String
    }

    private static func year(_ voice: StoreVoice, _ original: String) throws -> [Notice] {
        try (0..<12)
            .map { number in
                let period = StoreVoice.Period(original, number: number)
                let unique = (Int(original) ?? 0) % 1_000 * 100 + number
                let payload = try voice.notification(period, number: unique)
                return Notice(period: period, payload: payload)
            }
    }

    @Test(arguments: 1...3)
    func `with half of all notifications lost, one walk restores every fold`(
        round: Int
    ) async throws {
        let seed = Seed.told(round: round)
        var random = SplitMix64(seed: seed)
        let voice = try StoreVoice()
        let lossless = MemoryBook()
        let book = MemoryBook()
        var lost: [String] = []
        var last = StoreVoice.start
        for number in 0..<25 {
            let year = try Self.year(voice, "\(200_000 + number)")
            for notice in year.prefix(Int.random(in: 1...12, using: &random)) {
                let verdict = voice.storefront.verdict(
                    onNotification: Array(notice.payload.utf8),
                    at: notice.period.signed
                )
                guard case .genuine(let notification) = verdict else { throw StoreVoice.Broken() }
                _ = try await lossless.take(notification)
                last = max(last, notice.period.signed)
                if Bool.random(using: &random) {
                    lost.append(notice.payload)
                } else {
                    _ = try await book.take(notification)
                }
            }
        }
        lost.shuffle(using: &random)
        #expect(book.subscriptions != lossless.subscriptions)
        let pages = stride(from: 0, to: lost.count, by: 20)
            .map { Array(lost[$0..<min($0 + 20, lost.count)]) }
        let clock = HandClock(at: last)
        try await FakeStore.serving(WalkTests.pages(pages)) { store in
            try await Stage.playing(store.url, voice: voice, book: book, clock: clock) { stage in
                #expect(
                    await stage.reconciler.walkOnce(with: stage.api, onlyFailures: true) == true
                )
                #expect(book.subscriptions == lossless.subscriptions)
                #expect(stage.reconciler.marks.marks.failureWalks[.production] == last)
            }
        }
    }

    @Test func `a sweep alone brings what holds now, for every lost renewal`() async throws {
        let voice = try StoreVoice()
        let (book, lossless) = (MemoryBook(), MemoryBook())
        for number in 0..<40 {
            let original = "\(200_000 + number)"
            book.put([try voice.fact(.init(original))])
            for renewal in 0...1 {
                lossless.put([try voice.fact(.init(original, number: renewal))])
            }
        }
        let clock = HandClock(at: StoreVoice.Period("200000", number: 1).from)
        clock.advance(StoreVoice.day)
        let script: FakeStore.Script = { arrival in
            let original = arrival.path.split(separator: "/").last.map(String.init) ?? ""
            return .json((try? voice.statuses(.init(original, number: 1))) ?? [:])
        }
        try await FakeStore.serving(script) { store in
            try await Stage.playing(store.url, voice: voice, book: book, clock: clock) { stage in
                #expect(await stage.reconciler.sweepOnce() == true)
                let now = clock.now
                for (key, subscription) in lossless.subscriptions {
                    #expect(book.subscriptions[key]?.era(at: now) == subscription.era(at: now))
                }
            }
        }
    }

    @Test func `a notification lost before a newer one is recovered and overwrites nothing`()
        async throws
    {
        let voice = try StoreVoice()
        let year = try Self.year(voice, "200000")
        let book = MemoryBook()
        book.put([try voice.fact(year[2].period)])
        let clock = HandClock(at: year[2].period.from)
        let before = try #require(book.subscriptions[year[2].period.key])
        try await FakeStore.serving(WalkTests.pages([[year[1].payload]])) { store in
            try await Stage.playing(store.url, voice: voice, book: book, clock: clock) { stage in
                #expect(
                    await stage.reconciler.walkOnce(with: stage.api, onlyFailures: true) == true
                )
                let after = try #require(book.subscriptions[before.key])
                #expect(after.transactions.map(\.id) == ["2000001", "2000002"])
                #expect(after.renewal == before.renewal)
                #expect(after.era(at: clock.now) == before.era(at: clock.now))
            }
        }
    }
}
