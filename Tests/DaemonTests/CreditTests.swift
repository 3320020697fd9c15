import EntitlementsClient
import Fixtures
import Foundation
import JSON
import TestSupport
import Testing

/// Credits on a live daemon (docs/calls.md, "Credits"): spent once, held, put back, and the same
/// answer again.
@Suite struct CreditTests {
    private func daemon() throws -> TestDaemon {
        var setup = TestDaemon.Setup()
        setup.catalog = """
            freeCredits: 3
            plans:
              paid: { products: [com.example.monthly], unlimited: [render] }
            creditPacks: { com.example.pack: 10 }
            """
        return try TestDaemon.started(setup)
    }

    private func consume(
        _ daemon: TestDaemon,
        _ key: String,
        _ amount: Int64 = 1
    ) throws
        -> JSONValue
    {
        try daemon.call(
            "consumeCredit",
            ["userId": "alice", "idempotencyKey": .string(key), "amount": .integer(amount)]
        )
    }

    @Test func `a credit is spent once, also after kill -9`() throws {
        let daemon = try daemon()
        _ = try daemon.call("registerAccount", ["userId": "alice"])
        let first = try consume(daemon, "a")
        #expect(first.object?.keys == ["outcome", "creditsRemaining", "replayed", "seq"])
        #expect(first["outcome"] == "consumed")
        #expect(first["creditsRemaining"] == 2)
        #expect(first["replayed"] == false)
        daemon.killAtOnce()
        try daemon.start()
        let again = try consume(daemon, "a")
        #expect(again["creditsRemaining"] == 2)
        #expect(again["replayed"] == true)
        #expect(again["seq"] == first["seq"])
        let other: JSONObject = ["userId": "alice", "idempotencyKey": "a", "amount": 2]
        #expect(try daemon.refusal(of: "consumeCredit", other)?.code == -32023)
        #expect(try consume(daemon, "b", 9)["outcome"] == "insufficient")
        #expect(try daemon.status("alice")["creditsRemaining"] == 2)
        let reversal: JSONObject = [
            "userId": "alice", "idempotencyKey": "c", "consumeKey": "a",
        ]
        #expect(try daemon.call("reverseCredits", reversal)["outcome"] == "reversed")
        #expect(try daemon.call("reverseCredits", reversal)["replayed"] == true)
        var unknown = reversal
        unknown["idempotencyKey"] = "d"
        unknown["consumeKey"] = "z"
        #expect(try daemon.refusal(of: "reverseCredits", unknown)?.code == -32024)
        #expect(daemon.stop() == .exited(0))
        #expect(try daemon.run("verify").ending == .exited(0))
    }

    @Test func `a hold dies with its socket`() throws {
        let daemon = try daemon()
        let grant: JSONObject = ["userId": "alice", "amount": 9, "idempotencyKey": "g"]
        #expect(try daemon.call("grantCredits", grant, admin: true)["creditsRemaining"] == 9)
        do {
            let socket = try StreamSocket.unix(daemon.socket)
            socket.sendFrame(
                #"{"jsonrpc":"2.0","id":1,"method":"reserveCredits","params":{"userId":"alice","#
                    + #""amount":5,"ttlSeconds":600,"idempotencyKey":"t","#
                    + #""releaseOnDisconnect":true}}"#
            )
            let reply = try socket.receiveReply()
            #expect(reply["result"]?["outcome"] == "reserved")
            #expect(try daemon.call("getCredits", ["userId": "alice"])["balance"] == 4)
        }
        #expect(
            try eventually { try daemon.call("getCredits", ["userId": "alice"])["balance"] == 9 }
        )
        #expect(try daemon.rows(of: "leases").isEmpty)
    }

    @Test func `of two that race for the last credit one wins`() async throws {
        let daemon = try daemon()
        _ = try daemon.call("registerAccount", ["userId": "alice"])
        let path = daemon.socket
        let wins = try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<32 {
                group.addTask {
                    var connection = try Connection(to: path, timeout: .seconds(120))
                    let answer = try connection.call(
                        "consumeCredit",
                        ["userId": "alice", "idempotencyKey": .string("k\(number)")]
                    )
                    return answer["outcome"] == "consumed"
                }
            }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(wins == 3)
        #expect(try daemon.call("getCredits", ["userId": "alice"])["balance"] == 0)
    }

    @Test func `what a refund forgave does not come back, also not where it was loaded`() throws {
        let daemon = try daemon()
        let account = try daemon.call("registerAccount", ["userId": "alice"])
        let token = try #require(account["appAccountToken"]?.string)
        for refunded in [false, true] {
            let document = try daemon.voice.pack("700000000001", of: token, isRefunded: refunded)
            let link: JSONObject = ["userId": "alice", "signedTransaction": .string(document)]
            _ = try daemon.call("verifyPurchase", link)
            guard !refunded else { continue }
            #expect(try consume(daemon, "a", 9)["creditsRemaining"] == 4)
            #expect(try consume(daemon, "b", 4)["creditsRemaining"] == 0)
        }
        let rows =
            try daemon.rows(of: "accounts") + daemon.rows(of: "tokens")
            + daemon.rows(of: "subscriptions") + daemon.rows(of: "settlements")
            + daemon.rows(of: "packs")
        let purse = rows.first?["value"]?["credits"]
        #expect(purse?["forgiven"]?.array?.map { $0["amount"] } == [10])
        let other = try self.daemon()
        _ = try other.call("load", ["entries": .array(rows)], admin: true)
        #expect(try other.rows(of: "accounts").first?["value"]?["credits"] == purse)
        for daemon in [daemon, other] {
            daemon.killAtOnce()
            try daemon.start()
            let reversals = [("a", "ra", 0), ("b", "rb", 3)] as [(String, String, Int64)]
            for (charge, key, left) in reversals {
                let reversal: JSONObject = [
                    "userId": "alice", "idempotencyKey": .string(key),
                    "consumeKey": .string(charge),
                ]
                let answer = try daemon.call("reverseCredits", reversal)
                #expect(answer["outcome"] == "reversed")
                #expect(answer["creditsRemaining"] == .integer(left), "\(charge)")
            }
            #expect(try daemon.rows(of: "packs").first?["value"]?["takenBack"] == 10)
            #expect(daemon.stop() == .exited(0))
            #expect(try daemon.run("verify").ending == .exited(0))
        }
    }
}
