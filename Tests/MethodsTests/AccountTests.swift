import EntitlementsClient
import Fixtures
import JSON
import Testing

/// registerAccount, grants and the admin's look inside.
@Suite struct AccountTests {
    @Test func `a token without a name is derived from the user id, and stays`() throws {
        // The first 16 bytes of SHA-256, version 8, variant 10; made by Python's hashlib.
        let known = [
            "alice": "0640ee36-9aef-80b6-aa42-790840cec83b",
            "user-1": "57f3e8b2-57ab-8503-b8ef-fa1f277d7295",
            "\u{fc}n\u{ef}\u{1f600}": "379ea196-6634-8ad2-85a8-2673d7d1ca60",
            "550E8400-E29B-41D4-A716-446655440000": "2b9a4e14-da54-81a1-933a-8f5ac3159a85",
        ]
        var setup = TestService.Setup()
        setup.catalog = "freeCredits: 3"
        let service = try TestService.started(setup)
        for (user, token) in known {
            let first = try service.call("registerAccount", ["userId": .string(user)])
            let keys = [
                "appAccountToken", "created", "creditsRemaining", "obfuscatedAccountId",
            ]
            #expect(first.object?.keys == keys)
            #expect(first["appAccountToken"]?.string == token)
            #expect(first["created"]?.bool == true)
            #expect(first["creditsRemaining"] == 3)
            #expect(first["obfuscatedAccountId"]?.string?.prefix(8) == token.prefix(8))
            let again = try service.call("registerAccount", ["userId": .string(user)])
            #expect(again["appAccountToken"]?.string == token)
            #expect(again["created"]?.bool == false)
            #expect(again["creditsRemaining"] == 3, "free credits come once")
        }
        #expect(try service.canRender("alice")["via"]?.string == "credits")
        let dear = try service.call("canRender", ["userId": "alice", "cost": 4])
        #expect(dear["canRender"]?.bool == false)
        #expect(dear["reason"]?.string == "credits_exhausted")
        #expect(try service.status("alice")["state"]?.string == "free_with_credits")
        #expect(try service.isSoundOnceStopped())
        var other = TestService.Setup()
        other.accounts = "{ tokenNamespace: shop }"
        let shop = try TestService.started(other)
        let account = try shop.call("registerAccount", ["userId": "alice"])
        #expect(account["appAccountToken"]?.string == "8346d748-0172-8dde-a6f6-a68104636d30")
    }

    @Test func `a token has one user, and a user may have several`() throws {
        let service = try TestService.started()
        let token: JSONValue = "11111111-2222-4333-8444-555555555555"
        let mine: JSONObject = ["userId": "alice", "appAccountToken": token]
        #expect(try service.call("registerAccount", mine)["created"]?.bool == true)
        #expect(try service.call("registerAccount", mine)["created"]?.bool == false)
        let second: JSONObject = [
            "userId": "alice", "appAccountToken": "11111111-2222-4333-8444-666666666666",
        ]
        #expect(try service.refusal(of: "registerAccount", second) == nil)
        let theirs: JSONObject = ["userId": "bob", "appAccountToken": token]
        let error = try service.refusal(of: "registerAccount", theirs)
        #expect(error?.code == -32021)
        #expect(error?.name == "ownership_conflict")
        #expect(try service.canRender("bob")["reason"]?.string == "no_account")
        let loud: JSONObject = [
            "userId": "bob", "appAccountToken": "11111111-2222-4333-8444-55555555555A",
        ]
        let folded = try service.call("registerAccount", loud)
        #expect(folded["appAccountToken"]?.string == "11111111-2222-4333-8444-55555555555a")
        for wrong in ["x", "", "00000000-0000-0000-0000-000000000000"] {
            let error = try service.refusal(
                of: "registerAccount",
                ["userId": "carol", "appAccountToken": .string(wrong)]
            )
            #expect(error?.code == -32602, "\(wrong)")
        }
    }

    @Test func `a grant gives access, is replayed under its key, and can be taken back`() throws {
        let service = try TestService.started()
        let order: JSONObject = [
            "userId": "alice", "plan": "premium", "idempotencyKey": "first",
            "expiresAt": "2099-01-01T00:00:00.000Z", "reason": "support",
        ]
        let first = try service.call("grantEntitlement", order, admin: true)
        #expect(first.object?.keys == ["grant", "status", "replayed", "seq"])
        #expect(first["replayed"]?.bool == false)
        #expect(first["status"]?["subscriptionMethod"]?.string == "grant")
        #expect(first["status"]?["plan"]?.string == "premium")
        #expect(first["status"]?["state"]?.string == "subscribed")
        #expect(first["status"]?["subscription"]?.isNull == true)
        #expect(first["status"]?["hadSubscription"]?.bool == false)
        #expect(first["status"]?["expiresAt"]?.string == "2099-01-01T00:00:00.000Z")
        #expect(try service.canRender("alice")["via"]?.string == "grant")
        let why = try service.call("explain", ["userId": "alice"])["grants"]?.array
        #expect(why?.count == 1 && why?.first?["plan"] == "premium" && why?.first?["holds"] == true)
        try service.restart()
        let again = try service.call("grantEntitlement", order, admin: true)
        #expect(again["replayed"]?.bool == true)
        #expect(again["grant"] == first["grant"])
        #expect(again["seq"] == first["seq"])
        var other = order
        other["plan"] = "paid"
        let mismatch = try service.refusal(of: "grantEntitlement", other, admin: true)
        #expect(mismatch?.code == -32023)
        #expect(mismatch?.name == "idempotency_mismatch")
        other["plan"] = "no-such-plan"
        other["idempotencyKey"] = "second"
        let unknown = try service.refusal(of: "grantEntitlement", other, admin: true)
        #expect(unknown?.code == -32602)
        let grant = try #require(first["grant"])
        let strangers: JSONObject = ["userId": "bob", "grant": grant]
        #expect(try service.refusal(of: "revokeGrant", strangers, admin: true)?.code == -32024)
        for name in ["g999999", "nonsense"] {
            let parameters: JSONObject = ["userId": "alice", "grant": .string(name)]
            let error = try service.refusal(of: "revokeGrant", parameters, admin: true)
            #expect(error?.code == -32024)
            #expect(error?.name == "not_found")
        }
        let mine: JSONObject = ["userId": "alice", "grant": grant]
        let revoked = try service.call("revokeGrant", mine, admin: true)
        #expect(revoked.object?.keys == ["status", "seq"])
        #expect(revoked["status"]?["canRender"]?.bool == false)
        #expect(revoked["status"]?["paywall"]?.string == "subscribe")
        // It has no key: what was taken back is unknown from then on.
        #expect(try service.refusal(of: "revokeGrant", mine, admin: true)?.code == -32024)
    }

    @Test func `a page of one row walks through everything, and get finds each row`() throws {
        let service = try TestService.started()
        for index in 0..<7 {
            let user = "user-\(index)"
            let account = try service.call("registerAccount", ["userId": .string(user)])
            let life = StoreLife(token: account["appAccountToken"]?.string)
            _ = try service.deliver(service.voice.notification("SUBSCRIBED", about: life))
        }
        let all = try service.rows()
        #expect(try service.rows(limit: 1) == all)
        #expect(try service.rows(limit: 3) == all)
        for (table, count) in [("accounts", 7), ("subscriptions", 7), ("tokens", 7)] {
            let rows = try service.rows(of: table, limit: 1)
            #expect(rows.count == count, "\(table)")
            #expect(rows == all.filter { $0["table"]?.string == table })
        }
        for row in all {
            let table = try #require(row["table"])
            let key = try #require(row["key"])
            let found = try service.call("get", ["table": table, "key": key], admin: true)
            #expect(found["value"] == row["value"], "\(table)")
        }
        let some = try service.call(
            "dump",
            ["table": "accounts", "prefix": "user-3"],
            admin: true
        )
        #expect(some["entries"]?.array?.map { $0["key"]?.string } == ["user-3"])
        #expect(some["cursor"]?.isNull == true)
        let missing: JSONObject = ["table": "accounts", "key": "nobody"]
        #expect(try service.refusal(of: "get", missing, admin: true)?.code == -32024)
        for wrong: JSONObject in [["table": "x"], ["limit": 0], ["limit": 1001], ["cursor": "x"]] {
            #expect(try service.refusal(of: "dump", wrong, admin: true)?.code == -32602)
        }
    }
}
