import Entitlements
import JSON
import Synchronization
import TestSupport
import Testing

@testable import Reconciler

/// Questions about single subscriptions: sweeps, silence, and what somebody asks for.
struct SweepTests {
    /// A store that says of each subscription that it has been renewed once.
    private static func renewed(_ voice: StoreVoice) -> FakeStore.Script {
        { arrival in
            let original = arrival.path.split(separator: "/").last.map(String.init) ?? ""
            guard arrival.path.hasPrefix("/inApps/v1/subscriptions/"),
                let statuses = try? voice.statuses(StoreVoice.Period(original, number: 1))
            else { return .error(404, 4_040_010) }
            return .json(statuses)
        }
    }

    private static func originals(_ count: Int) -> [String] {
        (0..<count).map { "\(200_000 + $0)" }
    }

    private static func book(_ voice: StoreVoice, _ originals: [String]) throws -> MemoryBook {
        let book = MemoryBook()
        for original in originals { book.put([try voice.fact(StoreVoice.Period(original))]) }
        return book
    }

    @Test func `a sweep asks about each active subscription once`() async throws {
        let voice = try StoreVoice()
        let book = try Self.book(voice, Self.originals(250))
        var old = StoreVoice.Period(
            "100000",
            from: StoreVoice.start.advanced(byMilliseconds: -400 * StoreVoice.day)
        )
        old.renews = false
        book.put([try voice.fact(old)])
        let clock = HandClock(at: StoreVoice.lateInFirstPeriod)
        try await FakeStore.serving(Self.renewed(voice)) { store in
            try await Stage.playing(store.url, voice: voice, book: book, clock: clock) { stage in
                #expect(await stage.reconciler.sweepOnce() == true)
                #expect(store.arrivals.count == 250)
                #expect(Set(store.paths).count == 250)
                #expect(book.subscriptions.values.count { $0.transactions.count == 2 } == 250)
                let sweep = try #require(stage.reconciler.progress.sweep)
                #expect(sweep.asked == 250)
                #expect(sweep.looked == 251)
                #expect(sweep.applied == 250)
                #expect(stage.reconciler.marks.marks.sweep?.isCompleted == true)
                // 12 and a half of a bucket of 25 at once, the rest at 25 a second.
                let taken = clock.now.milliseconds - StoreVoice.lateInFirstPeriod.milliseconds
                #expect(taken >= 9_400)
            }
        }
    }

    @Test func `a sweep goes on after a restart where it was broken off`() async throws {
        let voice = try StoreVoice()
        let originals = Self.originals(350)
        let book = try Self.book(voice, originals)
        let scratch = try Scratch()
        let clock = HandClock(at: StoreVoice.lateInFirstPeriod)
        let good = Self.renewed(voice)
        let isDown = Mutex(true)
        let script: FakeStore.Script = { arrival in
            let isLate = arrival.path > "/inApps/v1/subscriptions/\(originals[229])"
            return isLate && isDown.withLock { $0 } ? .answer(401, []) : good(arrival)
        }
        try await FakeStore.serving(script) { store in
            try await Stage.playing(
                store.url,
                voice: voice,
                directory: scratch.path,
                book: book,
                clock: clock
            ) { stage in
                #expect(await stage.reconciler.sweepOnce() == false)
                let cursor = stage.reconciler.marks.marks.sweep?.cursor
                #expect(cursor?.originalID == originals[199])
            }
            let before = store.arrivals.count
            isDown.withLock { $0 = false }
            try await Stage.playing(
                store.url,
                voice: voice,
                directory: scratch.path,
                book: book,
                clock: clock
            ) { stage in
                #expect(await stage.reconciler.sweepOnce() == true)
                #expect(store.arrivals.count - before == 150)
                #expect(book.subscriptions.values.allSatisfy { $0.transactions.count == 2 })
            }
        }
    }

    @Test func `one strange subscription does not stop the sweep`() async throws {
        let voice = try StoreVoice()
        let originals = Self.originals(5)
        let book = try Self.book(voice, originals)
        let good = Self.renewed(voice)
        let stranger = try StoreVoice()
        let clock = HandClock(at: StoreVoice.lateInFirstPeriod)
        let script: FakeStore.Script = { arrival in
            switch arrival.path.suffix(1) {
            case "0": .error(404, 4_040_010)
            case "1": .error(400, 4_000_008)
            case "2": .answer(200, Array("{}".utf8))
            case "3": Self.renewed(stranger)(arrival)
            default: good(arrival)
            }
        }
        try await FakeStore.serving(script) { store in
            try await Stage.playing(store.url, voice: voice, book: book, clock: clock) { stage in
                #expect(await stage.reconciler.sweepOnce() == true)
                let sweep = try #require(stage.reconciler.progress.sweep)
                #expect(sweep.asked == 5)
                #expect(sweep.applied == 1)
                #expect(sweep.unknown == 1)
                #expect(sweep.refused == 3)
                #expect(book.subscriptions.values.count { $0.transactions.count == 2 } == 1)
            }
        }
    }

    @Test func `a document listed under another's id is refused`() async throws {
        let voice = try StoreVoice()
        let book = try Self.book(voice, ["200000"])
        let script: FakeStore.Script = { _ in
            let other = StoreVoice.Period("999999")
            let item: JSONObject = [
                "originalTransactionId": "200000",
                "signedTransactionInfo": .string((try? voice.transaction(other)) ?? ""),
            ]
            return .json(["data": [["lastTransactions": [.object(item)]]]])
        }
        try await FakeStore.serving(script) { store in
            try await Stage.playing(store.url, voice: voice, book: book) { stage in
                #expect(await stage.reconciler.sweepOnce() == true)
                #expect(stage.reconciler.progress.sweep?.refused == 1)
                #expect(book.subscriptions.count == 1)
            }
        }
    }

    @Test func `a silent subscription is asked about by itself, and not again too soon`()
        async throws
    {
        let voice = try StoreVoice()
        let book = try Self.book(voice, ["200000", "200001"])
        var off = StoreVoice.Period("200002")
        off.renews = false
        book.put([try voice.fact(off)])
        let end = StoreVoice.Period("200000").until
        let clock = HandClock(at: end.advanced(byMilliseconds: 3_600_000 - 1))
        let good = Self.renewed(voice)
        let script: FakeStore.Script = { arrival in
            arrival.path.hasSuffix("0") ? good(arrival) : .json(["data": []])
        }
        try await FakeStore.serving(script) { store in
            try await Stage.playing(store.url, voice: voice, book: book, clock: clock) { stage in
                let scan = RenewalScan(
                    inquiry: stage.reconciler.inquiry,
                    clock: clock.clock,
                    beforeMilliseconds: 0,
                    silenceMilliseconds: 3_600_000
                )
                var memory = RenewalMemory()
                #expect(await scan.run(&memory) == RenewalScan.Report())
                clock.advance(1)
                let first = await scan.run(&memory)
                #expect(first == RenewalScan.Report(missed: 2, asked: 2, applied: 1))
                #expect(store.arrivals.count == 2)
                // The one that said nothing rests for one pause, then two, then four.
                var asked: [Int] = []
                for _ in 0..<8 {
                    clock.advance(3_600_000)
                    let report = await scan.run(&memory)
                    #expect(report.missed == 0)
                    asked.append(report.asked)
                }
                #expect(asked == [1, 0, 1, 0, 0, 0, 1, 0])
            }
        }
    }

    @Test func `a silent subscription that could not be asked about does not rest`() async throws {
        let voice = try StoreVoice()
        let book = try Self.book(voice, ["200000"])
        let clock = HandClock(at: StoreVoice.Period("200000").until)
        clock.advance(3_600_000)
        let replies = Replies(.answer(401, []), .json(["data": []]))
        try await FakeStore.serving(replies) { store in
            try await Stage.playing(store.url, voice: voice, book: book, clock: clock) { stage in
                let scan = RenewalScan(
                    inquiry: stage.reconciler.inquiry,
                    clock: clock.clock,
                    beforeMilliseconds: 0,
                    silenceMilliseconds: 3_600_000
                )
                var memory = RenewalMemory()
                let first = await scan.run(&memory)
                #expect(first.missed == 1)
                #expect(first.detail != nil)
                let second = await scan.run(&memory)
                #expect(second == RenewalScan.Report(missed: 0, asked: 1))
            }
        }
    }

    @Test func `a renewal that was not heard is asked about before the end, and soon after it`()
        async throws
    {
        let voice = try StoreVoice()
        let book = try Self.book(voice, ["200000"])
        var off = StoreVoice.Period("200002")
        off.renews = false
        book.put([try voice.fact(off)])
        let end = StoreVoice.Period("200000").until
        // As far before the first question as a scan looks, and one more.
        let reach = ReconcilerLimits.scanMilliseconds
        let clock = HandClock(at: end.advanced(byMilliseconds: -600_000 - reach - 1))
        let nothing: FakeStore.Script = { _ in .json(["data": []]) }
        try await FakeStore.serving(nothing) { store in
            try await Stage.playing(store.url, voice: voice, book: book, clock: clock) { stage in
                let scan = RenewalScan(
                    inquiry: stage.reconciler.inquiry,
                    clock: clock.clock,
                    beforeMilliseconds: 600_000,
                    silenceMilliseconds: 60_000
                )
                var memory = RenewalMemory()
                #expect(await scan.run(&memory) == RenewalScan.Report())
                #expect(memory.due(of: StoreVoice.Period("200000").key) == nil)
                clock.advance(1)
                #expect(await scan.run(&memory) == RenewalScan.Report())
                #expect(memory.due(of: StoreVoice.Period("200000").key) == end)
                // Seconds from the end, at each question.
                var asked: [Int64] = []
                var missed = 0
                for _ in 0..<2_400 {
                    clock.advance(1_000)
                    let report = await scan.ask(&memory)
                    missed += report.missed
                    guard report.asked > 0 else { continue }
                    asked.append((clock.now.milliseconds - end.milliseconds) / 1_000)
                }
                #expect(asked == [-600, -300, -150, -75, -37, 60, 120, 240, 480])
                #expect(missed == 1)
            }
        }
    }

    @Test func `a renewal that was heard meanwhile is not asked about`() async throws {
        let voice = try StoreVoice()
        let book = try Self.book(voice, ["200000"])
        let end = StoreVoice.Period("200000").until
        let clock = HandClock(at: end.advanced(byMilliseconds: -600_001))
        let good = Self.renewed(voice)
        try await FakeStore.serving(good) { store in
            try await Stage.playing(store.url, voice: voice, book: book, clock: clock) { stage in
                let scan = RenewalScan(
                    inquiry: stage.reconciler.inquiry,
                    clock: clock.clock,
                    beforeMilliseconds: 600_000,
                    silenceMilliseconds: 60_000
                )
                var memory = RenewalMemory()
                #expect(await scan.run(&memory) == RenewalScan.Report())
                clock.advance(1)
                let found = await scan.ask(&memory)
                #expect(found == RenewalScan.Report(missed: 0, asked: 1, applied: 1))
                for _ in 0..<100 {
                    clock.advance(10_000)
                    #expect(await scan.ask(&memory) == RenewalScan.Report())
                }
                #expect(store.arrivals.count == 1)
            }
        }
    }

    @Test func `few of those that were due long ago are noted, and no other one goes for them`() {
        var memory = RenewalMemory()
        let (soon, bound) = (StoreVoice.Period("7").key, ReconcilerLimits.longSilentRememberedMax)
        let late = (0..<bound + 5).map { StoreVoice.Period("\(1_000 + $0)").key }
        memory.expect(soon, due: Moment(9), at: 9)
        for key in late { memory.expect(key, due: Moment(0), at: 0, isLongAgo: true) }
        #expect(memory.due(of: soon) == Moment(9))
        #expect(memory.turns(at: 0).count == bound)
        // One that has been answered makes room for another.
        memory.forget(late[0])
        for key in late.suffix(2) { memory.expect(key, due: Moment(0), at: 0, isLongAgo: true) }
        #expect(memory.turns(at: 0).count == bound)
        #expect(memory.due(of: late[bound + 3]) != nil && memory.due(of: late[bound + 4]) == nil)
    }

    @Test func `the memory of renewals is bounded`() {
        var memory = RenewalMemory()
        func isNew(_ number: Int) -> Bool {
            let key = StoreVoice.Period("\(number)").key
            defer { memory.expect(key, due: Moment(0), at: 0) }
            return memory.due(of: key) == nil
        }
        let bound = ReconcilerLimits.silentRememberedMax
        let news = (0..<bound).count { isNew($0) }
        #expect(news == bound)
        // One more, and all but that one are forgotten.
        let found = [isNew(0), isNew(bound), isNew(0), isNew(bound)]
        #expect(found == [false, true, true, false])
    }
}
