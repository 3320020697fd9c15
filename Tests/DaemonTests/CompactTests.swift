import Foundation
import Glibc
import JSON
import Testing

/// `entitld compact`, as an operator runs it.
@Suite struct CompactTests {
    private func count(_ name: String, in directory: String) throws -> Int {
        var count = 0
        for file in try FileManager.default.subpathsOfDirectory(atPath: directory) {
            let bytes = FileManager.default.contents(atPath: "\(directory)/\(file)") ?? Data()
            if bytes.range(of: Data(name.utf8)) != nil { count += 1 }
        }
        return count
    }

    @Test func `an erased person is in no byte of a compacted directory, nor of a backup`() throws {
        let daemon = try TestDaemon.started()
        let name = "anna.kowalska@example.com"
        for index in 0..<200 {
            _ = try daemon.call("registerAccount", ["userId": .string("user-\(index)")])
        }
        let account = try daemon.call("registerAccount", ["userId": .string(name)])
        let life = StoreLife(token: account["appAccountToken"]?.string)
        _ = try daemon.deliver(daemon.voice.notification("SUBSCRIBED", about: life))
        try daemon.restart()
        _ = try daemon.call("eraseUser", ["userId": .string(name)], admin: true)
        let backup = daemon.scratch.file("backup")
        _ = try daemon.call("backup", ["path": .string(backup)], admin: true)
        #expect(try count(name, in: backup) == 0)
        #expect(try count("user-199", in: backup) > 0)
        #expect(daemon.stop() == .exited(0))
        #expect(try count(name, in: daemon.storage) == 1, "or the test shows nothing")

        let run = try daemon.run("compact")
        #expect(run.ending == .exited(0), "\(run.said)")
        #expect(run.said.contains("clean"))
        #expect(try count(name, in: daemon.storage) == 0)
        #expect(try daemon.run("verify").ending == .exited(0))
        try daemon.start()
        #expect(try daemon.status("user-199")["state"] == "free_no_credits")
        #expect(try daemon.status(name)["state"] == "no_account")
        #expect(daemon.stop() == .exited(0))
    }

    @Test func `what cannot be compacted is left alone`() throws {
        let daemon = try TestDaemon()
        #expect(try daemon.run("compact").ending == .exited(78))
        #expect(access(daemon.storage, F_OK) != 0)
        try daemon.start()
        _ = try daemon.call("registerAccount", ["userId": "anna"])
        daemon.killAtOnce()
        let run = try daemon.run("compact")
        #expect(run.ending == .exited(1), "\(run.said)")
        #expect(run.said.contains("behind the journal"), "\(run.said)")
        try daemon.start()
        #expect(daemon.stop() == .exited(0))
        #expect(try daemon.run("compact").ending == .exited(0))
        #expect(truncate(daemon.storage + "/data.mdb", 5_000) == 0)
        #expect(try daemon.run("compact").ending == .exited(65))
    }

    @Test func `who reads the views from outside is not cut off`() throws {
        // Another daemon stands for them: its lock.mdb under a second name.
        let reader = try TestDaemon.started()
        let daemon = try TestDaemon.started()
        #expect(daemon.stop() == .exited(0))
        let path = daemon.storage + "/lock.mdb"
        #expect(unlink(path) == 0)
        #expect(link(reader.storage + "/lock.mdb", path) == 0)
        let run = try daemon.run("compact")
        #expect(run.ending == .exited(75), "\(run.said)")
        #expect(unlink(path) == 0)
        #expect(try daemon.run("compact").ending == .exited(0))
    }
}
