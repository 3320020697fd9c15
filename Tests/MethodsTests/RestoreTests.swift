import EntitlementsClient
import Fixtures
import JSON
import Testing

/// restorePurchases, and whose a purchase is afterwards (docs/calls.md, "Whose a purchase is").
@Suite struct RestoreTests {
    @Test(arguments: ["move", "share", "refuse"])
    func `another's purchase goes by the policy`(_ policy: String) throws {
        var setup = TestService.Setup()
        setup.accounts = "{ transferPolicy: \(policy) }"
        let service = try TestService.started(setup)
        let account = try service.call("registerAccount", ["userId": "alice"])
        let mine = StoreLife(token: account["appAccountToken"]?.string)
        #expect(
            try service.deliver(service.voice.notification("SUBSCRIBED", about: mine))
                == (200, "applied")
        )
        let nobodys = StoreLife()
        let documents = try [mine, nobodys, mine]
            .map { JSONValue.string(try service.voice.purchase($0)) }
        let restored = try service.call(
            "restorePurchases",
            ["userId": "bob", "signedTransactions": .array(documents)]
        )
        let outcome = ["move": "moved", "share": "shared", "refuse": "refused"][policy] ?? ""
        #expect(
            restored["results"] == [
                [
                    "originalTransactionId": .string(mine.originalID),
                    "outcome": .string(outcome),
                ],
                [
                    "originalTransactionId": .string(nobodys.originalID), "outcome": "linked",
                ],
            ]
        )
        #expect(try service.canRender("alice")["canRender"]?.bool == (policy != "move"))
        #expect(try service.status("alice")["hadSubscription"] == true)
        #expect(try service.canRender("bob")["canRender"] == true)
        // The next renewal reaches those who use it, and nobody else.
        var next = mine
        next.renew()
        #expect(
            try service.deliver(service.voice.notification("DID_RENEW", about: next))
                == (200, "applied")
        )
        #expect(try service.canRender("alice")["canRender"]?.bool == (policy != "move"))
        let again = try service.call(
            "restorePurchases",
            ["userId": "bob", "signedTransactions": .array([documents[0]])]
        )
        let second = policy == "refuse" ? "refused" : "already_owned"
        #expect(again["results"]?.array?.first?["outcome"]?.string == second)
        #expect(try service.isSoundOnceStopped())
    }

    @Test func `a credit pack among the purchases is credited, and not listed`() throws {
        var setup = TestService.Setup()
        setup.catalog = "creditPacks: { com.example.pack: 10 }\n"
        let service = try TestService.started(setup)
        let account = try service.call("registerAccount", ["userId": "alice"])
        let token = account["appAccountToken"]?.string ?? ""
        let before = try service.status("alice")["creditsRemaining"]?.int64 ?? -1
        let life = StoreLife(token: token)
        let documents = [
            try service.voice.pack("2000000000000001", of: token),
            try service.voice.purchase(life),
        ]
        for outcome in ["linked", "already_owned"] {
            let restored = try service.call(
                "restorePurchases",
                [
                    "userId": "alice",
                    "signedTransactions": .array(documents.map { .string($0) }),
                ]
            )
            let listed: JSONObject = [
                "originalTransactionId": .string(life.originalID), "outcome": .string(outcome),
            ]
            #expect(restored["results"] == [.object(listed)])
            #expect(try service.status("alice")["creditsRemaining"]?.int64 == before + 10)
        }
    }

    @Test func `a purchase seen for the first time is linked, or is its token's owner's`() throws {
        let service = try TestService.started()
        func restore(_ user: String, _ life: StoreLife) throws -> String? {
            let document = JSONValue.string(try service.voice.purchase(life))
            return try
                service
                .call(
                    "restorePurchases",
                    ["userId": .string(user), "signedTransactions": [document]]
                )["results"]?
                .array?
                .first?["outcome"]?
                .string
        }
        let alice = try service.call("registerAccount", ["userId": "alice"])
        let own = StoreLife(token: alice["appAccountToken"]?.string)
        #expect(try restore("alice", own) == "linked")
        #expect(try restore("alice", own) == "already_owned")
        let other = StoreLife(token: alice["appAccountToken"]?.string)
        #expect(try restore("bob", other) == "moved")
        #expect(try service.canRender("bob")["canRender"] == true)
    }

    @Test func `one document that does not verify fails the call whole`() throws {
        let service = try TestService.started()
        let good = JSONValue.string(try service.voice.purchase(StoreLife()))
        let parameters: JSONObject = [
            "userId": "alice", "signedTransactions": .array([good, good, "a.b.c"]),
        ]
        let error = try service.refusal(of: "restorePurchases", parameters)
        #expect(error?.code == -32020)
        #expect(error?.object["data"]?["index"]?.int64 == 2)
        #expect(try service.rows(of: "subscriptions").isEmpty)
        #expect(try service.canRender("alice")["reason"] == "no_account")
    }
}
