import EntitlementsClient
import Fixtures
import JSON
import Testing

/// mergeAccounts on a live daemon.
@Suite struct MergeTests {
    private static let login: JSONObject = [
        "fromUserId": "guest", "intoUserId": "alice", "idempotencyKey": "login",
    ]

    private func live() throws -> TestDaemon {
        let daemon = try TestDaemon.started()
        let guest = try daemon.call("registerAccount", ["userId": "guest"])
        _ = try daemon.call("registerAccount", ["userId": "alice"])
        let life = StoreLife(token: guest["appAccountToken"]?.string)
        _ = try daemon.deliver(daemon.voice.notification("SUBSCRIBED", about: life))
        return daemon
    }

    @Test(arguments: [false, true])
    func `both are told to watchers, as it happens and later`(later: Bool) throws {
        let daemon = try live()
        let socket = try StreamSocket.unix(daemon.socket)
        let seq = try daemon.status("alice")["seq"]?.int64 ?? 0
        if later { _ = try daemon.call("mergeAccounts", Self.login) }
        let params = later ? #"{"fromSeq":\#(seq)}"# : "{}"
        socket.sendFrame(#"{"jsonrpc":"2.0","id":1,"method":"watch","params":\#(params)}"#)
        _ = try #require(try socket.receiveReply()["result"]?["seq"])
        if !later { _ = try daemon.call("mergeAccounts", Self.login) }
        var told: [String: JSONValue] = [:]
        while told.count < 2 {
            let message = try socket.receiveReply()
            guard message["method"] == "entitlementChanged",
                let change = message["params"], let user = change["userId"]?.string
            else { continue }
            told[user] = change
        }
        #expect(told["guest"]?["status"]?["state"] == "no_account")
        #expect(told["alice"]?["status"]?["isSubscriber"] == true)
        #expect(told.values.allSatisfy { $0["cause"] == "transferred" })
    }
}
