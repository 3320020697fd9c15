import Entitlements
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

    @Test func `what is no object is refused also when no worker has room`() async throws {
        let stage = try Stage(startingAt: 1_750_000_000_000)
        let service = try MethodService(
            Calls.all,
            ledger: stage.ledger,
            storefronts: [DeafStore()],
            settings: MethodSettings(tokenNamespace: "x", frameBytesMax: 1 << 20, version: ""),
            metrics: Metrics(version: "")
        )
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
        while service.lanes[.webhooks].run(for: nil, { _ in _ = gate.take(1) }) {}
        for body in bodies {
            #expect(await outcome(body) == .malformed, "\(body)")
        }
        for body in objects {
            #expect(await outcome(body) == .unavailable, "\(body)")
        }
    }
}
