import EntitlementsClient
import JSON
import Testing

/// Reads that wait for a position of the journal (`minSeq`).
@Suite struct PositionTests {
    private static func daemon() throws -> TestDaemon {
        var setup = TestDaemon.Setup()
        setup.catalog = "freeCredits: 3"
        return try TestDaemon.started(setup)
    }

    @Test(arguments: ["canRender", "can", "getStatus", "getHistory", "explain", "getCredits"])
    func `a read is answered at its position, and told where that is not reached`(
        method: String
    ) throws {
        let daemon = try Self.daemon()
        _ = try daemon.call("registerAccount", ["userId": "alice"])
        let seq = try #require(try daemon.status("alice")["seq"]?.int64)
        func ask(_ seq: Int64) throws -> ClientError? {
            let parameters: JSONObject = [
                "userId": "alice", "feature": "scan", "minSeq": .integer(seq),
            ]
            return try daemon.refusal(of: method, parameters)
        }
        #expect(try ask(seq) == nil)
        let began = ContinuousClock.now
        let refusal = try #require(try ask(seq + 1))
        #expect(refusal.code == -32_031 && refusal.name == "behind" && refusal.retryable)
        #expect(ContinuousClock.now - began >= .milliseconds(200))
    }

    @Test func `a read that waits is answered as soon as its position is there`() throws {
        let daemon = try Self.daemon()
        _ = try daemon.call("registerAccount", ["userId": "alice"])
        // On a busy machine the write may take longer than the read waits: then once more.
        for round in 0..<50 {
            let user = "bob \(round)"
            let seq = try #require(try daemon.status("alice")["seq"]?.int64)
            let socket = try StreamSocket.unix(daemon.socket)
            let request: JSONValue = [
                "jsonrpc": "2.0", "id": 1, "method": "canRender",
                "params": ["userId": .string(user), "minSeq": .integer(seq + 1)],
            ]
            socket.sendFrame(String(decoding: request.bytes, as: UTF8.self))
            _ = try daemon.call("registerAccount", ["userId": .string(user)])
            let reply = try socket.receiveReply()
            guard let result = reply["result"] else {
                #expect(reply["error"]?["code"] == -32_031)
                continue
            }
            #expect(result["state"] == "free_with_credits")
            #expect(result["seq"]?.int64 ?? 0 > seq)
            let keys = ["canRender", "via", "state", "reason", "nextChangeAt", "seq"]
            #expect(result.object?.keys == keys)
            return
        }
        Issue.record("no read was answered in time")
    }
}
