import Entitlements
import Glibc
import JSON
import Telemetry
import Testing
import Threads

@testable import Methods

/// What is said of a notification when as many wait as may.
struct NotificationQueueTests {
    /// Nobody's word is judged here.
    private struct DeafStore: Storefront {
        let profile = StoreProfile(
            .appStore,
            section: "deaf",
            webhook: StoreWebhook(paths: [], challenge: "", bodyBytesMax: 128 << 10),
            managementURL: nil
        )

        func verdict(on delivery: StoreDelivery, at now: Moment) -> NotificationVerdict {
            .refused(.signature, detail: "deaf")
        }

        func verdict(
            onPurchase document: [UInt8],
            renewal: [UInt8]?,
            at now: Moment
        ) -> PurchaseVerdict { .refused(.signature, detail: "deaf") }
    }

    private let service: MethodService

    init() throws {
        let stage = try Stage(startingAt: 1_750_000_000_000)
        service = try MethodService(
            Calls.all,
            ledger: stage.ledger,
            storefronts: [DeafStore()],
            settings: MethodSettings(tokenNamespace: "x", frameBytesMax: 1 << 20, version: ""),
            metrics: Metrics(version: "")
        )
    }

    /// Keeps all threads of a lane busy until `gate` is closed, and then takes all its places.
    private func fill(_ name: LaneName, until gate: BlockingQueue<Bool>) throws {
        let lane = service.lanes[name]
        let started = BlockingQueue<Bool>(countMax: name.bounds.workers)
        for _ in 0..<name.bounds.workers {
            let runs = lane.run(for: nil) { _ in
                _ = started.offer(true)
                _ = gate.take(1)
            }
            #expect(runs)
        }
        for _ in 0..<name.bounds.workers { _ = try #require(started.take(1, waiting: 20_000)) }
        while lane.run(for: nil, { _ in _ = gate.take(1) }) {}
    }

    @Test func `long notifications and those of usual length do not wait for each other`()
        async throws
    {
        defer { service.stop() }
        let short = Array(#"{"signedPayload":"a.b.c"}"#.utf8)
        let spaces = [UInt8](repeating: UInt8(ascii: " "), count: 48 << 10)
        func outcomes() async -> [NotificationOutcome] {
            var outcomes: [NotificationOutcome] = []
            for body in [short, short + spaces] {
                outcomes.append(
                    await service.record(StoreDelivery(body: body), from: .appStore).outcome
                )
            }
            return outcomes
        }
        #expect(await outcomes() == [.unauthorized, .unauthorized])
        let gate = BlockingQueue<Bool>(countMax: 1)
        try fill(.longWebhooks, until: gate)
        #expect(await outcomes() == [.unauthorized, .unavailable])
        gate.close()
        for _ in 0..<10_000 where service.lanes[.longWebhooks].depth > 0 { usleep(1_000) }
        let other = BlockingQueue<Bool>(countMax: 1)
        defer { other.close() }
        try fill(.webhooks, until: other)
        #expect(await outcomes() == [.unavailable, .unauthorized])
    }

    @Test func `what is no object is refused also when no worker has room`() async throws {
        defer { service.stop() }
        func outcome(_ body: String, of store: Store = .appStore) async -> NotificationOutcome {
            await service.record(StoreDelivery(body: Array(body.utf8)), from: store).outcome
        }
        let bodies = [
            "", " \n", "x", "[]", "null", "1", "\"a\"", "{", "}", "{} x", "x {}", "\u{FEFF}{}",
            "[{}]", "[{}",
        ]
        let objects = [
            #"{"signedPayload":"a.b.c"}"#, " \t\r\n{\"signedPayload\":\"a.b.c\"}\n ",
        ]
        for body in bodies {
            #expect(await outcome(body) == .malformed, "\(body)")
        }
        for body in objects {
            #expect(await outcome(body) == .unauthorized, "\(body)")
        }
        // Of a store that nobody here speaks for it is not known what is a notification.
        #expect(await outcome("x", of: .stripe) == .unavailable)
        let gate = BlockingQueue<Bool>(countMax: 1)
        defer { gate.close() }
        try fill(.webhooks, until: gate)
        for body in bodies {
            #expect(await outcome(body) == .malformed, "\(body)")
        }
        for body in objects {
            #expect(await outcome(body) == .unavailable, "\(body)")
        }
    }
}
