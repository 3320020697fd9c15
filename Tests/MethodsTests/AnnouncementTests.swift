import Entitlements
import JSON
import Synchronization
import Telemetry
import Testing

@testable import Methods

/// A notification that says only that something changed, and one that cannot be judged before the
/// store was asked.
final class AnnouncementTests {
    /// Knows its keys once it was asked for them; whatever comes then is genuine.
    private final class PushStore: Storefront {
        let profile = StoreProfile(
            .googlePlay,
            section: "push",
            webhook: StoreWebhook(paths: [], challenge: "", bodyBytesMax: 100),
            managementURL: nil
        )
        let knowsKeys = Mutex(false)

        func verdict(on delivery: StoreDelivery, at now: Moment) -> NotificationVerdict {
            guard knowsKeys.withLock({ $0 }) else { return .undecided(detail: "no keys") }
            let notification = Notification(
                id: NotificationID(
                    signed: Moment(Int64(delivery.body.count)),
                    digest: Digest256(0, 0, 0, 3)
                ),
                type: "PUSH",
                subtype: "",
                document: Digest256(0, 0, 0, 1),
                facts: []
            )
            return .announced(notification, .purchaseToken("token"))
        }
    }

    /// Answers what it is told to.
    private final class Server: StoreClient {
        let storefront: PushStore
        let answer = Mutex<Result<[Fact], StoreAPIFailure>>(.success([]))
        let hints = Mutex<[PurchaseHint]>([])
        let refusesKeys = Mutex(false)

        init(_ storefront: PushStore) { self.storefront = storefront }

        var store: Store { .googlePlay }
        var apps: [String] { [] }

        func purchase(
            _ hint: PurchaseHint,
            within milliseconds: Int64
        ) async throws(StoreAPIFailure) -> PurchaseAnswer {
            hints.withLock { $0.append(hint) }
            return .stated(try answer.withLock { $0 }.get())
        }

        func upkeep() async throws(StoreAPIFailure) {
            if refusesKeys.withLock({ $0 }) { throw StoreAPIFailure(.unreachable, "away") }
            storefront.knowsKeys.withLock { $0 = true }
        }

        func reconcile(_ keys: [SubscriptionKey]) async throws(StoreAPIFailure) -> Bool { false }
        func startRound() -> Bool { true }
        func testNotification(
            timeoutSeconds: Int
        ) async throws(StoreAPIFailure) -> TestNotificationResult {
            throw StoreAPIFailure(.refused, "none")
        }
        func signed(_ wish: OfferWish, nonce: Token, at now: Moment) -> SignedOffer? { nil }
        func signed(_ wish: EligibilityWish, nonce: Token, at now: Moment) -> String? { nil }
        func send(_ report: ConsumptionReport) async throws(StoreAPIFailure) {}
        func extend(
            _ wish: ExtensionWish
        ) async throws(StoreAPIFailure) -> RenewalExtension {
            throw StoreAPIFailure(.refused, "none")
        }
        func stats(kept: Int?) -> JSONObject { ["kept": kept.map { .integer(Int64($0)) } ?? .null] }
    }

    private let stage: Stage
    private let server: Server
    private let service: MethodService

    init() throws {
        stage = try Stage(startingAt: 1_750_000_000_000)
        let storefront = PushStore()
        server = Server(storefront)
        service = try MethodService(
            Calls.all,
            ledger: stage.ledger,
            storefronts: [storefront],
            storeClients: [server],
            settings: MethodSettings(tokenNamespace: "x", frameBytesMax: 1 << 20, version: ""),
            metrics: Metrics(version: "")
        )
        service.phase = .serving
    }

    deinit { service.stop() }

    private func outcome(_ body: String = "{}") async -> NotificationOutcome {
        let delivery = StoreDelivery(body: Array(body.utf8))
        return await service.record(delivery, from: .googlePlay).outcome
    }

    private static func fact() -> Fact {
        let key = SubscriptionKey(store: .googlePlay, environment: .sandbox, originalID: "token")
        let version = Version(signed: Moment(1_750_000_000_000), digest: Digest256(0, 0, 0, 2))
        var transaction = TransactionFact(
            id: "order",
            version: version,
            productID: "monthly",
            purchased: Moment(1_750_000_000_000)
        )
        transaction.expires = Moment(1_760_000_000_000)
        return Fact(key: key, transaction: transaction)
    }

    @Test func `a notification is kept with what the store says of it, once`() async throws {
        server.answer.withLock { $0 = .success([Self.fact()]) }
        #expect(await outcome() == .received(.applied))
        #expect(server.hints.withLock { $0 } == [.purchaseToken("token")])
        #expect(await outcome() == .received(.duplicate))
        #expect(await outcome("{ }") == .received(.stale))
    }

    @Test(arguments: [
        StoreAPIFailure.Kind.unreachable, .limited, .unauthorized, .malformed, .uncertain,
        .unknown,
    ])
    func `a store that does not answer need not send again: what to ask is kept`(
        kind: StoreAPIFailure.Kind
    ) async throws {
        server.answer.withLock { $0 = .failure(StoreAPIFailure(kind, "away")) }
        #expect(await outcome() == .accepted)
        #expect(try await service.announced(by: .googlePlay).count == 1)
        server.answer.withLock { $0 = .success([Self.fact()]) }
        #expect(await outcome() == .received(.applied))
    }

    @Test func `what the store refuses to tell says nothing, and comes no more`() async throws {
        server.answer.withLock { $0 = .failure(StoreAPIFailure(.refused, "none")) }
        #expect(await outcome() == .received(.ignored))
        #expect(await outcome() == .received(.duplicate))
    }

    @Test func `what cannot be judged without keys comes again`() async throws {
        server.refusesKeys.withLock { $0 = true }
        #expect(await outcome() == .unavailable)
        #expect(server.hints.withLock { $0 }.isEmpty)
        server.refusesKeys.withLock { $0 = false }
        #expect(await outcome() == .received(.ignored))
    }

    @Test func `a body that is too long for its store is malformed`() async throws {
        let long = "{" + String(repeating: " ", count: 99) + "}"
        #expect(await outcome(long) == .malformed)
    }

    @Test func `an errand of another store is refused, and says what is lacking`() throws {
        var asker = Asker(service)
        let response = try asker.call("testNotification")
        #expect(response["error"]?["data"]?["code"] == "invalid_params")
        #expect(response["error"]?["message"] == "No store that is known here does this.")
    }
}
