import EntitlementsClient
import JSON
import TestSupport
import Testing

/// `can`, reads that wait for a position, and `find`.
@Suite struct FeatureTests {
    private static func service() throws -> TestService {
        var setup = TestService.Setup()
        setup.catalog = """
            freeCredits: 3
            plans:
              paid: { products: [com.example.monthly], unlimited: [render, export] }
            creditsPayFor: [scan]
            """
        return try TestService.started(setup)
    }

    @Test func `a feature is allowed by the plan that names it, or by credits that may pay for it`()
        throws
    {
        let service = try Self.service()
        _ = try service.call("registerAccount", ["userId": "alice"])
        func can(_ feature: String, cost: Int64 = 1) throws -> JSONValue {
            let parameters: JSONObject = [
                "userId": "alice", "feature": .string(feature), "cost": .integer(cost),
            ]
            return try service.call("can", parameters)
        }
        let scan = try can("scan")
        let keys = ["allowed", "via", "state", "reason", "nextChangeAt", "seq"]
        #expect(scan.object?.keys == keys)
        #expect(scan["allowed"] == true && scan["via"] == "credits")
        #expect(try can("scan", cost: 4)["reason"] == "credits_exhausted")
        #expect(try can("export")["allowed"] == false)
        #expect(try service.canRender("alice")["canRender"] == false)
        let grant: JSONObject = ["userId": "alice", "plan": "paid", "idempotencyKey": "k"]
        _ = try service.call("grantEntitlement", grant, admin: true)
        #expect(try can("export")["via"] == "grant")
        #expect(try can("fly")["reason"] == "not_in_plan")
        #expect(try service.canRender("alice")["canRender"] == true)
        #expect(try service.refusal(of: "can", ["userId": "alice"]) != nil)
        #expect(try service.refusal(of: "can", ["userId": "alice", "feature": ""]) != nil)
        let nobody = try service.call("can", ["userId": "nobody", "feature": "export"])
        #expect(nobody["reason"] == "no_account")
    }

    @Test(arguments: ["canRender", "can", "getStatus", "getHistory", "explain", "getCredits"])
    func `a read is answered at its position, and told where that is not reached`(
        method: String
    ) async throws {
        // What waits for a position is a task; whoever waits for it leaves the tasks their threads.
        try await onThread {
            let service = try Self.service()
            _ = try service.call("registerAccount", ["userId": "alice"])
            let seq = try #require(try service.status("alice")["seq"]?.int64)
            func ask(_ seq: Int64) throws -> ClientError? {
                let parameters: JSONObject = [
                    "userId": "alice", "feature": "scan", "minSeq": .integer(seq),
                ]
                return try service.refusal(of: method, parameters)
            }
            #expect(try ask(seq) == nil)
            let began = ContinuousClock.now
            let refusal = try #require(try ask(seq + 1))
            #expect(refusal.code == -32_031 && refusal.name == "behind" && refusal.retryable)
            #expect(ContinuousClock.now - began >= .milliseconds(200))
        }
    }

    @Test func `support finds whose a user id, a token or a number of a store is`() throws {
        let service = try Self.service()
        let account = try service.call("registerAccount", ["userId": "alice"])
        let token = try #require(account["appAccountToken"]?.string)
        let digest = try #require(account["obfuscatedAccountId"]?.string)
        func find(_ text: String) throws -> JSONValue? {
            try service.call("find", ["text": .string(text)], admin: true)["matches"]?.array?.first
        }
        for (text, what) in [("alice", "user"), (token, "token"), (digest, "token")] {
            let match = try find(text)
            #expect(match?["userId"] == "alice" && match?["what"] == .string(what))
        }
        #expect(try find("GPA.0000-0000-0000-00000") == nil)
        #expect(try service.refusal(of: "find", ["text": "alice"])?.name == "permission_denied")
    }

    @Test func `a read that waits is answered as soon as its position is there`() async throws {
        try await onThread {
            let service = try Self.service()
            _ = try service.call("registerAccount", ["userId": "alice"])
            let seq = try #require(try service.status("alice")["seq"]?.int64)
            let line = try service.connect()
            let late: JSONObject = ["userId": "bob", "minSeq": .integer(seq + 1)]
            #expect(line.ask("canRender", late) == nil)
            _ = try service.call("registerAccount", ["userId": "bob"])
            let reply = try #require(try line.next())
            #expect(reply["result"]?["state"] == "free_with_credits")
            #expect(reply["result"]?["seq"]?.int64 ?? 0 > seq)
            let keys = ["canRender", "via", "state", "reason", "nextChangeAt", "seq"]
            #expect(reply["result"]?.object?.keys == keys)
        }
    }
}
