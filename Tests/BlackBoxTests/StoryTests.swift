import Foundation
import Glibc
import JSON
import Testing

/// The main job over real sockets and real HTTP: a signed notification changes what is answered.
struct StoryTests {
    private func started(
        catalog: String = DaemonUnderTest.plainCatalog,
        more: String = ""
    ) throws -> (DaemonUnderTest, StoreVoice) {
        let daemon = try DaemonUnderTest(catalog: catalog, more: more)
        try daemon.start()
        return (daemon, StoreVoice(authority: daemon.authority, port: daemon.port))
    }

    private func canRender(_ daemon: DaemonUnderTest, _ user: String) throws -> JSONValue {
        try daemon.ask("canRender", ["userId": .string(user)])
    }

    @Test func `buying, cancelling, refunding and subscribing again change canRender`() throws {
        let (daemon, voice) = try started()
        let account = try daemon.ask("registerAccount", ["userId": "anna"])
        var words = StoreVoice.Words()
        words.token = account["appAccountToken"]?.string
        #expect(try canRender(daemon, "anna")["via"] == "credits")
        #expect(try voice.tell(words) == (200, "applied"))
        #expect(try canRender(daemon, "anna")["via"] == "subscription")
        #expect(try voice.tell(words) == (200, "duplicate"))
        words.uuid = UUID().uuidString
        var cancel = words
        cancel.uuid = UUID().uuidString
        cancel.type = "DID_CHANGE_RENEWAL_STATUS"
        cancel.subtype = "AUTO_RENEW_DISABLED"
        cancel.autoRenew = 0
        cancel.signed += 5
        #expect(try voice.tell(cancel) == (200, "applied"))
        let status = try daemon.ask("getStatus", ["userId": "anna"])
        #expect(status["subscription"]?["status"] == "cancelled")
        #expect(status["canRender"] == true)
        var refund = cancel
        refund.uuid = UUID().uuidString
        refund.type = "REFUND"
        refund.subtype = nil
        refund.signed += 5
        refund.status = 5
        refund.revoked = refund.signed
        #expect(try voice.tell(refund) == (200, "applied"))
        let after = try daemon.ask("getStatus", ["userId": "anna"])
        #expect(after["subscription"]?["status"] == "revoked")
        #expect(after["paywall"] == "resubscribe")
        #expect(try canRender(daemon, "anna")["via"] == "credits")
        var late = words
        late.uuid = UUID().uuidString
        late.signed -= 60_000
        #expect(try voice.tell(late) == (200, "stale"))
        #expect(try canRender(daemon, "anna")["via"] == "credits")
    }

    @Test func `what nobody owns is kept and claimed when its token is registered`() throws {
        let (daemon, voice) = try started()
        var words = StoreVoice.Words()
        words.token = UUID().uuidString
        #expect(try voice.tell(words) == (200, "applied"))
        #expect(try canRender(daemon, "bert")["state"] == "no_account")
        let token = JSONValue.string(words.token?.lowercased() ?? "")
        let account = try daemon.ask(
            "registerAccount",
            ["userId": "bert", "appAccountToken": token]
        )
        #expect(account["created"] == true)
        #expect(try canRender(daemon, "bert")["via"] == "subscription")
        let other = try daemon.ask(
            "registerAccount",
            ["userId": "carl", "appAccountToken": token]
        )
        #expect(other["error"] == -32_021)
    }

    @Test func `the webhook answers as the contract says`() throws {
        let (daemon, voice) = try started()
        var foreign = StoreVoice.Words()
        foreign.bundle = "com.example.other"
        #expect(try voice.tell(foreign) == (401, "unauthorized"))
        var sandbox = StoreVoice.Words()
        sandbox.environment = "Sandbox"
        #expect(try voice.tell(sandbox) == (200, "ignored"))
        var xcode = StoreVoice.Words()
        xcode.environment = "Xcode"
        #expect(try voice.tell(xcode) == (401, "unauthorized"))
        var future = StoreVoice.Words()
        future.signed += 10 * 60_000
        #expect(try voice.tell(future).status == 503)
        #expect(try voice.post(Array("{}".utf8)) == (400, "malformed"))
        #expect(try voice.post(Array(#"{"signedPayload":"a.b"}"#.utf8)) == (400, "malformed"))
        #expect(try voice.post(Array(#"{"signedPayload":"a.b.c"}"#.utf8)).status == 401)
        #expect(try voice.post([], path: "/elsewhere").status == 404)
        let stranger = try DaemonUnderTest()
        let forged = StoreVoice(authority: stranger.authority, port: daemon.port)
        #expect(try forged.tell(StoreVoice.Words()) == (401, "unauthorized"))
        let stats = try daemon.ask("dump", ["table": "subscriptions"], asAdmin: true)
        #expect(stats["entries"] == .array([]))
    }

    @Test func `a purchase is verified, and another's is refused`() throws {
        let (daemon, voice) = try started()
        let signed = JSONValue.string(try voice.transaction(StoreVoice.Words()))
        let first = try daemon.ask(
            "verifyPurchase",
            ["userId": "dora", "signedTransaction": signed]
        )
        #expect(first["applied"] == true)
        #expect(first["entitlement"]?["isActive"] == true)
        let thief = try daemon.ask(
            "verifyPurchase",
            ["userId": "emil", "signedTransaction": signed]
        )
        #expect(thief["error"] == -32_021)
        let claim = try daemon.ask(
            "verifyPurchase",
            ["userId": "dora", "signedTransaction": signed, "productId": "other"]
        )
        #expect(claim["error"] == -32_022)
        let unsigned = try daemon.ask(
            "verifyPurchase",
            ["userId": "dora", "signedTransaction": #"{"transactionId":"1"}"#]
        )
        #expect(unsigned["error"] == -32_020)
        let wrong = JSONValue.string(try voice.notification(StoreVoice.Words()))
        let document = try daemon.ask(
            "verifyPurchase",
            ["userId": "dora", "signedTransaction": wrong]
        )
        #expect(document["error"] == -32_020)
    }

    @Test func `grants are keyed, admins alone give them, and a new catalog needs no restart`()
        throws
    {
        let (daemon, _) = try started()
        let order: JSONObject = ["userId": "fred", "plan": "paid", "idempotencyKey": "k1"]
        #expect(try daemon.ask("grantEntitlement", order)["error"] == -32_001)
        let first = try daemon.ask("grantEntitlement", order, asAdmin: true)
        #expect(first["replayed"] == false)
        let again = try daemon.ask("grantEntitlement", order, asAdmin: true)
        #expect(again["replayed"] == true)
        #expect(again["grant"] == first["grant"])
        var other = order
        other["reason"] = "another"
        #expect(try daemon.ask("grantEntitlement", other, asAdmin: true)["error"] == -32_023)
        #expect(try canRender(daemon, "fred")["via"] == "grant")
        try daemon.write("plans: { paid: { products: [x] } }\n", to: daemon.catalog)
        daemon.signal(SIGHUP)
        var answer = try canRender(daemon, "fred")
        for _ in 0..<200 where answer["canRender"] == true {
            usleep(50_000)
            answer = try canRender(daemon, "fred")
        }
        #expect(answer["canRender"] == false)
        #expect(answer["state"] == "subscribed")
        let grant = first["grant"] ?? .null
        let revoked = try daemon.ask(
            "revokeGrant",
            ["userId": "fred", "grant": grant],
            asAdmin: true
        )
        #expect(revoked["status"]?["state"] == "free_no_credits")
        let unknown = try daemon.ask(
            "revokeGrant",
            ["userId": "fred", "grant": grant],
            asAdmin: true
        )
        #expect(unknown["error"] == -32_024)
    }

    @Test func `the log holds no document, no token and no user`() throws {
        let (daemon, voice) = try started()
        let account = try daemon.ask("registerAccount", ["userId": "canary-user"])
        var words = StoreVoice.Words()
        words.token = account["appAccountToken"]?.string
        #expect(try voice.tell(words).status == 200)
        #expect(try voice.post(Array(#"{"signedPayload":"canary.b.c"}"#.utf8)).status == 401)
        #expect(daemon.stop().code == 0)
        let log = daemon.log
        #expect(log.contains("\"notification\""))
        #expect(!log.contains("canary"))
        #expect(!log.contains(words.token ?? "none"))
        #expect(!log.contains("eyJ"))
    }
}
