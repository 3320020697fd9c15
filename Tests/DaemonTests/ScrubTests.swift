import EntitlementsClient
import Foundation
import Glibc
import JSON
import TestSupport
import Testing

/// A live daemon finds rot by itself.
@Suite struct ScrubTests {
    private let port: UInt16
    private let daemon: TestDaemon

    init() throws {
        var setup = TestDaemon.Setup()
        port = try setup.servingMetrics()
        daemon = try TestDaemon.started(setup)
        for index in 0..<40 {
            _ = try daemon.call("registerAccount", ["userId": .string("user-number-\(index)")])
        }
    }

    private func get(_ path: String) throws -> String {
        try HTTPExchange.request("GET", path, [], port: port).text
    }

    /// Flips a bit of every place of `name` in the file.
    private func spoil(_ path: String, _ name: String) throws {
        let bytes = try #require(FileManager.default.contents(atPath: path))
        let descriptor = open(path, O_WRONLY)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        var (count, rest) = (0, bytes.startIndex..<bytes.endIndex)
        while let found = bytes.range(of: Data(name.utf8), in: rest) {
            var byte = bytes[found.upperBound + 3] ^ 0x20
            #expect(pwrite(descriptor, &byte, 1, found.upperBound + 3) == 1)
            count += 1
            rest = found.upperBound..<bytes.endIndex
        }
        #expect(count > 0, "nothing was spoilt in \(path)")
    }

    @Test func `rot in a segment is told of while everybody is served`() throws {
        let journal = daemon.storage + "/journal"
        // An erasure seals what is there.
        _ = try daemon.call("eraseUser", ["userId": "user-number-7"], admin: true)
        _ = try daemon.call("registerAccount", ["userId": "late"])
        let names = try FileManager.default.contentsOfDirectory(atPath: journal)
        let segments = names.filter { $0.hasSuffix(".segment") }.sorted()
        try #require(segments.count > 1)
        let old = try #require(segments.first)
        try spoil("\(journal)/\(old)", "user-number-20")
        #expect(
            eventually(within: 30) { (try? get("/readyz").contains("[!]scrub warning")) ?? false }
        )
        let page = try get("/readyz?verbose")
        #expect(page.contains(old) && page.hasSuffix("ok\n"), "\(page)")
        let metrics = try get("/metrics")
        #expect(metrics.contains("entitld_damage_found{kind=\"journal\"} 1\n"))
        #expect(metrics.contains("entitld_damage_found{kind=\"views\"} 0\n"))
        let line = TestDaemon.event("What is stored is damaged", in: daemon.log)
        #expect(line?["reason"]?.string?.contains(old) == true)
        #expect(try daemon.status("user-number-20")["state"] == "free_no_credits")
        _ = try daemon.call("registerAccount", ["userId": "later"])
        #expect(daemon.stop() == .exited(0))
    }

    @Test func `rot in the views ends the daemon with 65, and a round without is counted`() throws {
        #expect(
            eventually(within: 30) {
                (try? get("/metrics").contains("entitld_scrub_rounds_total 1\n")) ?? false
            }
        )
        let page = try get("/readyz?verbose")
        #expect(page.contains("[+]scrub ok: "), "\(page)")
        #expect(try !get("/metrics").contains("entitld_scrub_bytes_total 0\n"))
        // The next round is tomorrow's, unless the daemon starts again.
        try daemon.restart()
        try spoil(daemon.storage + "/data.mdb", "user-number-20")
        let child = try #require(daemon.child)
        #expect(child.wait(seconds: 120) == .exited(65), "\(daemon.log)")
        #expect(daemon.log.contains("data.mdb"), "\(daemon.log)")
        #expect(try daemon.run("verify").ending == .exited(65))
    }
}
