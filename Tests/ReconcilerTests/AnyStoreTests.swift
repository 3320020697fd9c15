import Entitlements
import Foundation
import NIOHTTP1
import Synchronization
import TestSupport
import Testing

@testable import Reconciler

/// A store of another kind is asked in the same way.
struct AnyStoreTests {
    /// Answers everything.
    private static let telling: FakeStore.Script = { _ in .answer(200, Array("t".utf8)) }

    @Test func `a credential is asked for once, and again when it ends`() async throws {
        let clock = HandClock(at: StoreVoice.start)
        let count = Mutex(0)
        let script: FakeStore.Script = { arrival in
            guard arrival.path == "/token" else { return .answer(200, []) }
            let number = count.withLock { count in
                count += 1
                return count
            }
            return .answer(200, Array("t\(number)".utf8))
        }
        try await FakeStore.serving(script) { store in
            let tally = ToyStore.Tally()
            func signed() -> Int { tally.count.load(ordering: .relaxed) }
            try await ToyStore.playing(store.url, clock: clock, tally: tally) { reconciler, _ in
                for _ in 0..<2 { _ = try await reconciler.reconcile([ToyStore.key("a")]) }
                #expect(store.paths == ["/token", "/subs/a", "/subs/a"])
                let token = store.arrivals[0]
                #expect(token.headers["Authorization"].isEmpty)
                #expect(token.body == Array("grant_type=a%20key".utf8))
                #expect(store.arrivals[2].headers["Authorization"] == ["Bearer t1"])
                // With RSA signing takes longer than all the rest of a request.
                #expect(signed() == 1)
                try await clock.clock.sleep(ToyStore.credentialMilliseconds)
                _ = try await reconciler.reconcile([ToyStore.key("a")])
                #expect(store.arrivals.last?.headers["Authorization"] == ["Bearer t2"])
                #expect(signed() == 2)
            }
        }
    }

    @Test func `what its room needs is fetched once, and all who need it wait for that`()
        async throws
    {
        let replies = ToyStore.Tally()
        let script: FakeStore.Script = { _ in
            Thread.sleep(forTimeInterval: 0.1)
            replies.count.add(1, ordering: .sequentiallyConsistent)
            return .answer(200, [])
        }
        try await FakeStore.serving(script) { store in
            try await ToyStore.playing(store.url) { reconciler, _ in
                let haveKeys = try await withThrowingTaskGroup(of: Bool.self) { group in
                    for _ in 0..<20 {
                        group.addTask {
                            try await reconciler.upkeep()
                            return replies.count.load(ordering: .sequentiallyConsistent) == 1
                        }
                    }
                    return try await group.reduce(into: []) { $0.append($1) }
                }
                #expect(haveKeys == Array(repeating: true, count: 20))
                #expect(store.paths == ["/keys"])
            }
        }
    }

    @Test func `a credential that is refused is asked for anew, once`() async throws {
        let script: FakeStore.Script = { arrival in
            arrival.path == "/token" ? .answer(200, Array("t".utf8)) : .answer(401, [])
        }
        try await FakeStore.serving(script) { store in
            try await ToyStore.playing(store.url) { reconciler, _ in
                let failure = await apiFailure { () async throws(StoreAPIFailure) in
                    try await reconciler.reconcile([ToyStore.key("a")])
                }
                #expect(failure?.kind == .unauthorized)
                #expect(store.paths == ["/token", "/subs/a", "/token", "/subs/a"])
            }
        }
    }

    @Test func `what is said is as old as the question, however late the reply comes`()
        async throws
    {
        let clock = HandClock(at: StoreVoice.start)
        let script: FakeStore.Script = { arrival in
            if arrival.path.hasPrefix("/subs/") { clock.advance(15_000) }
            return .answer(200, Array("t".utf8))
        }
        let book = MemoryBook()
        book.put([ToyStore.fact(ToyStore.key("a"), signed: .distantPast)])
        try await FakeStore.serving(script) { store in
            try await ToyStore.playing(store.url, book: book, clock: clock) { reconciler, _ in
                _ = try await reconciler.reconcile([ToyStore.key("a")])
                let version = book.subscriptions[ToyStore.key("a")]?.status?.version
                #expect(version?.signed == StoreVoice.start)
            }
        }
    }

    /// The answers of one process to two questions; or a later process, which finds the first
    /// answer in its book.
    @Test(arguments: [false, true])
    func `what is said after the clock was set back is newer than what was said before`(
        isRestarted: Bool
    ) async throws {
        let clock = HandClock(at: StoreVoice.start.advanced(byMilliseconds: 7_200_000))
        let book = MemoryBook()
        let key = ToyStore.key("a")
        func said() -> Moment? { book.subscriptions[key]?.status?.version.signed }
        try await FakeStore.serving(Self.telling) { store in
            try await ToyStore.playing(store.url, book: book, clock: clock) { reconciler, _ in
                if isRestarted {
                    book.put([ToyStore.fact(key, signed: clock.now)])
                } else {
                    _ = try await reconciler.reconcile([key])
                }
                #expect(said() == clock.now)
                let ahead = clock.now
                clock.advance(-7_200_000)
                #expect(try await reconciler.reconcile([key]))
                #expect(said() == ahead.advanced(byMilliseconds: 1))
                // The scan for renewals does not wait until then.
                let kept = try #require(book.subscriptions[key])
                let silent = kept.silentFrom(.distantPast, 60_000, at: clock.now)
                #expect(silent < clock.now)
                clock.advance(7_200_100)
                #expect(try await reconciler.reconcile([key]))
                #expect(said() == clock.now)
            }
        }
    }

    /// Google's one scope knows what licence testers buy, too.
    @Test func `what testers buy is asked about before its end, too, where one scope knows it`()
        async throws
    {
        let key = SubscriptionKey(store: .googlePlay, environment: .sandbox, originalID: "a")
        let book = MemoryBook()
        book.put([ToyStore.fact(key, signed: StoreVoice.start)])
        let end = StoreVoice.start.advanced(byMilliseconds: 30 * StoreVoice.day)
        let clock = HandClock(at: end.advanced(byMilliseconds: -60_000))
        try await FakeStore.serving(Self.telling) { store in
            try await ToyStore.playing(store.url, book: book, clock: clock) { reconciler, _ in
                for (environment, asked) in [(StoreEnvironment.production, 1), (.sandbox, 0)] {
                    let scan = RenewalScan(
                        inquiry: reconciler.inquiry,
                        clock: clock.clock,
                        environment: environment,
                        beforeMilliseconds: 600_000,
                        silenceMilliseconds: 60_000
                    )
                    var memory = RenewalMemory()
                    #expect(await scan.run(&memory).asked == asked)
                }
                #expect(store.paths == ["/token", "/subs/a"])
            }
        }
    }

    @Test func `of somebody's many purchases the subscription is asked about first`() async throws {
        let packs = (0..<70).map { ToyStore.key("a\($0)") }
        let month = ToyStore.key("z")
        let book = MemoryBook()
        for key in packs {
            var fact = ToyStore.fact(key, signed: StoreVoice.start)
            fact.transaction?.expires = nil
            book.put([fact])
        }
        book.put([ToyStore.fact(month, signed: StoreVoice.start)])
        try await FakeStore.serving(Self.telling) { store in
            try await ToyStore.playing(store.url, book: book) { reconciler, _ in
                _ = try await reconciler.reconcile(packs + [month])
                let asked = store.paths.filter { $0.hasPrefix("/subs/") }
                #expect(asked.first == "/subs/z")
                #expect(asked.count == ReconcilerLimits.reconciledSubscriptionsMax)
            }
        }
    }

    @Test func `one question leads to another`() async throws {
        let script: FakeStore.Script = { arrival in
            arrival.path.hasPrefix("/subs/") ? .answer(404, []) : .answer(200, [])
        }
        try await FakeStore.serving(script) { store in
            try await ToyStore.playing(store.url) { reconciler, _ in
                let found = try await reconciler.purchase(.purchaseToken("a/b"), within: 1_000)
                guard case .stated(let facts) = found else {
                    Issue.record("a document")
                    return
                }
                #expect(facts.map(\.key) == [ToyStore.key("a/b")])
                #expect(store.paths == ["/token", "/subs/a%2Fb", "/products/a%2Fb"])
                let strange = await apiFailure { () async throws(StoreAPIFailure) in
                    try await reconciler.purchase(.checkoutSession("a"), within: 1_000)
                }
                #expect(strange?.kind == .unknown && store.arrivals.count == 3)
            }
        }
    }

    @Test func `what a store has forgotten is over where it is kept, and unknown where it is not`()
        async throws
    {
        let script: FakeStore.Script = { arrival in
            if arrival.path == "/token" { return .answer(200, Array("t".utf8)) }
            return .answer(arrival.path.hasPrefix("/subs/") ? 410 : 404, [])
        }
        let book = MemoryBook()
        book.put([ToyStore.fact(ToyStore.key("a"), signed: StoreVoice.start)])
        try await FakeStore.serving(script) { store in
            try await ToyStore.playing(store.url, book: book) { reconciler, _ in
                let found = try await reconciler.purchase(.purchaseToken("a"), within: 1_000)
                guard case .stated(let facts) = found else {
                    Issue.record("a document")
                    return
                }
                #expect(facts.map { $0.status?.code } == [StatusCode.expired.rawValue])
                #expect(store.paths == ["/token", "/subs/a", "/products/a", "/subs/a"])
                let strange = await apiFailure { () async throws(StoreAPIFailure) in
                    try await reconciler.purchase(.purchaseToken("b"), within: 1_000)
                }
                #expect(strange?.kind == .unknown && store.paths.last == "/products/b")
            }
        }
    }

    @Test func `a store is asked about its own purchases, and has marks of its own`() async throws {
        let book = MemoryBook()
        let keys = [ToyStore.key("a"), ToyStore.key("b"), ToyStore.key("c", of: .appStore)]
        book.put(keys.map { ToyStore.fact($0, signed: StoreVoice.start) })
        try await FakeStore.serving(Replies(.answer(200, Array("t".utf8)))) { store in
            try await ToyStore.playing(store.url, book: book) { reconciler, scratch in
                #expect(await reconciler.sweepOnce() == true)
                #expect(Set(store.paths) == ["/token", "/subs/a", "/subs/b"])
                #expect(reconciler.progress.sweep?.looked == 2)
                #expect(Scratch.names(in: scratch.path) == ["toy.json"])
                let isNews = try await reconciler.reconcile([keys[2]])
                #expect(!isNews && !store.paths.contains("/subs/c"))
                // There is no history to walk through, and no test to ask for.
                let client = reconciler.clients[0]
                #expect(await reconciler.walkOnce(with: client, onlyFailures: true) == true)
                let untested = await apiFailure { () async throws(StoreAPIFailure) in
                    try await reconciler.testNotification(timeoutSeconds: 1)
                }
                #expect(untested?.kind == .refused)
            }
        }
    }
}
