import Foundation
import Glibc
import JSON
import TestSupport
import Testing

/// Rot in the journal, seen from outside: right answers, or damaged, and the log says where.
@Suite struct JournalRotTests {
    private func registered(_ count: Int) throws -> TestDaemon {
        let daemon = try TestDaemon.started()
        for index in 0..<count {
            _ = try daemon.call("registerAccount", ["userId": .string("user-number-\(index)")])
        }
        return daemon
    }

    private func segment(of daemon: TestDaemon) throws -> String {
        let directory = daemon.storage + "/journal"
        let names = try FileManager.default.contentsOfDirectory(atPath: directory).sorted()
        return directory + "/" + (try #require(names.last { $0.hasSuffix(".segment") }))
    }

    private func bytes(_ path: String) throws -> [UInt8] {
        Array(try #require(FileManager.default.contents(atPath: path)))
    }

    /// Writes in place, as a disk rots: the daemon sees it.
    private func write(_ bytes: [UInt8], at offset: Int, of path: String) throws {
        let descriptor = open(path, O_WRONLY)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        try #require(pwrite(descriptor, bytes, bytes.count, offset) == bytes.count)
    }

    @Test func `rot in what was answered last is refused after a crash, never cut`() throws {
        let daemon = try registered(30)
        daemon.killAtOnce()
        // Without the views nothing but the proof tells that it was answered.
        try FileManager.default.removeItem(atPath: daemon.storage + "/data.mdb")
        let path = try segment(of: daemon)
        let whole = try bytes(path)
        let end = try #require(whole.lastIndex { $0 != 0 }) + 1
        let block = (end - 1) / 4096 * 4096
        let damages: [(at: Int, [UInt8])] = [
            (end - 9, [whole[end - 9] ^ 1]),
            (end - 200, [whole[end - 200] ^ 0x80]),
            (block, [UInt8](repeating: 0, count: min(4096, whole.count - block))),
        ]
        for (place, damage) in damages {
            try write(damage, at: place, of: path)
            let bad = try bytes(path)
            let run = try daemon.run("serve")
            #expect(run.ending == .exited(65), "\(run.said)")
            #expect(run.said.contains(path) && run.said.contains("proof"), "\(run.said)")
            #expect(try bytes(path) == bad)
            try write(Array(whole[place..<place + damage.count]), at: place, of: path)
        }
        #expect(truncate(path, end - 300) == 0)
        #expect(try daemon.run("serve").ending == .exited(65))
        try Data(whole).write(to: URL(fileURLWithPath: path))
        try daemon.start()
        for index in 0..<30 {
            let status = try daemon.status("user-number-\(index)")
            #expect(status["state"]?.string != "no_account", "user \(index)")
        }
    }

    @Test func `rot in an old entry is said to who needs it, and in the log, once`() throws {
        let daemon = try registered(30)
        let path = try segment(of: daemon)
        let whole = try bytes(path)
        let name = Array("user-number-7".utf8)
        let place = try #require(
            (0..<whole.count - name.count)
                .first { whole[$0] == name[0] && whole[$0..<$0 + name.count].elementsEqual(name) }
        )
        try write([whole[place + 2] ^ 1], at: place + 2, of: path)
        for _ in 0..<3 {
            let refusal = try #require(
                try daemon.refusal(of: "getHistory", ["userId": .string("user-number-7")])
            )
            #expect("\(refusal)".contains("damaged"), "\(refusal)")
            #expect("\(refusal)".contains("-32603") || "\(refusal)".contains("internal"))
        }
        let lines = daemon.log.split(separator: "\n").filter { $0.contains("is damaged") }
        #expect(lines.count == 1, "\(daemon.log)")
        #expect(lines.first?.contains("segment") ?? false)
        // Others are answered, and so is everything that is asked of the present.
        let other = try daemon.call("getHistory", ["userId": .string("user-number-20")])
        #expect(other["events"]?.array?.isEmpty == false)
        #expect(try daemon.status("user-number-7")["state"]?.string != "no_account")
        // Nobody is erased by halves.
        let erase: JSONObject = ["userId": .string("user-number-9")]
        let refusal = try #require(try daemon.refusal(of: "eraseUser", erase, admin: true))
        #expect("\(refusal)".contains("damaged"))
        #expect(try daemon.status("user-number-9")["state"]?.string != "no_account")
        #expect(access(daemon.storage + "/erasing", F_OK) != 0)
        let export = try daemon.refusal(
            of: "exportUser",
            ["userId": .string("user-number-7")],
            admin: true
        )
        #expect("\(try #require(export))".contains("damaged"))
        let backup = try daemon.refusal(
            of: "backup",
            ["path": .string(daemon.scratch.file("backup"))],
            admin: true
        )
        #expect("\(try #require(backup))".contains("damaged"))
        #expect(access(daemon.scratch.file("backup"), F_OK) != 0)
        try write([whole[place + 2]], at: place + 2, of: path)
        #expect(try daemon.call("eraseUser", erase, admin: true)["erased"]?.bool == true)
        #expect(try !String(decoding: bytes(path), as: UTF8.self).contains("user-number-9"))
        #expect(daemon.stop() == .exited(0))
        #expect(try daemon.run("verify").ending == .exited(0))
    }
}
