import EntitlementsClient
import Fixtures
import Foundation
import JSON
import Testing

/// What the system lets a process have ends nothing without a word.
@Suite struct ProcessLimitTests {
    @Test(arguments: [300, 900, 1_400, 1_600])
    func `too little address space ends a start with 78 and a sentence`(_ mebibytes: Int) throws {
        var setup = TestDaemon.Setup()
        setup.ulimits = ["-v \(mebibytes << 10)"]
        let daemon = try TestDaemon(setup)
        let child = try daemon.spawn()
        #expect(child.wait() == .exited(78), "\(child.log)")
        #expect(child.log.contains("mapSizeGiB") && child.log.contains("ulimit -v"), "\(child.log)")
        #expect(child.log.split(separator: "\n").count == 1, "one sentence: \(child.log)")
    }

    @Test func `what the sentence asks for is enough to serve`() throws {
        var setup = TestDaemon.Setup()
        setup.ulimits = ["-v \(1_100 << 10)"]
        let tooSmall = try TestDaemon(setup)
        let refused = try tooSmall.spawn()
        #expect(refused.wait() == .exited(78))
        let words = refused.log.split { !$0.isNumber }.compactMap { Int($0) }
        // 1 GiB, once, and so many MiB beside.
        let beside = try #require(words.count > 3 ? words[3] : nil, "\(refused.log)")
        setup.ulimits = ["-v \((1_024 + beside) << 10)"]
        let daemon = try TestDaemon.started(setup)
        _ = try daemon.call("registerAccount", ["userId": "ann"])
        let life = StoreLife(token: nil)
        let body = try daemon.voice.notification("SUBSCRIBED", about: life)
        #expect(try daemon.deliver(body).status == 200)
        #expect(daemon.stop() == .exited(0))
    }

    @Test func `a file as large as the process may make it is storage_full`() throws {
        let daemon = try TestDaemon.started()
        for number in 0..<20 {
            _ = try daemon.call("registerAccount", ["userId": .string("u\(number)")])
        }
        #expect(daemon.stop() == .exited(0))
        // In blocks of 512 bytes or of 1 KiB: 3 or 6 MiB, and no multiple of a page.
        try daemon.configure { $0.ulimits = ["-f 6145"] }
        try daemon.start()
        let reason = JSONValue.string(String(repeating: "x", count: 900))
        var accepted: [String] = []
        var refusal: ClientError?
        for number in 0..<60_000 where refusal == nil {
            let user = "user \(number)"
            let grant: JSONObject = [
                "userId": .string(user), "plan": "paid", "idempotencyKey": "k", "reason": reason,
            ]
            refusal = try daemon.refusal(of: "grantEntitlement", grant, admin: true)
            if refusal == nil { accepted.append(user) }
        }
        #expect(refusal?.name == "storage_full")
        #expect(refusal?.retryable == true)
        #expect(try daemon.canRender("user 0")["canRender"] == true, "reads go on")
        #expect(daemon.stop() == .exited(0))
        try daemon.configure { $0.ulimits = [] }
        try daemon.start()
        for user in accepted { #expect(try daemon.canRender(user)["canRender"] == true) }
        #expect(daemon.stop() == .exited(0))
        #expect(try daemon.run("verify").ending == .exited(0))
    }
}
