import Entitlements
import JSON
import Synchronization
import Testing

@testable import Reconciler

/// Walks through the notification history: pages, marks, documents that do not verify.
struct WalkTests {
    /// A store with these pages of notifications; the token of page 3 is `p3`.
    static func pages(_ pages: [[String]]) -> FakeStore.Script {
        { arrival in
            let number = Int(arrival.query.split(separator: "p").last ?? "") ?? 0
            let page = pages[number].map { JSONValue.object(["signedPayload": .string($0)]) }
            var answer: JSONObject = ["notificationHistory": .array(page), "hasMore": false]
            if number + 1 < pages.count {
                answer["hasMore"] = true
                answer["paginationToken"] = .string("p\(number + 1)")
            }
            return .json(answer)
        }
    }

    private static func notifications(_ voice: StoreVoice, _ count: Int) throws -> [String] {
        try (0..<count)
            .map { number in
                let period = StoreVoice.Period("20000\(number)", from: StoreVoice.start)
                return try voice.notification(period, number: number)
            }
    }

    @Test func `every page is read once, and the mark moves to the walk's start`() async throws {
        let voice = try StoreVoice()
        let all = try Self.notifications(voice, 45)
        let pages = [Array(all[..<20]), Array(all[20..<40]), Array(all[40...])]
        try await FakeStore.serving(Self.pages(pages)) { store in
            try await Stage.playing(store.url, voice: voice) { stage in
                let start = stage.clock.now
                #expect(
                    await stage.reconciler.walkOnce(with: stage.api, onlyFailures: false) == true
                )
                #expect(stage.book.subscriptions.count == 45)
                #expect(
                    store.arrivals.map(\.query) == ["", "paginationToken=p1", "paginationToken=p2"]
                )
                #expect(store.arrivals.allSatisfy { $0.json?["onlyFailures"] == nil })
                #expect(stage.reconciler.marks.marks.walks == [.production: start])
                let body = try #require(store.arrivals[0].json)
                #expect(body["endDate"]?.int64 == start.milliseconds)
                let reach = 180 * StoreVoice.day - 3_600_000
                #expect(body["startDate"]?.int64 == start.milliseconds - reach)
                let progress = stage.reconciler.progress
                #expect(progress.walks[.production]?.completedAt == start)
                #expect(progress.applied == 45)
                // The next one begins 8 days before this one, and finds nothing new.
                stage.clock.advance(StoreVoice.day)
                #expect(
                    await stage.reconciler.walkOnce(with: stage.api, onlyFailures: true) == true
                )
                let again = try #require(store.arrivals[3].json)
                #expect(again["onlyFailures"] == true)
                #expect(again["startDate"]?.int64 == start.milliseconds - 8 * StoreVoice.day)
                #expect(stage.reconciler.progress.applied == 45)
                #expect(stage.reconciler.marks.marks.walks == [.production: start])
            }
        }
    }

    @Test func `a bad document moves no mark, and what follows is taken in`() async throws {
        let voice = try StoreVoice()
        let all = try Self.notifications(voice, 3)
        let forged = try Self.notifications(StoreVoice(), 1)
        try await FakeStore.serving(Self.pages([[all[0]], forged + [all[1]], [all[2]]])) { store in
            try await Stage.playing(store.url, voice: voice) { stage in
                #expect(
                    await stage.reconciler.walkOnce(with: stage.api, onlyFailures: false) == false
                )
                #expect(stage.book.subscriptions.count == 3)
                #expect(stage.reconciler.marks.marks == Marks())
                #expect(stage.reconciler.progress.refused == 1)
                #expect(stage.reconciler.progress.walks[.production]?.incomplete == 1)
                let refusals = stage.notices.all.filter {
                    if case .documentRefused(.production, .chain, _) = $0 { true } else { false }
                }
                #expect(refusals.count == 1)
            }
        }
    }

    @Test func `a walk that breaks off moves no mark`() async throws {
        let voice = try StoreVoice()
        let all = try Self.notifications(voice, 2)
        let good = Self.pages([[all[0]], [all[1]]])
        let script: FakeStore.Script = {
            $0.query == "paginationToken=p1" ? .error(400, 4_000_000) : good($0)
        }
        try await FakeStore.serving(script) { store in
            try await Stage.playing(store.url, voice: voice) { stage in
                #expect(
                    await stage.reconciler.walkOnce(with: stage.api, onlyFailures: false) == false
                )
                #expect(stage.book.subscriptions.count == 1)
                #expect(stage.reconciler.marks.marks == Marks())
            }
        }
    }

    @Test func `a full disk moves no mark`() async throws {
        let voice = try StoreVoice()
        let all = try Self.notifications(voice, 2)
        try await FakeStore.serving(Self.pages([[all[0]], [all[1]]])) { store in
            try await Stage.playing(store.url, voice: voice) { stage in
                stage.book.fail(with: BookFailure("storage_full"))
                #expect(
                    await stage.reconciler.walkOnce(with: stage.api, onlyFailures: false) == false
                )
                #expect(store.arrivals.count == 1)
                #expect(stage.reconciler.marks.marks == Marks())
                stage.book.fail(with: nil)
                #expect(
                    await stage.reconciler.walkOnce(with: stage.api, onlyFailures: false) == true
                )
                #expect(stage.book.subscriptions.count == 2)
            }
        }
    }

    @Test func `a place in the pages that is forgotten begins the walk again`() async throws {
        let voice = try StoreVoice()
        let all = try Self.notifications(voice, 2)
        let good = Self.pages([[all[0]], [all[1]]])
        let replies = Replies(.error(400, 4_000_017), .error(400, 4_000_014), .silence)
        let times = Mutex(0)
        let script: FakeStore.Script = { arrival in
            guard arrival.query == "paginationToken=p1" else { return good(arrival) }
            let isExpired = times.withLock { times in
                times += 1
                return times <= 2
            }
            return isExpired ? replies.next : good(arrival)
        }
        try await FakeStore.serving(script) { store in
            try await Stage.playing(store.url, voice: voice) { stage in
                #expect(
                    await stage.reconciler.walkOnce(with: stage.api, onlyFailures: false) == true
                )
                #expect(stage.book.subscriptions.count == 2)
                let first = "paginationToken=p1"
                #expect(store.arrivals.map(\.query) == ["", first, "", first, "", first])
                #expect(Set(store.arrivals.map(\.body)).count == 1)
            }
        }
    }

    @Test func `a store that always forgets the place ends the walk`() async throws {
        let good = Self.pages([[], []])
        let script: FakeStore.Script = {
            $0.query.isEmpty ? good($0) : .error(400, 4_000_014)
        }
        try await FakeStore.serving(script) { store in
            try await Stage.playing(store.url) { stage in
                #expect(
                    await stage.reconciler.walkOnce(with: stage.api, onlyFailures: false) == false
                )
                #expect(store.arrivals.count == 2 * (ReconcilerLimits.walkRestartsMax + 1))
            }
        }
    }

    @Test(arguments: ["p1", ""])
    func `a page that leads to itself or nowhere ends the walk`(_ token: String) async throws {
        let script: FakeStore.Script = { _ in
            .json([
                "notificationHistory": [], "hasMore": true, "paginationToken": .string(token),
            ])
        }
        try await FakeStore.serving(script) { store in
            try await Stage.playing(store.url) { stage in
                #expect(
                    await stage.reconciler.walkOnce(with: stage.api, onlyFailures: false) == false
                )
                #expect(store.arrivals.count == (token.isEmpty ? 1 : 2))
            }
        }
    }

    @Test func `a walk asks no faster than the rate`() async throws {
        let pages = [[String]](repeating: [], count: 120)
        try await FakeStore.serving(Self.pages(pages)) { store in
            try await Stage.playing(store.url, requestsPerSecond: 10) { stage in
                let start = stage.clock.now
                #expect(
                    await stage.reconciler.walkOnce(with: stage.api, onlyFailures: false) == true
                )
                let seconds = Double(stage.clock.now.milliseconds - start.milliseconds) / 1000
                #expect(store.arrivals.count == 120)
                // Half of a bucket of 10 is there at once, the rest comes at 10 a second.
                #expect((11.4...11.6).contains(seconds))
            }
        }
    }

    @Test func `the window never leaves the history, nor begins in the future`() {
        let day = StoreVoice.day
        let now = StoreVoice.start
        func days(_ last: Int64?, _ environment: StoreEnvironment) -> Int64 {
            let mark = last.map { now.advanced(byMilliseconds: -$0 * day) }
            let reach = StoreReach(
                milliseconds: (environment == .production ? 180 : 30) * day,
                overlapMilliseconds: 8 * day,
                marginMilliseconds: 3_600_000
            )
            let window = NotificationWalk.window(since: mark, reach, at: now)
            #expect(window.upperBound == now)
            return (now.milliseconds - window.lowerBound.milliseconds + 3_600_000) / day
        }
        #expect(days(nil, .production) == 180)
        #expect(days(nil, .sandbox) == 30)
        #expect(days(1, .production) == 9)
        #expect(days(21, .sandbox) == 29)
        #expect(days(22, .sandbox) == 30)
        #expect(days(300, .production) == 180)
        #expect(days(-300, .production) == 8)
    }
}
