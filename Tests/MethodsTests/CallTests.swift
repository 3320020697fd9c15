import Entitlements
import JSON
import Ledger
import Telemetry
import Testing
import Wire

@testable import Methods

/// What follows from a method's value alone.
final class CallTests {
    private let stage: Stage
    private let service: MethodService
    private let metrics: Metrics

    /// A write for support that writes nothing.
    private static let toy = Call.answering("toy", for: .support, taking: ["echo"]) {
        (_, params) throws(RPCFailure) in
        ["echo": .string(try params.text("echo", bytesMax: 8))]
    }

    /// A store that has a page, and judges nothing.
    private struct Shop: Storefront {
        let profile: StoreProfile

        init(store: Store, managementURL: String?) {
            var profile = StoreProfile(
                store,
                section: "shop",
                webhook: StoreWebhook(paths: [], challenge: "", bodyBytesMax: 0),
                managementURL: managementURL
            )
            profile.platform = store == .appStore ? "ios" : "web"
            profile.documents = store == .appStore ? [.purchase, .receipt] : []
            self.profile = profile
        }

        func verdict(on delivery: StoreDelivery, at now: Moment) -> NotificationVerdict {
            .malformed
        }

        func verdict(
            onPurchase document: [UInt8],
            renewal: [UInt8]?,
            at now: Moment
        ) -> PurchaseVerdict { .refused(.signature, detail: "") }

        func sentence(on fault: DocumentFault, in document: ShownDocument) -> String? {
            fault == .signature ? "The shop's word." : nil
        }
    }

    init() throws {
        stage = try Stage(startingAt: 1_750_000_000_000)
        let calls = Calls.all + [Self.toy]
        metrics = Metrics(version: "", methods: calls.map(\.description))
        service = try MethodService(
            calls,
            ledger: stage.ledger,
            storefronts: [
                Shop(store: .stripe, managementURL: "https://example.com/bills"),
                Shop(store: .appStore, managementURL: nil),
            ],
            settings: MethodSettings(tokenNamespace: "x", frameBytesMax: 1 << 20, version: "1.2"),
            metrics: metrics
        )
    }

    deinit { service.stop() }

    private func error(_ response: JSONValue) -> String? {
        response["error"]?["data"]?["code"]?.string
    }

    private func answers(_ method: String, _ code: String) -> Int {
        metrics.rpcRequests.series(method, code).value
    }

    @Test func `no two methods have one name, and what is asked most is found first`() {
        #expect(Set(Calls.names).count == Calls.all.count)
        #expect(Calls.names.prefix(4) == ["canRender", "can", "getStatus", "consumeCredit"])
    }

    @Test func `a value is all that a method needs to be served, refused and counted`() throws {
        service.phase = .serving
        var asker = Asker(service)
        #expect(try asker.call("toy", ["echo": "hi"])["result"]?["echo"] == "hi")
        #expect(try error(asker.call("toy", ["ecco": "hi"])) == "invalid_params")
        var guest = Asker(service, role: .app)
        #expect(try error(guest.call("toy", ["echo": "hi"])) == "permission_denied")
        #expect(try error(asker.call("toys")) == "method_not_found")
        #expect(answers("toy", "ok") == 1 && answers("toy", "invalid_params") == 1)
        #expect(answers("toy", "permission_denied") == 1)
        #expect(answers("other", "method_not_found") == 1)
    }

    @Test func `canRender, which is called directly, is refused and counted like the others`()
        throws
    {
        var asker = Asker(service)
        #expect(try error(asker.call("canRender", ["userId": "a"])) == "not_ready")
        #expect(try asker.call("ping")["result"] == [:])
        service.phase = .serving
        #expect(try asker.call("canRender", ["userId": "a"])["result"] != nil)
        #expect(try error(asker.call("canRender")) == "invalid_params")
        #expect(answers("canRender", "ok") == 1 && answers("canRender", "not_ready") == 1)
        #expect(answers("canRender", "invalid_params") == 1 && answers("ping", "ok") == 1)
        let version = try asker.call("version")["result"]
        #expect(version == ["entitld": "1.2", "protocol": "1", "format": 1])
    }

    @Test func `a store speaks for itself: its page, and its words about a document`() throws {
        service.phase = .serving
        var asker = Asker(service)
        let pages: [(platform: JSONValue, page: JSONValue)] = [
            ("web", "https://example.com/bills"), ("ios", .null),
        ]
        for (platform, page) in pages {
            let parameters: JSONObject = ["userId": "a", "platform": platform]
            let response = try asker.call("getManagementURL", parameters)
            #expect(response["result"]?["url"] == page)
        }
        let unknown: JSONObject = ["userId": "a", "platform": "watch"]
        let other = try asker.call("getManagementURL", unknown)["error"]
        #expect(other?["message"]?.string?.contains("is web or ios") == true)
        let shown: JSONObject = ["userId": "a", "signedTransaction": "a.b.c"]
        let refusal = try asker.call("verifyPurchase", shown)["error"]
        #expect(refusal?["message"] == "The shop's word.")
        #expect(refusal?["data"]?["reason"] == "signature")
        let receipt: JSONObject = ["userId": "a", "receiptData": "MII="]
        let unread = try asker.call("verifyReceipt", receipt)["error"]
        #expect(unread?["message"] == "The text is not a receipt.")
    }
}
