import EntitlementsClient
import Fixtures
import Foundation
import Glibc
import JSON
import TestSupport
import Testing

/// Non-renewing subscriptions and credits of paid periods, on a running daemon.
@Suite struct PassTests {
    private static let token = "0f2e4d6c-8b9a-4c3d-9e1f-aabbccddeeff"

    private static func catalog(_ product: String) -> String {
        """
        plans:
          paid: { products: [\(product), com.example.monthly], unlimited: [render],
                  creditsPerPeriod: 5 }
        """
    }

    private func page(_ path: String, _ port: UInt16) throws -> String {
        try HTTPExchange.request("GET", path, [], port: port).text
    }

    private func buy(_ id: String, _ daemon: TestDaemon) throws {
        let document = try daemon.voice.pack(
            id,
            of: Self.token,
            product: "com.example.pass",
            kind: "Non-Renewing Subscription"
        )
        let shown: JSONObject = [
            "userId": "alice", "signedTransaction": .string(document),
            "appAccountToken": .string(Self.token),
        ]
        _ = try daemon.call("verifyPurchase", shown)
    }

    private func subscriptions(_ daemon: TestDaemon) throws -> [JSONValue] {
        try daemon.call("getSubscriptions", ["userId": "alice"])["subscriptions"]?.array ?? []
    }

    @Test func `a pass without its days is told of, and one with them gives access`() throws {
        var setup = TestDaemon.Setup()
        setup.catalog = Self.catalog("com.example.pass")
        let port = try setup.servingMetrics()
        let daemon = try TestDaemon.started(setup)
        try buy("71", daemon)
        try buy("72", daemon)
        #expect(try daemon.status("alice")["isSubscriber"]?.bool == false)
        #expect(try subscriptions(daemon).isEmpty)
        let isCounted = try eventually {
            try page("/metrics", port).contains("entitld_undated_products_total 2")
        }
        #expect(isCounted)
        #expect(try page("/readyz?verbose", port).contains("com.example.pass"))
        #expect(daemon.log.split(separator: "\n").count { $0.contains("names no days") } == 1)
        // Nothing but the ledger knows of it, and each start under the same catalog says it again.
        try daemon.restart()
        #expect(try page("/readyz?verbose", port).contains("com.example.pass"))
        #expect(daemon.log.split(separator: "\n").count { $0.contains("names no days") } == 2)
        // So does a new catalog.
        try daemon.configure { $0.catalog = Self.catalog("com.example.pass") + "\nfreeCredits: 1" }
        daemon.child?.signal(SIGHUP)
        let isTold = eventually {
            daemon.log.split(separator: "\n").count { $0.contains("names no days") } == 3
        }
        #expect(isTold)

        try daemon.configure { $0.catalog = Self.catalog("{ id: com.example.pass, days: 30 }") }
        daemon.child?.signal(SIGHUP)
        let gives = try eventually { try daemon.status("alice")["isSubscriber"]?.bool == true }
        #expect(gives)
        #expect(try !page("/readyz?verbose", port).contains("com.example.pass"))
        let shown = try subscriptions(daemon)
        #expect(shown.count == 2)
        #expect(
            shown.allSatisfy { $0["givesAccess"]?.bool == true && $0["status"] == "subscribed" }
        )
        let status = try daemon.status("alice")
        #expect(status["hadSubscription"]?.bool == false)
        #expect(status["expiresAt"] == shown[0]["expiresAt"])
        #expect(shown[0]["expiresAt"] != shown[1]["expiresAt"])
        #expect(status["nextChangeAt"] == status["expiresAt"])
        let entitlement = try daemon.call("getEntitlement", ["userId": "alice"])["entitlement"]
        #expect(entitlement?["expiresAt"] == status["expiresAt"])
        let facts = try daemon.call("explain", ["userId": "alice"])["facts"]?.array ?? []
        #expect(facts.allSatisfy { $0["paidUntil"]?.string != nil && $0["dated"] == true })
        // Their credits came with the catalog that names their days.
        let isCredited = try eventually {
            try daemon.call("getCredits", ["userId": "alice"])["balance"]?.int64 == 10
        }
        #expect(isCredited)
        #expect(daemon.stop() == .exited(0))
        #expect(try daemon.run("verify").ending == .exited(0))
    }

    @Test func `the credits of a period are told of, exported and erased`() throws {
        var setup = TestDaemon.Setup()
        setup.catalog = Self.catalog("{ id: com.example.pass, days: 30 }")
        let daemon = try TestDaemon.started(setup)
        try buy("71", daemon)
        var life = StoreLife(token: Self.token)
        _ = try daemon.deliver(daemon.voice.notification("SUBSCRIBED", "INITIAL_BUY", about: life))
        life.renew()
        _ = try daemon.deliver(daemon.voice.notification("DID_RENEW", about: life))
        let credits = try daemon.call("getCredits", ["userId": "alice"])
        let sources = Set(credits["buckets"]?.array?.compactMap { $0["source"]?.string } ?? [])
        #expect(sources == ["period:com.example.pass", "period:com.example.monthly"])
        let explained = try daemon.call("explain", ["userId": "alice"])["credits"]
        #expect(explained?["buckets"]?.array?.isEmpty == false)
        let history = try daemon.call("getHistory", ["userId": "alice"])["events"]?.array ?? []
        let told = history.compactMap { $0["detail"] }.filter { $0["source"]?.string != nil }
        #expect(told.contains { $0["amount"] == 5 && $0["source"] == "period:com.example.pass" })
        let exported = try daemon.call("exportUser", ["userId": "alice"], admin: true)
        #expect("\(exported)".contains("period_credited"))
        _ = try daemon.call("eraseUser", ["userId": "alice"], admin: true)
        let rows = try daemon.call("dump", ["table": "packs"], admin: true)
        #expect(rows["entries"]?.array?.isEmpty == true)
        #expect(daemon.stop() == .exited(0))
        #expect(try daemon.run("verify").ending == .exited(0))
    }
}
