import EntitlementsClient
import Fixtures
import Foundation
import Glibc
import JSON
import TestSupport
import Testing

/// SIGHUP changes catalog and log level without a restart; a mistake keeps everything.
@Suite struct ReloadTests {
    private func oneSubscriber(logLevel: String = "info") throws -> TestDaemon {
        var setup = TestDaemon.Setup()
        setup.logLevel = logLevel
        let daemon = try TestDaemon.started(setup)
        let account = try daemon.call("registerAccount", ["userId": "alice"])
        let life = StoreLife(token: account["appAccountToken"]?.string)
        let body = try daemon.voice.notification("SUBSCRIBED", "INITIAL_BUY", about: life)
        #expect(try daemon.deliver(body) == (200, "applied"))
        return daemon
    }

    private static let goldCatalog = """
        plans:
          gold: { rank: 3, tier: gold, products: [com.example.monthly],
                  limits: { storageBytes: 1 } }
        """

    @Test func `a changed catalog changes the plan without a restart`() throws {
        let daemon = try oneSubscriber()
        #expect(try daemon.status("alice")["plan"]?.string == "paid")
        let pid = daemon.child?.pid
        try daemon.configure { $0.catalog = Self.goldCatalog }
        daemon.child?.signal(SIGHUP)
        #expect(try eventually { try daemon.status("alice")["plan"]?.string == "gold" })
        let status = try daemon.status("alice")
        #expect(status["tier"]?.string == "gold")
        #expect(status["limits"] == ["storageBytes": 1])
        // The new plan does not name render among what is unlimited.
        #expect(status["canRender"]?.bool == false)
        #expect(status["isSubscriber"]?.bool == true)
        #expect(daemon.child?.pid == pid)
        try daemon.restart()
        #expect(try daemon.status("alice")["plan"]?.string == "gold")
        #expect(daemon.stop() == .exited(0))
        #expect(try daemon.run("verify").ending == .exited(0))
    }

    @Test func `a broken catalog keeps everything and the log says why`() throws {
        let daemon = try oneSubscriber()
        let before = try daemon.status("alice")
        let broken = ["plans: { paid: { rnak: 1 } }", "plans: [", "freeCredits: many"]
        for (count, catalog) in broken.enumerated() {
            try daemon.configure { $0.catalog = catalog }
            daemon.child?.signal(SIGHUP)
            let isRefused = eventually { Self.refusals(daemon.log).count == count + 1 }
            #expect(isRefused, "\(catalog)")
            #expect(try daemon.status("alice") == before, "\(catalog)")
        }
        let reasons = Self.refusals(daemon.log)
        #expect(reasons.first?.contains("rnak") == true)
        #expect(reasons.last?.contains("freeCredits") == true)
        try daemon.configure { $0.catalog = Self.goldCatalog }
        daemon.child?.signal(SIGHUP)
        #expect(try eventually { try daemon.status("alice")["plan"]?.string == "gold" })
    }

    @Test func `the log level changes, and ready is logged at every level`() throws {
        let daemon = try oneSubscriber(logLevel: "error")
        #expect(TestDaemon.event("ready", in: daemon.log) != nil)
        #expect(TestDaemon.event("Notification", in: daemon.log) == nil)
        try daemon.configure { $0.logLevel = "info" }
        daemon.child?.signal(SIGHUP)
        #expect(eventually { TestDaemon.event("Reloaded", in: daemon.log) != nil })
        let body = try daemon.voice.notification("DID_RENEW", about: StoreLife())
        #expect(try daemon.deliver(body) == (200, "applied"))
        let line = TestDaemon.event("Notification", in: daemon.log)
        #expect(line?["type"]?.string == "DID_RENEW")
        #expect(line?["result"]?.string == "applied")
    }

    @Test func `new rules of rpc.access hold at once, for who is connected, too`() throws {
        let daemon = try oneSubscriber()
        var held = try Connection(to: daemon.socket, timeout: .seconds(120))
        let asked: JSONObject = ["userId": "alice"]
        #expect(try held.call("registerAccount", asked)["created"] == false)
        try daemon.configure { $0.access = "[{ uid: \(getuid()), role: reader }]" }
        daemon.child?.signal(SIGHUP)
        #expect(try eventually { try daemon.refusal(of: "registerAccount", asked)?.code == -32001 })
        #expect(throws: (any Error).self) { try held.call("ping", [:]) }
        #expect(try daemon.canRender("alice")["canRender"] == true)
        try daemon.configure { $0.access = "[{ uid: \(getuid()), role: everything }]" }
        daemon.child?.signal(SIGHUP)
        #expect(eventually { Self.refusals(daemon.log).count == 1 })
        #expect(try daemon.refusal(of: "registerAccount", asked)?.code == -32001)
        try daemon.configure { $0.access = "[]" }
        daemon.child?.signal(SIGHUP)
        #expect(try eventually { try daemon.refusal(of: "registerAccount", asked) == nil })
    }

    private static func refusals(_ log: String) -> [Substring] {
        log.split(separator: "\n").filter { $0.contains("Nothing was reloaded") }
    }
}
