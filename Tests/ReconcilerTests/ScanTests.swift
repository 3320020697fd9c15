import Entitlements
import NIOHTTP1
import Synchronization
import TestSupport
import Testing

@testable import Reconciler

/// What is asked because of what is in the book: messages whose store did not answer, and purchases
/// of which it still wants to hear.
struct ScanTests {
    private static var clock: HandClock { HandClock(at: StoreVoice.start) }

    /// An inquiry about the toy store, whose server answers `script`, for as long as `body` takes.
    private func playing(
        _ script: @escaping FakeStore.Script,
        book: MemoryBook,
        _ body: (Inquiry, FakeStore) async throws -> Void
    ) async throws {
        try await FakeStore.serving(script) { store in
            try await ToyStore.playing(store.url, book: book) { reconciler, _ in
                try await body(reconciler.inquiry, store)
            }
        }
    }

    /// What a server answers to everything but the question for a credential.
    private static func script(_ status: @escaping @Sendable () -> Int) -> FakeStore.Script {
        { arrival in
            arrival.path == "/token" ? .answer(200, Array("t".utf8)) : .answer(status(), [])
        }
    }

    private static func announced(_ token: String, number: UInt64) -> Notification {
        Notification(
            id: NotificationID(signed: StoreVoice.start, digest: Digest256(0, 0, 0, number)),
            type: "4",
            subtype: "",
            document: Digest256(0, 0, 1, number),
            facts: [],
            announcement: StoreAnnouncement(.googlePlay, .purchaseToken(token))
        )
    }

    @Test func `what was announced is asked about until there is an answer`() async throws {
        let book = MemoryBook()
        book.announce(
            zip(1..., ["a", "b", "c"]).map { Self.announced($1, number: $0) }
        )
        let status = Mutex(503)
        try await playing(Self.script { status.withLock { $0 } }, book: book) { inquiry, store in
            let scan = AnnouncementScan(inquiry: inquiry, clock: Self.clock.clock)
            var retries = Retries<NotificationID>()
            let early = await scan.run(&retries)
            #expect(early.asked == 0 && early.detail != nil)
            #expect(book.notificationsCount == 0 && book.subscriptions.isEmpty)
            #expect(store.paths.contains("/subs/b"), "one failure may be the purchase's own")
            #expect(!store.paths.contains("/subs/c"), "two are the store's")
            status.withLock { $0 = 200 }
            let late = await scan.run(&retries)
            #expect(late == AnnouncementScan.Report(asked: 3, applied: 3, detail: nil))
            #expect(Set(book.subscriptions.keys) == Set(["a", "b", "c"].map { ToyStore.key($0) }))
            #expect(await scan.run(&retries) == AnnouncementScan.Report())
        }
    }

    @Test func `an answer that cannot be read is asked for again, and holds up no other`()
        async throws
    {
        let book = MemoryBook()
        book.announce([Self.announced("a", number: 1), Self.announced("b", number: 2)])
        let script: FakeStore.Script = { arrival in
            .answer(200, Array((arrival.path == "/subs/a" ? ToyStore.unreadable : "t").utf8))
        }
        try await playing(script, book: book) { inquiry, _ in
            var retries = Retries<NotificationID>()
            let scan = AnnouncementScan(inquiry: inquiry, clock: Self.clock.clock)
            let found = await scan.run(&retries)
            #expect(found.asked == 1 && found.applied == 1 && found.detail != nil)
            #expect(Set(book.subscriptions.keys) == [ToyStore.key("b")])
            let left = try await book.announced(by: .googlePlay)
            #expect(left.map(\.notification.id) == [Self.announced("a", number: 1).id])
        }
    }

    @Test func `what the key may not ask yet waits, and holds up no other`() async throws {
        let book = MemoryBook()
        book.announce([Self.announced("a", number: 1), Self.announced("b", number: 2)])
        let script: FakeStore.Script = { arrival in
            .answer(arrival.path == "/subs/a" ? 402 : 200, Array("t".utf8))
        }
        try await playing(script, book: book) { inquiry, _ in
            var retries = Retries<NotificationID>()
            let scan = AnnouncementScan(inquiry: inquiry, clock: Self.clock.clock)
            let found = await scan.run(&retries)
            #expect(found.asked == 1 && found.applied == 1 && found.detail != nil)
            let left = try await book.announced(by: .googlePlay)
            #expect(left.map(\.notification.id) == [Self.announced("a", number: 1).id])
        }
    }

    @Test func `what the store does not know yet is asked about until it does`() async throws {
        let book = MemoryBook()
        book.announce([Self.announced("a", number: 1), Self.announced("b", number: 2)])
        let knows = Mutex(false)
        let script: FakeStore.Script = { arrival in
            let isKnown = !arrival.path.hasSuffix("/a") || knows.withLock { $0 }
            return .answer(isKnown ? 200 : 404, Array("t".utf8))
        }
        try await playing(script, book: book) { inquiry, _ in
            let hands = Self.clock
            let scan = AnnouncementScan(inquiry: inquiry, clock: hands.clock)
            var retries = Retries<NotificationID>()
            // The store has answered: others are asked about, and nothing is wrong with it.
            let early = await scan.run(&retries)
            #expect(early == AnnouncementScan.Report(asked: 1, applied: 1, detail: nil))
            let left = try await book.announced(by: .googlePlay)
            #expect(left.count == 1)
            knows.withLock { $0 = true }
            hands.advance(ReconcilerLimits.unknownMilliseconds - 1)
            let late = await scan.run(&retries)
            #expect(late == AnnouncementScan.Report(asked: 1, applied: 1, detail: nil))
            #expect(Set(book.subscriptions.keys) == Set(["a", "b"].map { ToyStore.key($0) }))
        }
    }

    @Test(arguments: [1, -1] as [Int64])
    func `what the store does not know for an hour waits no longer`(way: Int64) async throws {
        let book = MemoryBook()
        book.announce([Self.announced("a", number: 1)])
        try await playing(Self.script { 404 }, book: book) { inquiry, _ in
            let hands = Self.clock
            let scan = AnnouncementScan(inquiry: inquiry, clock: hands.clock)
            var retries = Retries<NotificationID>()
            #expect(await scan.run(&retries) == AnnouncementScan.Report())
            #expect(book.notificationsCount == 0)
            // Also by a clock that was set back, after which nothing rests.
            hands.advance(way * ReconcilerLimits.unknownMilliseconds)
            retries = Retries()
            let found = await scan.run(&retries)
            #expect(found == AnnouncementScan.Report(asked: 1, applied: 0, detail: nil))
            #expect(book.notificationsCount == 1 && book.subscriptions.isEmpty)
            #expect(await scan.run(&retries) == AnnouncementScan.Report())
        }
    }

    @Test func `two purchases about which the store never answers hold up no other`() async throws {
        let book = MemoryBook()
        let names = ["x", "x", "y", "good", "better"]
        book.announce(zip(1..., names).map { Self.announced($1, number: $0) })
        let script: FakeStore.Script = { arrival in
            let isBad = arrival.path.hasSuffix("/x") || arrival.path.hasSuffix("/y")
            return .answer(isBad ? 503 : 200, Array("t".utf8))
        }
        try await playing(script, book: book) { inquiry, _ in
            let scan = AnnouncementScan(inquiry: inquiry, clock: Self.clock.clock)
            var retries = Retries<NotificationID>()
            // Two messages about one purchase are not the store; one more about another is.
            #expect(await scan.run(&retries).asked == 0)
            #expect(await scan.run(&retries).asked == 2)
            let left = try await book.announced(by: .googlePlay)
            #expect(left.count == 3)
        }
    }

    @Test func `an acknowledgement that changes nothing is none, and rests`() async throws {
        let book = MemoryBook()
        book.put([ToyStore.fact(ToyStore.key("owned"), signed: StoreVoice.start)])
        book.own(ToyStore.key("owned"))
        try await playing(Self.script { 400 }, book: book) { inquiry, store in
            let clock = Self.clock
            let scan = AcknowledgementScan(inquiry: inquiry, clock: clock.clock)
            var retries = Retries<SubscriptionKey>()
            for _ in 0..<4 {
                let found = await scan.run(&retries)
                #expect(found.told == 0 && found.unheard.untold == 1)
                #expect(found.unheard.since == StoreVoice.start)
            }
            let asked = store.paths.count { $0.hasPrefix("/heard/") }
            #expect(asked == 2, "the third waits")
        }
    }

    @Test func `purchases of which the store has not heard are counted, and why`() async throws {
        let book = MemoryBook()
        let keys = ["owned", "nobodys"].map { ToyStore.key($0) }
        book.put(keys.map { ToyStore.fact($0, signed: StoreVoice.start) })
        book.own(keys[0])
        let status = Mutex(503)
        try await playing(Self.script { status.withLock { $0 } }, book: book) { inquiry, store in
            let clock = Self.clock
            let scan = AcknowledgementScan(inquiry: inquiry, clock: clock.clock)
            var retries = Retries<SubscriptionKey>()
            let early = await scan.run(&retries)
            #expect(early.told == 0 && early.detail != nil)
            #expect(early.unheard.untold == 1 && early.unheard.since == StoreVoice.start)
            status.withLock { $0 = 403 }
            let refused = await scan.run(&retries)
            #expect(refused.refused == 1 && refused.unheard.untold == 1)
            #expect(refused.refusal != nil)
            status.withLock { $0 = 200 }
            // It was refused twice, and rests; it is counted all the same.
            let resting = await scan.run(&retries)
            #expect(resting.told == 0 && resting.unheard.untold == 1)
            clock.advance(10_000)
            let late = await scan.run(&retries)
            #expect(late.told == 1 && late.refused == 0 && late.detail == nil)
            #expect(late.unheard.untold == 0 && late.unheard.unclaimed == 1)
            #expect(!store.paths.contains("/heard/nobodys"))
        }
    }
}
