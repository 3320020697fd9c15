import Fixtures
import Foundation
import Glibc
import JSON
import TestSupport
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

    @Test func `a damaged data file is made anew from the journal, and the old one is kept`() throws
    {
        let daemon = try TestDaemon.started()
        for index in 0..<30 {
            _ = try daemon.call("registerAccount", ["userId": .string("user-\(index)")])
        }
        let running = try daemon.run("compact", "--rebuild")
        #expect(running.ending == .exited(75), "\(running.said)")
        daemon.killAtOnce()
        let path = daemon.storage + "/data.mdb"
        #expect(truncate(path, 9_000) == 0)
        #expect(try daemon.run("serve").ending == .exited(65))
        let run = try daemon.run("compact", "--rebuild")
        #expect(run.ending == .exited(0), "\(run.said)")
        for words in ["rebuild: ", "clean", "before-rebuild"] {
            #expect(run.said.contains(words), "\(run.said)")
        }
        let kept = try FileManager.default.contentsOfDirectory(atPath: daemon.storage)
            .filter { $0.contains("before-rebuild") }
        #expect(kept.count == 1)
        let old = FileManager.default.contents(atPath: "\(daemon.storage)/\(kept.first ?? "")")
        #expect(old?.count == 9_000)
        #expect(try daemon.run("verify").ending == .exited(0))
        try daemon.start()
        #expect(try daemon.status("user-29")["state"] == "free_no_credits")
        #expect(daemon.stop() == .exited(0))
        // Without a file, too; and not from a journal that cannot be believed.
        #expect(unlink(path) == 0)
        #expect(try daemon.run("compact", "--rebuild").ending == .exited(0))
        let journal = daemon.storage + "/journal"
        let names = try FileManager.default.contentsOfDirectory(atPath: journal)
        let segment = try #require(names.filter { $0.hasSuffix(".segment") }.min())
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: "\(journal)/\(segment)"))
        try file.seek(toOffset: 200)
        try file.write(contentsOf: Data([0xAA, 0x55]))
        try file.close()
        let refused = try daemon.run("compact", "--rebuild")
        #expect(refused.ending == .exited(65), "\(refused.said)")
        #expect(refused.said.contains("journal"), "\(refused.said)")
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
