import Foundation
import JSON
import TestSupport
import Testing

/// The simulated store delivers over TLS, to whom its `--ca` vouches for alone.
@Suite struct SimulatorTLSTests {
    @Test func `a purchase of the simulated store arrives over TLS, and not at a stranger's`()
        throws
    {
        let scratch = try Scratch()
        let files = try TLSFiles("first", in: scratch)
        let stranger = try TLSFiles("stranger", in: scratch)
        var setup = TestDaemon.Setup()
        setup.webhook = files.setting
        setup.catalog = "freeCredits: 0"
        let daemon = try TestDaemon(setup, scratch: scratch)
        let store = scratch.file("store-of-apple")
        let minted = try simulator(scratch, ["mint", store, "--month", "10m"])
        #expect(minted.ending == .exited(0), "\(minted.said)")
        // The daemon trusts this store's root and no other.
        let root = try Data(contentsOf: URL(fileURLWithPath: store + "/root.pem"))
        try root.write(to: URL(fileURLWithPath: scratch.file("root.pem")))
        try daemon.start()
        let account = try daemon.call("registerAccount", ["userId": "alice"])
        let token = try #require(account["appAccountToken"]?.string)
        let url = "https://localhost:\(daemon.port)/webhooks/apple"
        let words = ["--token", token, "--url", url, "--once"]
        let missing = try simulator(
            scratch,
            ["act", store, "alice", "subscribe", "--ca", scratch.file("nowhere.pem")] + words
        )
        #expect(missing.ending == .exited(2), "\(missing.said)")
        #expect(missing.said.contains("--ca"), "\(missing.said)")
        // By the system's certificates, and by somebody else's, the listener is nobody.
        for (action, more) in [("subscribe", []), ("cancel", ["--ca", stranger.root])] {
            let refused = try simulator(scratch, ["act", store, "alice", action] + words + more)
            #expect(refused.ending == .exited(1), "\(refused.said)")
            #expect(refused.said.contains("TLS_ISSUE"), "\(refused.said)")
        }
        #expect(try daemon.canRender("alice")["canRender"]?.bool == false)
        let resumed = ["act", store, "alice", "resume", "--url", url, "--ca", files.root]
        let delivered = try simulator(scratch, resumed)
        #expect(delivered.ending == .exited(0), "\(delivered.said)")
        #expect(try daemon.canRender("alice")["canRender"]?.bool == true)
    }

    private func simulator(
        _ scratch: Scratch,
        _ words: [String]
    ) throws -> (ending: ChildProcess.Ending, said: String) {
        let child = try ChildProcess("appstoresim", words, in: scratch)
        let ending = child.wait()
        return (ending, child.output + child.log)
    }
}
