import EntitlementsClient
import JSON
import Testing

/// restorePurchases, and whose a purchase is afterwards (docs/calls.md, "Whose a purchase is").
@Suite struct RestoreTests {
    @Test(arguments: ["move", "share", "refuse"])
    func `another's purchase goes by the policy`(_ policy: String) throws {
        var setup = TestDaemon.Setup()
        setup.accounts = "{ transferPolicy: \(policy) }"
        let daemon = try TestDaemon.started(setup)
        let account = try daemon.call("registerAccount", ["userId": "alice"])
        let mine = StoreLife(token: account["appAccountToken"]?.string)
        #expect(
            try daemon.deliver(daemon.voice.notification("SUBSCRIBED", about: mine))
                == (200, "applied")
        )
        let nobodys = StoreLife()
        let documents = try [mine, nobodys, mine]
            .map { JSONValue.string(try daemon.voice.purchase($0)) }
        let restored = try daemon.call(
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
        #expect(try daemon.canRender("alice")["canRender"]?.bool == (policy != "move"))
        #expect(try daemon.status("alice")["hadSubscription"] == true)
        #expect(try daemon.canRender("bob")["canRender"] == true)
        // The next renewal reaches those who use it, and nobody else.
        var next = mine
        next.renew()
        #expect(
            try daemon.deliver(daemon.voice.notification("DID_RENEW", about: next))
                == (200, "applied")
        )
        #expect(try daemon.canRender("alice")["canRender"]?.bool == (policy != "move"))
        let again = try daemon.call(
            "restorePurchases",
            ["userId": "bob", "signedTransactions": .array([documents[0]])]
        )
        let second = policy == "refuse" ? "refused" : "already_owned"
        #expect(again["results"]?.array?.first?["outcome"]?.string == second)
        #expect(daemon.stop() == .exited(0))
        #expect(try daemon.run("verify").ending == .exited(0))
    }

    @Test func `a credit pack among the purchases is credited, and not listed`() throws {
        var setup = TestDaemon.Setup()
        setup.catalog = "creditPacks: { com.example.pack: 10 }\n"
        let daemon = try TestDaemon.started(setup)
        let account = try daemon.call("registerAccount", ["userId": "alice"])
        let token = account["appAccountToken"]?.string ?? ""
        let before = try daemon.status("alice")["creditsRemaining"]?.int64 ?? -1
        let life = StoreLife(token: token)
        let documents = [
            try daemon.voice.pack("2000000000000001", of: token),
            try daemon.voice.purchase(life),
        ]
        for outcome in ["linked", "already_owned"] {
            let restored = try daemon.call(
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
            #expect(try daemon.status("alice")["creditsRemaining"]?.int64 == before + 10)
        }
    }

    @Test func `a purchase seen for the first time is linked, or is its token's owner's`() throws {
        let daemon = try TestDaemon.started()
        func restore(_ user: String, _ life: StoreLife) throws -> String? {
            let document = JSONValue.string(try daemon.voice.purchase(life))
            return try
                daemon
                .call(
                    "restorePurchases",
                    ["userId": .string(user), "signedTransactions": [document]]
                )["results"]?
                .array?
                .first?["outcome"]?
                .string
        }
        let alice = try daemon.call("registerAccount", ["userId": "alice"])
        let own = StoreLife(token: alice["appAccountToken"]?.string)
        #expect(try restore("alice", own) == "linked")
        #expect(try restore("alice", own) == "already_owned")
        let other = StoreLife(token: alice["appAccountToken"]?.string)
        #expect(try restore("bob", other) == "moved")
        #expect(try daemon.canRender("bob")["canRender"] == true)
    }

    @Test func `one document that does not verify fails the call whole`() throws {
        let daemon = try TestDaemon.started()
        let good = JSONValue.string(try daemon.voice.purchase(StoreLife()))
        let parameters: JSONObject = [
            "userId": "alice", "signedTransactions": .array([good, good, "a.b.c"]),
        ]
        let error = try daemon.refusal(of: "restorePurchases", parameters)
        #expect(error?.code == -32020)
        #expect(error?.object["data"]?["index"]?.int64 == 2)
        #expect(try daemon.rows(of: "subscriptions").isEmpty)
        #expect(try daemon.canRender("alice")["reason"] == "no_account")
    }
}
