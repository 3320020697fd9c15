import EntitlementsClient
import Fixtures
import Foundation
import Glibc
import JSON
import TestSupport
import Testing

/// A full disk stops writes alone (proto/errors.json: storage_full).
@Suite struct DiskFullTests {
    /// A file system of `mebibytes` of its own; nil where this process may not mount one.
    private func smallDisk(_ scratch: Scratch, mebibytes: Int) throws -> String? {
        let path = scratch.file("disk")
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        let options = "size=\(mebibytes)m,mode=0700"
        guard mount("tmpfs", path, "tmpfs", 0, options) == 0 else {
            print("SKIPPED: no tmpfs can be mounted here (errno \(errno)); run as root to test it")
            return nil
        }
        return path
    }

    @Test func `writes say storage_full, reads go on, and writes resume when space returns`()
        throws
    {
        let scratch = try Scratch()
        guard let disk = try smallDisk(scratch, mebibytes: 8) else { return }
        defer { umount2(disk, Int32(MNT_DETACH)) }
        var setup = TestDaemon.Setup()
        setup.storage = disk + "/store"
        let daemon = try TestDaemon(setup, scratch: scratch)
        try daemon.start()
        let account = try daemon.call("registerAccount", ["userId": "alice"])
        let life = StoreLife(token: account["appAccountToken"]?.string)
        let body = try daemon.voice.notification("SUBSCRIBED", about: life)
        #expect(try daemon.deliver(body) == (200, "applied"))
        let filler = disk + "/filler"
        try fill(filler)
        // What was set aside before still takes some.
        var accepted: [String] = []
        var refusal: String?
        for index in 0..<20_000 {
            let user = "user-\(index)"
            let error = try daemon.refusal(of: "registerAccount", ["userId": .string(user)])
            if let error {
                #expect(error.description.contains("storage_full"))
                refusal = error.description
                break
            }
            accepted.append(user)
        }
        #expect(refusal != nil, "the disk never became full after \(accepted.count) accounts")
        let late = try daemon.voice.notification("DID_RENEW", about: StoreLife())
        let reply = try HTTPExchange.post(late, port: daemon.port)
        #expect(reply.status == 503)
        #expect(reply.headers["retry-after"] != nil)
        #expect(try daemon.canRender("alice")["canRender"]?.bool == true)
        #expect(try daemon.status("alice")["state"]?.string == "subscribed")
        #expect(try !daemon.rows(of: "accounts").isEmpty)
        try FileManager.default.removeItem(atPath: filler)
        let resumes = try eventually(within: 20) {
            try daemon.refusal(of: "registerAccount", ["userId": "after"]) == nil
        }
        #expect(resumes)
        #expect(try daemon.deliver(late).status == 200)
        for user in accepted.suffix(200) {
            #expect(try daemon.canRender(user)["reason"]?.string != "no_account")
        }
        #expect(daemon.stop() == .exited(0))
        let check = try daemon.run("verify")
        #expect(check.ending == .exited(0), "\(check.said)")
    }

    @Test func `a hold whose connection ends on a full disk returns when there is room`() throws {
        let scratch = try Scratch()
        guard let disk = try smallDisk(scratch, mebibytes: 8) else { return }
        defer { umount2(disk, Int32(MNT_DETACH)) }
        var setup = TestDaemon.Setup()
        setup.storage = disk + "/store"
        setup.catalog = "freeCredits: 3\n"
        let daemon = try TestDaemon(setup, scratch: scratch)
        try daemon.start()
        _ = try daemon.call("registerAccount", ["userId": "alice"])
        func held() throws -> Int64? {
            try daemon.call("getCredits", ["userId": "alice"])["held"]?.int64
        }
        func isFull() throws -> Bool {
            let name = JSONValue.string(UUID().uuidString)
            return try daemon.refusal(of: "registerAccount", ["userId": name]) != nil
        }
        let filler = disk + "/filler"
        do {
            let socket = try StreamSocket.unix(daemon.socket)
            socket.sendFrame(
                #"{"jsonrpc":"2.0","id":1,"method":"reserveCredits","params":{"userId":"alice","#
                    + #""amount":3,"ttlSeconds":600,"idempotencyKey":"t","#
                    + #""releaseOnDisconnect":true}}"#
            )
            #expect(try socket.receiveReply()["result"]?["outcome"] == "reserved")
            try fill(filler)
            for _ in 0..<20_000 where try !isFull() {}
            #expect(try isFull())
            #expect(try held() == 3)
        }
        // The connection has ended; the release is refused, time and again.
        usleep(1_500_000)
        #expect(try held() == 3)
        try FileManager.default.removeItem(atPath: filler)
        #expect(try eventually(within: 20) { try held() == 0 })
        #expect(try daemon.call("getCredits", ["userId": "alice"])["balance"] == 3)
        #expect(try daemon.rows(of: "leases").isEmpty)
        #expect(daemon.stop() == .exited(0))
    }

    @Test func `less than a mebibyte free ends with 78`() throws {
        let scratch = try Scratch()
        guard let disk = try smallDisk(scratch, mebibytes: 2) else { return }
        defer { umount2(disk, Int32(MNT_DETACH)) }
        var setup = TestDaemon.Setup()
        setup.storage = disk + "/store"
        let daemon = try TestDaemon(setup, scratch: scratch)
        try fill(disk + "/filler", leaving: 512 * 1024)
        let child = try daemon.spawn()
        #expect(child.wait() == .exited(78), "\(child.log)")
        #expect(child.log.contains("storage.directory"), "\(child.log)")
    }

    /// Writes zeros to `path` until the disk takes no more, then gives `spare` bytes back.
    private func fill(_ path: String, leaving spare: Int = 0) throws {
        let file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw DaemonProblem("open: errno \(errno)") }
        defer { close(file) }
        let zeros = [UInt8](repeating: 0, count: 4_096)
        var count = 0
        while write(file, zeros, zeros.count) == zeros.count { count += zeros.count }
        ftruncate(file, count - spare)
    }
}
