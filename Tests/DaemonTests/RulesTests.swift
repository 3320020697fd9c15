import Entitlements
import JSON
import LMDB
import Testing

@testable import Ledger

/// A store that a release with other rules has written, as its operator meets it.
@Suite struct RulesTests {
    private func makeOld(_ directory: String) throws {
        let environment = try Environment.open(
            directory: directory,
            options: .init(mapSizeBytes: 64 << 20)
        )
        defer { environment.close() }
        let views = try Views(environment)
        let key = MetaRow.bytes(of: MetaRow.rules)
        let wasThere = try environment.write { try $0.delete(key, in: views.table(.meta)) }
        #expect(wasThere)
    }

    @Test func `the log, readiness and verify name the rules until the tables are made anew`()
        throws
    {
        var setup = TestDaemon.Setup()
        let port = try setup.servingMetrics()
        func ready() throws -> String {
            try HTTPExchange.request("GET", "/readyz?verbose", [], port: port).text
        }
        let daemon = try TestDaemon.started(setup)
        _ = try daemon.call("registerAccount", ["userId": "alice"])
        #expect(try !ready().contains("rules"))
        #expect(daemon.stop() == .exited(0))
        try makeOld(daemon.storage)
        let verified = try daemon.run("verify")
        #expect(verified.ending == .exited(0))
        let present = "this release has \(Rules.version)"
        #expect(verified.said.contains("rules: 1 made these views, \(present)"))
        try daemon.start()
        #expect(try ready().contains("amber: rules 1 made these tables, \(present)"))
        #expect(daemon.log.contains("A release with other rules made these tables"))
        #expect(daemon.stop() == .exited(0))
        #expect(try daemon.run("compact", "--rebuild").ending == .exited(0))
        #expect(try !daemon.run("verify").said.contains("rules"))
        try daemon.start()
        #expect(try !ready().contains("rules"))
        #expect(daemon.stop() == .exited(0))
    }
}
