import JSON
import Synchronization
import TestSupport
import Testing

@testable import EntitlementsClient

@Suite(.timeLimit(.minutes(5))) struct WatchTests {
    private func client(_ daemon: FakeDaemon) throws -> EntitlementsClient {
        try EntitlementsClient(socketPath: daemon.path, writeTimeout: .seconds(120))
    }

    private static func change(_ seq: Int64, _ user: String = "alice") -> JSONValue {
        FakeDaemon.notification(
            "entitlementChanged",
            [
                "seq": .integer(seq), "userId": .string(user), "cause": "notification",
                "status": Samples.status,
            ]
        )
    }

    private static func event(_ seq: Int64) -> JSONValue {
        FakeDaemon.notification(
            "storeEvent",
            [
                "seq": .integer(seq), "userId": "alice", "store": "app_store",
                "type": "PRICE_INCREASE", "subtype": "PENDING", "productId": "paid.monthly",
                "transactionId": "2", "originalTransactionId": "1", "environment": "Sandbox",
                "purchasedAt": "2026-02-15T10:00:00.000Z", "price": 9_990, "currency": "EUR",
            ]
        )
    }

    @Test func `what a store says is a typed event, whose absent members are nil`() async throws {
        let daemon = try FakeDaemon { _, _ in
            .watched(4, [Self.event(5), Self.heartbeat(5)], thenHangsUp: false)
        }
        let events = try await events(2, of: client(daemon).watch(["alice"], fromSeq: 2))
        guard case .storeEvent(let event) = events.first else {
            Issue.record("no event but \(events)")
            return
        }
        #expect(event.seq == 5 && event.type == "PRICE_INCREASE" && event.subtype == "PENDING")
        #expect(event.transactionID == "2" && event.originalTransactionID == "1")
        #expect(event.price == 9_990 && event.currency == "EUR")
        #expect(event.expiresAt == nil && event.revokedAt == nil && !event.isCoalesced)
    }

    private static func heartbeat(_ seq: Int64) -> JSONValue {
        FakeDaemon.notification("heartbeat", ["seq": .integer(seq)])
    }

    /// The positions of the first `count` events.
    private func events(
        _ count: Int,
        of watch: EntitlementWatch
    ) async throws(ClientError) -> [WatchEvent] {
        var events: [WatchEvent] = []
        for try await event in watch {
            events.append(event)
            if events.count == count { break }
        }
        return events
    }

    @Test func `every notification is a typed event`() async throws {
        let daemon = try FakeDaemon { _, _ in
            .watched(
                4,
                [
                    Self.change(5), FakeDaemon.notification("somethingNew", ["seq": 6]),
                    FakeDaemon.notification("catalogChanged", ["seq": 7, "version": 3]),
                    Self.heartbeat(7), FakeDaemon.notification("resync", ["oldest": 9]),
                ],
                thenHangsUp: false
            )
        }
        let events = try await events(4, of: client(daemon).watch(["alice"], fromSeq: 2))
        guard case .entitlementChanged(let change) = events.first else {
            Issue.record("no change but \(events)")
            return
        }
        #expect(change.seq == 5)
        #expect(change.userID == "alice")
        #expect(change.cause == .notification)
        #expect(change.status.state == .subscribed)
        #expect(!change.isCoalesced)
        #expect(
            Array(events.dropFirst()) == [
                .catalogChanged(version: 3, seq: 7), .heartbeat(seq: 7), .resync(oldest: 9),
            ]
        )
        #expect(
            daemon.requests == [
                .init(method: "watch", params: ["userIds": ["alice"], "fromSeq": 2])
            ]
        )
    }

    @Test func `a lost connection is made again and the watch goes on where it was`() async throws {
        let daemon = try FakeDaemon { _, connection in
            switch connection {
            case 1: .watched(4, [Self.change(5), Self.change(6)], thenHangsUp: true)
            case 2: .hangUp
            case 3:
                .error(Samples.error(-32002, "not_ready", retryable: true))
            default:
                .watched(
                    8,
                    [Self.change(6), Self.change(6, "bob"), Self.heartbeat(8)],
                    thenHangsUp: false
                )
            }
        }
        let events = try await events(4, of: client(daemon).watch())
        let changes = events.map { event -> String in
            switch event {
            case .entitlementChanged(let change): "\(change.seq) \(change.userID)"
            case .heartbeat(let seq): "\(seq)"
            case .storeEvent, .catalogChanged, .resync: "unexpected"
            }
        }
        #expect(changes == ["5 alice", "6 alice", "6 bob", "8"])
        #expect(
            daemon.requests.map(\.params) == [[:], ["fromSeq": 5], ["fromSeq": 5], ["fromSeq": 5]]
        )
    }

    @Test func `nobody at the socket the first time is an error`() async throws {
        let watch = try EntitlementsClient(socketPath: "/tmp/entitld-nobody-here").watch()
        let error = await #expect(throws: ClientError.self) { try await events(1, of: watch) }
        #expect(error?.name == "unreachable")
    }

    @Test func `an error that no repetition cures ends the watch after what was told`() async throws
    {
        let daemon = try FakeDaemon { _, connection in
            connection == 1
                ? .watched(4, [Self.change(5)], thenHangsUp: true)
                : .error(Samples.error(-32001, "permission_denied"))
        }
        var iterator = try client(daemon).watch().makeAsyncIterator()
        #expect(try await iterator.next() != nil)
        let error = await #expect(throws: ClientError.self) { _ = try await iterator.next() }
        #expect(error?.name == "permission_denied")
        #expect(try await iterator.next() == nil)
    }

    @Test func `an event without a documented member ends the watch`() async throws {
        let daemon = try FakeDaemon { _, _ in
            .watched(4, [FakeDaemon.notification("heartbeat", [:])], thenHangsUp: false)
        }
        let watch = try client(daemon).watch()
        let error = await #expect(throws: ClientError.self) { try await events(1, of: watch) }
        #expect(error?.name == "malformed_reply")
    }

    @Test func `a cancelled task ends its watch`() async throws {
        let daemon = try FakeDaemon { _, _ in .watched(4, [], thenHangsUp: false) }
        let watch = try client(daemon).watch()
        let task = Task { try await events(1, of: watch) }
        while daemon.requests.isEmpty, !Task.isCancelled { await Task.yield() }
        task.cancel()
        #expect(try await task.value == [])
    }

    @Test func `a dropped iterator ends its connection`() async throws {
        let daemon = try FakeDaemon { _, _ in .watched(4, [Self.heartbeat(4)], thenHangsUp: false) }
        #expect(try await events(1, of: client(daemon).watch()) == [.heartbeat(seq: 4)])
        while daemon.openConnectionCount > 0, !Task.isCancelled { await Task.yield() }
        #expect(daemon.connectionCount == 1)
    }

    @Test func `a slow task gets everything in order, past what may wait`() async throws {
        let count = ClientLimits.watchEventsMax * 4
        let daemon = try FakeDaemon { _, _ in
            .watched(0, (1...count).map { Self.heartbeat(Int64($0)) }, thenHangsUp: false)
        }
        var iterator = try client(daemon).watch().makeAsyncIterator()
        for seq in 1...count {
            if seq % 100 == 1 { for _ in 0..<100 { await Task.yield() } }
            #expect(try await iterator.next() == .heartbeat(seq: Int64(seq)))
        }
    }
}
