import Foundation
import Glibc
import JSON
import TestSupport
import Testing

/// A signal during a start.
@Suite struct EarlyEndTests {
    /// A stopped daemon whose journal takes a while to be replayed.
    private func stopped() throws -> TestDaemon {
        let daemon = try TestDaemon.started()
        for index in 0..<400 {
            _ = try daemon.call("registerAccount", ["userId": .string("user-\(index)")])
        }
        #expect(daemon.stop() == .exited(0))
        return daemon
    }

    /// Sends SIGTERM once the process listens to it.
    private func end(_ child: ChildProcess) throws {
        let listens = eventually {
            let status = (try? String(contentsOfFile: "/proc/\(child.pid)/status", encoding: .utf8))
            let mask = status?.split(separator: "\n").first { $0.hasPrefix("SigCgt:") }
            let bits = mask.flatMap { UInt64($0.split(separator: "\t").last ?? "", radix: 16) } ?? 0
            return bits >> UInt64(SIGTERM - 1) & 1 == 1
        }
        try #require(listens)
        child.signal(SIGTERM)
    }

    @Test func `a start that replays ends when it is told to, and loses nothing`() throws {
        let daemon = try stopped()
        #expect(unlink(daemon.storage + "/data.mdb") == 0)
        for _ in 0..<3 {
            let child = try daemon.spawn()
            try end(child)
            #expect(child.wait() == .exited(0), "\(child.log)")
            #expect(!child.log.contains(#""event":"ready""#), "\(child.log)")
        }
        try daemon.start()
        #expect(try daemon.status("user-399")["state"] == "free_no_credits")
        #expect(daemon.stop() == .exited(0))
        #expect(try daemon.run("verify").ending == .exited(0))
    }
}
