import CertificateAuthority
import JSON
import Synchronization
import Testing

@testable import AppStoreSimulator

/// Customers who live by themselves, against a real server.
struct RunTests {
    static let settings = StoreSettings(time: StoreTime(monthMilliseconds: 200))

    static func customers(_ count: Int) -> [Subscriber] {
        var till = Till(settings)
        return (0..<count).map { Subscriber("u\($0)", token: Counter.token, at: &till) }
    }

    static func authority() throws -> SigningAuthority {
        let now = StoreTime.now()
        return try .mint(validFrom: now - 3_600_000, validUntil: now + 3_600_000)
    }

    @Test func `in fair weather all is delivered, once`() async throws {
        let server = try await TinyServer.start()
        let store = SimulatedStore(
            Self.settings,
            signedBy: try Self.authority(),
            Delivery(to: server.url, Self.settings)
        )
        let heard = Mutex(0)
        let outcome = try await store.run(Self.customers(20), months: 3, seed: 42) { _ in
            heard.withLock { $0 += 1 }
        }
        #expect(outcome.subscribers.map(\.name) == (0..<20).map { "u\($0)" })
        #expect(outcome.subscribers.allSatisfy { !$0.transactions.isEmpty })
        #expect(outcome.receipts.count >= 40)
        #expect(outcome.receipts.allSatisfy { $0.isDelivered && $0.attempts == 1 })
        #expect(outcome.delivered.count == outcome.receipts.count)
        #expect(server.arrivals.count == outcome.receipts.count)
        #expect(heard.withLock { $0 } == outcome.receipts.count)
        #expect(outcome.receipts.contains { $0.kind.type == "DID_RENEW" })
        #expect(outcome.receipts.allSatisfy { $0.status == 200 && $0.answer == "applied" })
        try await server.stop()
    }

    @Test func `in rough weather the receipts say what arrived and what did not`() async throws {
        let server = try await TinyServer.start(answering: Array(repeating: 500, count: 30))
        let weather = Weather(
            drop: 0.4,
            delay: 0.3,
            delayMax: 50,
            duplicate: 0.3,
            reorder: 0.3,
            seed: 3
        )
        let store = SimulatedStore(
            Self.settings,
            signedBy: try Self.authority(),
            Delivery(to: server.url, Self.settings),
            weather
        )
        let outcome = try await store.run(Self.customers(20), months: 3, seed: 42)
        let arrived = Set(
            server.arrivals.compactMap { arrival -> String? in
                guard let body = try? JSONValue.parse(arrival.body) else { return nil }
                return body["signedPayload"]?.string
            }
        )
        #expect(outcome.receipts.contains { $0.attempts > 1 })
        #expect(Set(outcome.receipts.map(\.uuid)).count == outcome.receipts.count)
        // Every one that was answered 200 is among what arrived; some arrived in vain.
        #expect(outcome.delivered.count <= arrived.count)
        #expect(server.arrivals.count > outcome.delivered.count)
        try await server.stop()
    }

    @Test func `the same seed makes the same customers want the same`() {
        func wants(_ seed: UInt64) -> [[StoreAction]] {
            (UInt64(0)..<30)
                .map { number in
                    var plan = LifePlan(seed: seed, number: UInt64(number), months: 6)
                    var till = Till(Self.settings, now: Counter.start)
                    var customer = Subscriber("u", at: &till)
                    var actions: [StoreAction] = []
                    while let step = plan.next(for: customer, Self.settings, now: till.now) {
                        till.now = max(till.now, step.moment)
                        actions.append(step.action)
                        _ = try? customer.perform(step.action, step.words, &till)
                    }
                    return actions
                }
        }
        let first = wants(1)
        #expect(first == wants(1))
        #expect(first != wants(2))
        let all = Set(first.joined())
        #expect(all.isSuperset(of: [.subscribe, .renew, .cancel, .expire, .failToRenew, .recover]))
    }

    @Test func `a rate is an upper bound`() async throws {
        let server = try await TinyServer.start()
        let store = SimulatedStore(
            Self.settings,
            signedBy: try Self.authority(),
            Delivery(to: server.url, Self.settings)
        )
        let start = ContinuousClock.now
        let outcome = try await store.run(
            Self.customers(10),
            months: 1,
            seed: 5,
            perSecondMax: 20
        )
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        #expect(Double(outcome.receipts.count - 1) / 20 <= seconds)
        try await server.stop()
    }
}
