import JSON
import Testing

/// First answers that were made in another ledger, and loaded into this one.
@Suite struct LoadedAnswerTests {
    private static let writes: [(String, JSONObject)] = [
        ("grantCredits", ["userId": "alice", "amount": 5, "idempotencyKey": "c"]),
        ("consumeCredit", ["userId": "alice", "idempotencyKey": "k"]),
        ("grantEntitlement", ["userId": "alice", "plan": "premium", "idempotencyKey": "g"]),
    ]

    @Test func `a repetition answers no position that this journal does not have`() throws {
        let old = try TestService.started()
        for number in 0..<50 {
            _ = try old.call("registerAccount", ["userId": .string("user\(number)")])
        }
        for (method, params) in Self.writes {
            #expect(try old.call(method, params, admin: true)["replayed"] != true, "\(method)")
        }
        let alices = try old.rows(of: "accounts").filter { $0["key"] == "alice" }
        #expect(alices.first?["value"]?["firstAnswers"]?.array?.count == 3)
        let new = try TestService.started()
        _ = try new.call("load", ["entries": .array(alices)], admin: true)
        for (method, params) in Self.writes {
            let answer = try new.call(method, params, admin: true)
            #expect(answer["replayed"] == true, "\(method)")
            let seq = try #require(answer["seq"]?.int64)
            let there = try #require(try new.status("alice")["seq"]?.int64)
            #expect(seq <= there, "\(method)")
            _ = try new.call("canRender", ["userId": "alice", "minSeq": .integer(seq)])
        }
    }
}
