import EntitlementsClient
import JSON
import TestSupport
import Testing

/// How much room there is, as a live daemon says it.
@Suite struct SpaceTests {
    @Test func `stats, readiness and metrics say how much room there is`() throws {
        var setup = TestDaemon.Setup()
        let port = try setup.servingMetrics()
        let daemon = try TestDaemon.started(setup)
        func get(_ path: String) throws -> String {
            try HTTPExchange.request("GET", path, [], port: port).text
        }
        #expect(
            eventually(within: 10) {
                (try? daemon.call("stats", admin: true)["space"]?["disk"]?["bytes"]?.int64) ?? 0 > 0
            }
        )
        let space = try daemon.call("stats", admin: true)["space"]
        for place in ["map", "disk"] {
            let bytes = try #require(space?[place]?["bytes"]?.int64)
            let free = try #require(space?[place]?["freeBytes"]?.int64)
            #expect(free > 0 && free <= bytes)
            // A rate of a few seconds is none.
            #expect(space?[place]?["bytesPerDay"] == .null && space?[place]?["daysLeft"] == .null)
        }
        let page = try get("/readyz?verbose")
        #expect(page.contains("[+]space ok: map: "), "\(page)")
        let metrics = try get("/metrics")
        for place in ["map", "disk"] {
            #expect(metrics.contains("entitld_space_days_left{place=\"\(place)\"} 36500\n"))
        }
        #expect(!metrics.contains("entitld_disk_free_bytes 0\n"))
        #expect(metrics.contains("entitld_lmdb_stale_readers_total 0\n"))
        #expect(daemon.stop() == .exited(0))
    }
}
