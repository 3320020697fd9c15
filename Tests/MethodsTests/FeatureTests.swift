import EntitlementsClient
import JSON
import Testing

/// `can` and `find`.
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
}
