import Fixtures
import Foundation
import Glibc
import JSON
import TestSupport
import Testing

/// Purchases that were made before the catalog named their product.
@Suite struct CatalogReviewTests {
    private let token = "0f2e4d6c-8b9a-4c3d-9e1f-aabbccddeeff"
    private static let plain = "freeCredits: 0"
    private static let packed = "creditPacks: { com.example.pack: 10 }"

    private func reviews(_ port: UInt16) throws -> Int? {
        let page = try HTTPExchange.request("GET", "/metrics", [], port: port).text
        return page.split(separator: "\n").first { $0.hasPrefix("entitld_catalog_reviews_total ") }
            .flatMap { Int($0.split(separator: " ").last ?? "") }
    }

    private func balance(_ daemon: TestDaemon) throws -> Int64? {
        try daemon.call("getCredits", ["userId": "alice"])["balance"]?.int64
    }

    private func buy(_ id: String, _ daemon: TestDaemon) throws {
        let document = try daemon.voice.pack(id, of: token)
        let shown: JSONObject = ["userId": "alice", "signedTransaction": .string(document)]
        _ = try daemon.call("verifyPurchase", shown)
    }

    private func reload(_ daemon: TestDaemon, _ catalog: String) throws {
        try daemon.configure { $0.catalog = catalog }
        try daemon.reload()
    }

    @Test func `a new catalog is held against earlier purchases once`() throws {
        var setup = TestDaemon.Setup()
        setup.catalog = Self.plain
        let port = try setup.servingMetrics()
        let daemon = try TestDaemon.started(setup)
        let named: JSONObject = ["userId": "alice", "appAccountToken": .string(token)]
        _ = try daemon.call("registerAccount", named)
        try buy("7", daemon)
        #expect(try balance(daemon) == 0)
        #expect(try reviews(port) == 1)

        try reload(daemon, Self.packed)
        #expect(try eventually { try balance(daemon) == 10 })
        #expect(try reviews(port) == 2)
        // The same catalog again: neither a reload nor a start looks at anything.
        try reload(daemon, Self.packed)
        #expect(try reviews(port) == 2)
        let noted = daemon.storage + "/reviewed"
        let isNoted = eventually {
            (try? String(contentsOfFile: noted, encoding: .utf8))?.hasPrefix("2 2 ") == true
        }
        #expect(isNoted)
        try daemon.restart()
        #expect(try reviews(port) == 0)
        // A review that was not finished is begun again.
        #expect(unlink(noted) == 0)
        try daemon.restart()
        #expect(try reviews(port) == 1)
        #expect(try balance(daemon) == 10)
        // Another one and back: what was bought meanwhile is looked at.
        try reload(daemon, Self.plain)
        try buy("8", daemon)
        try reload(daemon, Self.packed)
        #expect(try eventually { try balance(daemon) == 20 })
        // Shown once more, it is credited no second time.
        try buy("7", daemon)
        #expect(try balance(daemon) == 20)
        #expect(daemon.stop() == .exited(0))
        #expect(try daemon.run("verify").ending == .exited(0))
    }
}
