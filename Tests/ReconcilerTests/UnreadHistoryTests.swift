import Entitlements
import JSON
import Synchronization
import TestSupport
import Testing

@testable import Reconciler

/// Histories that the store does not tell when they are asked for: the answer is kept, and the
/// history is asked for again.
struct UnreadHistoryTests {
    private static let first = StoreVoice.Period("200000")
    /// In the third period, of which nothing was heard, nor of the second.
    private static let now = StoreVoice.Period("200000", number: 2).from

    /// Subscriptions of which the first period is known.
    private static func book(_ voice: StoreVoice, _ originals: [String]) throws -> MemoryBook {
        let book = MemoryBook()
        for original in originals { book.put([try voice.fact(StoreVoice.Period(original))]) }
        return book
    }

    /// A store in which every subscription is in its third period, and that answers `trouble` to
    /// questions about a history while there is any.
    private static func store(
        _ voice: StoreVoice,
        renews: Bool = true,
        _ trouble: @escaping @Sendable (FakeStore.Arrival) -> FakeStore.Reply?
    ) -> FakeStore.Script {
        { arrival in
            let original = arrival.path.split(separator: "/").last.map(String.init) ?? ""
            guard arrival.path.hasPrefix("/inApps/v2/history/") else {
                var last = StoreVoice.Period(original, number: 2)
                last.renews = renews
                return .json((try? voice.statuses(last)) ?? [:])
            }
            if let reply = trouble(arrival) { return reply }
            let documents = (0...2)
                .compactMap { try? voice.transaction(StoreVoice.Period(original, number: $0)) }
            return .json([
                "signedTransactions": .array(documents.map { .string($0) }), "hasMore": false,
            ])
        }
    }

    private static func kept(_ stage: Stage, _ original: String = "200000") -> [String] {
        let subscription = stage.book.subscriptions[StoreVoice.Period(original).key]
        return subscription?.transactions.map(\.id) ?? []
    }

    private static func histories(_ store: FakeStore) -> Int {
        store.paths.count { $0.hasPrefix("/inApps/v2/history/") }
    }

    @Test(arguments: [500, 429, 400])
    func `a history that was not told is asked for by the next sweep, after a restart, too`(
        _ status: Int
    ) async throws {
        let voice = try StoreVoice()
        let book = try Self.book(voice, ["200000"])
        let scratch = try Scratch()
        let clock = HandClock(at: Self.now)
        let isDown = Mutex(true)
        let script = Self.store(voice) { _ in
            isDown.withLock { $0 } ? .error(status, Int64(status) * 10_000) : nil
        }
        func playing(_ url: String, _ body: (Stage) async throws -> Void) async throws {
            try await Stage.playing(
                url,
                voice: voice,
                directory: scratch.path,
                book: book,
                clock: clock,
                body
            )
        }
        try await FakeStore.serving(script) { store in
            try await playing(store.url) { stage in
                #expect(await stage.reconciler.sweepOnce() == true)
                // What was paid for is known at once.
                #expect(Self.kept(stage) == ["200000", "2000002"])
                #expect(stage.reconciler.marks.marks.histories == [Self.first.key])
                let isTold = stage.notices.all.contains {
                    if case .historyUnread = $0 { true } else { false }
                }
                #expect(isTold)
            }
            isDown.withLock { $0 = false }
            try await playing(store.url) { stage in
                #expect(await stage.reconciler.sweepOnce() == true)
                #expect(Self.kept(stage) == ["200000", "2000001", "2000002"])
                #expect(stage.reconciler.marks.marks.histories.isEmpty)
                // All is known: the next sweep asks one question.
                let before = store.arrivals.count
                #expect(await stage.reconciler.sweepOnce() == true)
                #expect(store.arrivals.count == before + 1)
            }
        }
    }

    @Test func `it is asked for even if the subscription is not active any more`() async throws {
        let voice = try StoreVoice()
        let book = try Self.book(voice, ["200000"])
        let clock = HandClock(at: Self.now)
        let isDown = Mutex(true)
        let script = Self.store(voice, renews: false) { _ in
            isDown.withLock { $0 } ? .error(500, 5_000_000) : nil
        }
        try await FakeStore.serving(script) { store in
            try await Stage.playing(store.url, voice: voice, book: book, clock: clock) { stage in
                #expect(await stage.reconciler.sweepOnce() == true)
                isDown.withLock { $0 = false }
                clock.advance(400 * StoreVoice.day)
                let lapsed = try #require(stage.book.subscriptions[Self.first.key])
                #expect(!lapsed.isSwept(at: clock.now))
                #expect(await stage.reconciler.sweepOnce() == true)
                #expect(Self.kept(stage).count == 3)
                let before = store.arrivals.count
                #expect(await stage.reconciler.sweepOnce() == true)
                #expect(store.arrivals.count == before)
            }
        }
    }

    @Test func `histories that are never told stop no sweep`() async throws {
        let voice = try StoreVoice()
        let originals = (0..<6).map { "20000\($0)" }
        let book = try Self.book(voice, originals)
        let clock = HandClock(at: Self.now)
        let never = ["200000", "200001", "200002"]
        let script = Self.store(voice) { arrival in
            never.contains { arrival.path.hasSuffix($0) } ? .error(500, 5_000_000) : nil
        }
        try await FakeStore.serving(script) { store in
            try await Stage.playing(store.url, voice: voice, book: book, clock: clock) { stage in
                for _ in 0..<2 {
                    #expect(await stage.reconciler.sweepOnce() == true)
                    for original in originals {
                        let count = never.contains(original) ? 2 : 3
                        #expect(Self.kept(stage, original).count == count, "\(original)")
                    }
                    let owed = Set(never.map { StoreVoice.Period($0).key })
                    #expect(stage.reconciler.marks.marks.histories == owed)
                }
            }
        }
    }

    @Test func `of many that are not told nothing is kept, and they are the store's failure`()
        async throws
    {
        let voice = try StoreVoice()
        let book = try Self.book(voice, ["200000"])
        let clock = HandClock(at: Self.now)
        let script = Self.store(voice) { _ in .error(500, 5_000_000) }
        let others = (0..<ReconcilerLimits.historiesOwedMax)
            .map { StoreVoice.Period("\(300_000 + $0)").key }
        try await FakeStore.serving(script) { store in
            try await Stage.playing(store.url, voice: voice, book: book, clock: clock) { stage in
                let marks = stage.reconciler.marks
                #expect(marks.owe(Set(others)))
                #expect(marks.owe([others[0]]) && !marks.owe([Self.first.key]))
                let kept = try #require(book.subscriptions[Self.first.key])
                let inquiry = stage.reconciler.inquiry
                let result = await inquiry.ask(about: Self.first.key, kept: kept, .patient)
                guard case .unavailable? = result else {
                    Issue.record("\(String(describing: result))")
                    return
                }
                #expect(Self.kept(stage) == ["200000"])
                #expect(Marks(marks.marks.bytes) == marks.marks)
                #expect(marks.marks.bytes.count < ReconcilerLimits.marksBytesMax)
                // A sweep asks twice; then it ends, and forgets those that the book does not know.
                #expect(await stage.reconciler.sweepOnce() == false)
                #expect(await stage.reconciler.sweepOnce() == true)
                #expect(marks.marks.histories.isEmpty)
            }
        }
    }

    @Test func `who asks for everything is told that the history is missing`() async throws {
        let voice = try StoreVoice()
        let book = try Self.book(voice, ["200000"])
        let clock = HandClock(at: Self.now)
        let isDown = Mutex(true)
        let script = Self.store(voice) { _ in
            isDown.withLock { $0 } ? .error(500, 5_000_000) : nil
        }
        try await FakeStore.serving(script) { store in
            try await Stage.playing(store.url, voice: voice, book: book, clock: clock) { stage in
                let failure = await apiFailure { () async throws(StoreAPIFailure) in
                    try await stage.reconciler.reconcile([Self.first.key])
                }
                #expect(failure?.kind == .unreachable)
                #expect(Self.kept(stage) == ["200000", "2000002"])
                isDown.withLock { $0 = false }
                // The next question, whoever asks it, asks for the history, too.
                let inquiry = stage.reconciler.inquiry
                let kept = book.subscriptions[Self.first.key]
                _ = await inquiry.ask(about: Self.first.key, kept: kept, .patient)
                #expect(Self.kept(stage).count == 3)
                #expect(stage.reconciler.marks.marks.histories.isEmpty)
            }
        }
    }

    @Test func `a long history is kept in parts, and noted meanwhile`() async throws {
        let voice = try StoreVoice()
        let book = try Self.book(voice, ["200000"])
        let count = ReconcilerLimits.factsTogetherMax + 1
        let days: Int64 = 1
        let last = StoreVoice.Period("200000", number: count, days: days)
        let clock = HandClock(at: last.from)
        let script: FakeStore.Script = { arrival in
            guard arrival.path.hasPrefix("/inApps/v2/history/") else {
                return .json((try? voice.statuses(last)) ?? [:])
            }
            let documents = (1...count)
                .compactMap { number in
                    let period = StoreVoice.Period("200000", number: number, days: days)
                    return try? voice.transaction(period)
                }
            return .json(["signedTransactions": .array(documents.map { .string($0) })])
        }
        try await FakeStore.serving(script) { store in
            try await Stage.playing(store.url, voice: voice, book: book, clock: clock) { stage in
                let inquiry = stage.reconciler.inquiry
                let kept = book.subscriptions[Self.first.key]
                book.fail(afterWrites: 1)
                let broken = await inquiry.ask(about: Self.first.key, kept: kept, .patient)
                guard case .unavailable? = broken else {
                    Issue.record("\(String(describing: broken))")
                    return
                }
                #expect(stage.reconciler.marks.marks.histories == [Self.first.key])
                book.fail(with: nil)
                _ = await inquiry.ask(about: Self.first.key, kept: kept, .patient)
                #expect(stage.reconciler.marks.marks.histories.isEmpty)
                #expect(Self.histories(store) == 2)
            }
        }
    }
}
