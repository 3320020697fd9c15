import Entitlements
import JSON
import Testing

@testable import Reconciler

/// Subscriptions of which the store has said something that nothing here explains: it is asked, and
/// for the history, too.
struct MissingTests {
    private static let first = StoreVoice.Period("200000")
    private static let second = StoreVoice.Period("200000", number: 1)
    private static let asked = [
        "/inApps/v1/subscriptions/200000", "/inApps/v2/history/200000",
    ]

    /// A store that says nothing but what it said of the first period.
    private static func script(_ voice: StoreVoice) -> FakeStore.Script {
        { arrival in
            guard arrival.path.hasPrefix("/inApps/v2/history/") else {
                return .json((try? voice.statuses(Self.first)) ?? [:])
            }
            let document = (try? voice.transaction(Self.first)) ?? ""
            return .json(["signedTransactions": [.string(document)], "hasMore": false])
        }
    }

    /// Has the scan, then the sweep, ask about `facts`, which tell of something missing since then.
    private func expectQuestions(
        about facts: [Fact],
        since: Moment,
        _ voice: StoreVoice
    ) async throws {
        let book = MemoryBook()
        book.put(facts)
        let kept = try #require(book.subscriptions[Self.first.key])
        let clock = HandClock(at: kept.heard.advanced(byMilliseconds: 60_000))
        #expect(kept.unheardRenewal(at: clock.now) == since)
        #expect(kept.isSwept(at: clock.now) && !kept.isMissed(at: clock.now))
        #expect(!kept.isSwept(at: since.advanced(byMilliseconds: 401 * StoreVoice.day)))
        try await FakeStore.serving(Self.script(voice)) { store in
            try await Stage.playing(store.url, voice: voice, book: book, clock: clock) { stage in
                let scan = RenewalScan(
                    inquiry: stage.reconciler.inquiry,
                    clock: clock.clock,
                    beforeMilliseconds: 600_000,
                    silenceMilliseconds: 60_000
                )
                var memory = RenewalMemory()
                let found = await scan.run(&memory)
                #expect(found.asked == 1 && found.missed == 0)
                #expect(store.paths == Self.asked)
                // What is still not explained is asked about again.
                book.put(facts)
                #expect(await stage.reconciler.sweepOnce() == true)
                #expect(stage.reconciler.progress.sweep?.asked == 1)
            }
        }
    }

    @Test func `an upgrade of which nothing else was heard is asked for`() async throws {
        let voice = try StoreVoice()
        var fact = try voice.fact(Self.first)
        fact.transaction?.isUpgraded = true
        try await expectQuestions(about: [fact], since: Self.first.from, voice)
    }

    @Test func `a refund that leaves the subscription active speaks of one that is not here`()
        async throws
    {
        let voice = try StoreVoice()
        let since = Self.second.from.advanced(byMilliseconds: StoreVoice.day)
        var fact = try voice.fact(Self.second)
        fact.transaction?.revoked = since.advanced(byMilliseconds: -1_000)
        let version = Version(signed: since, digest: Digest256(0, 0, 0, 1))
        fact.status = StatusFact(version: version, .active)
        try await expectQuestions(about: [try voice.fact(Self.first), fact], since: since, voice)
        // What is refunded stays so, and is settled by a later word on it, or on the state.
        var told = Subscription(key: Self.first.key)
        _ = told.merge(fact)
        let now = since.advanced(byMilliseconds: 60_000)
        #expect(told.missingSince(at: now) == since)
        #expect(told.era(at: now)?.marks.contains(.revoked) == true)
        for isAnswer in [false, true] {
            let later = Version(signed: now, digest: Digest256(0, 0, 0, 2))
            var word = Fact(key: fact.key)
            if isAnswer {
                word.transaction = fact.transaction
                word.transaction?.version = later
            } else {
                word.status = StatusFact(version: later, .expired)
            }
            var settled = told
            _ = settled.merge(word)
            #expect(settled.missingSince(at: now) == nil)
        }
    }

    @Test func `what took the place of an upgraded one explains it`() throws {
        let voice = try StoreVoice()
        var subscription = Subscription(key: Self.first.key)
        var fact = try voice.fact(Self.first)
        fact.transaction?.isUpgraded = true
        _ = subscription.merge(fact)
        let now = Self.first.from.advanced(byMilliseconds: StoreVoice.day)
        #expect(subscription.missingSince(at: now) == Self.first.from)
        // A renewal that was announced before the upgrade does not.
        var announced = subscription
        var upgraded = fact
        upgraded.transaction?.version = Version(
            signed: Self.second.signed.advanced(byMilliseconds: 60_000),
            digest: Digest256(0, 0, 0, 1)
        )
        _ = announced.merge(try voice.fact(Self.second))
        _ = announced.merge(upgraded)
        #expect(announced.missingSince(at: now) == Self.first.from)
        var other = fact
        other.transaction?.id = "9"
        other.transaction?.productID = "yearly"
        other.transaction?.isUpgraded = false
        for one in [subscription, announced] {
            var told = one
            _ = told.merge(other)
            #expect(told.missingSince(at: now) == nil)
        }
    }

    @Test(arguments: [0, 1])
    func `a purchase that goes on under another id is asked for its history`(
        number: Int
    ) async throws {
        let voice = try StoreVoice()
        let book = MemoryBook()
        book.put([try voice.fact(Self.first)])
        let last = StoreVoice.Period("300000", number: number)
        let script: FakeStore.Script = { arrival in
            guard arrival.path.hasPrefix("/inApps/v2/history/") else {
                return .json((try? voice.statuses(last)) ?? [:])
            }
            let documents = (0...number)
                .compactMap { try? voice.transaction(StoreVoice.Period("300000", number: $0)) }
            return .json(["signedTransactions": .array(documents.map { .string($0) })])
        }
        let clock = HandClock(at: StoreVoice.lateInFirstPeriod)
        try await FakeStore.serving(script) { store in
            try await Stage.playing(store.url, voice: voice, book: book, clock: clock) { stage in
                #expect(await stage.reconciler.sweepOnce() == true)
                // The first period of all needs none.
                let isAsked = store.paths.contains("/inApps/v2/history/300000")
                #expect(isAsked == (number > 0))
                #expect(book.subscriptions[last.key]?.transactions.count == number + 1)
            }
        }
    }
}
