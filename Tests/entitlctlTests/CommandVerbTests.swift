import Foundation
import JSON
import TestSupport
import Testing

/// What the verbs that change something send and print, to the letter.
struct CommandVerbTests {
    private let status: JSONValue = [
        "userId": "alice", "state": "subscribed", "plan": "premium", "expiresAt": nil,
    ]

    @Test func `register derives the token or sends it`() throws {
        let daemon = try FakeDaemon([
            "registerAccount": .result([
                "appAccountToken": "t", "created": true, "creditsRemaining": 3,
            ])
        ])
        let run = try Invocation(["register", "alice", "--socket", daemon.path])
        #expect(
            run.output == "appAccountToken   t\ncreated           yes\ncreditsRemaining  3\n"
        )
        _ = try Invocation(["register", "alice", "--token", "t", "--socket", daemon.path])
        #expect(
            daemon.requests.map(\.params) == [
                ["userId": "alice"], ["userId": "alice", "appAccountToken": "t"],
            ]
        )
    }

    @Test func `verify reads the document and sends the claims`() throws {
        let daemon = try FakeDaemon(["verifyPurchase": .result(["applied": true])])
        let run = try Invocation(
            [
                "verify", "alice", "--jws", "-", "--product-id", "p", "--transaction-id", "1",
                "--original-transaction-id", "2", "--token", "t", "--socket", daemon.path,
            ],
            input: "a.b.c\n"
        )
        #expect(run.output == "applied  yes\n")
        #expect(
            daemon.requests.map(\.params) == [
                [
                    "userId": "alice", "signedTransaction": "a.b.c", "productId": "p",
                    "transactionId": "1", "originalTransactionId": "2", "appAccountToken": "t",
                ]
            ]
        )
    }

    @Test func `verify reads both documents from files`() throws {
        let daemon = try FakeDaemon(["verifyPurchase": .result(["applied": false])])
        let scratch = try Scratch()
        defer { withExtendedLifetime(scratch) {} }
        let first = try scratch.write("a.b.c", to: "t")
        let second = try scratch.write("d.e.f\n", to: "r")
        _ = try Invocation([
            "verify", "alice", "--jws", first, "--renewal-info", second, "--socket", daemon.path,
        ])
        #expect(
            daemon.requests.map(\.params) == [
                ["userId": "alice", "signedTransaction": "a.b.c", "signedRenewalInfo": "d.e.f"]
            ]
        )
        let missing = try Invocation([
            "verify", "alice", "--jws", first + "x", "--socket", daemon.path,
        ])
        #expect(missing.code == 2)
        #expect(missing.complaint.contains("cannot be read"))
        let directory = try Invocation([
            "verify", "alice", "--jws", scratch.path, "--socket", daemon.path,
        ])
        #expect(directory.code == 2)
        #expect(directory.complaint.hasPrefix("Error: \(scratch.path) cannot be read"))
    }

    /// Two ids that are no UTF-8 must not become one.
    @Test func `a word that is not UTF-8 is refused before anybody is asked`() throws {
        let run = try Invocation([], inShell: #""$0" erase "$(printf '\377\376')" --yes"#)
        #expect(run.code == 2 && run.output.isEmpty)
        #expect(run.complaint.hasPrefix("Error: an argument is not UTF-8"))
        let good = try Invocation([], inShell: #""$0" ping "$(printf '\303\251')""#)
        #expect(good.code == 2 && !good.complaint.contains("UTF-8"))
    }

    @Test func `grant sends everything and prints the grant`() throws {
        let daemon = try FakeDaemon([
            "grantEntitlement": .result([
                "grant": "g1", "status": status, "replayed": false, "seq": 7,
            ])
        ])
        let run = try Invocation([
            "grant", "alice", "--plan", "premium", "--key", "k", "--expires-at",
            "2027-01-01T00:00:00.000Z", "--starts-at", "2026-01-01T00:00:00.000Z", "--store",
            "stripe", "--reason", "a gift", "--socket", daemon.path,
        ])
        #expect(
            run.output == """
                grant      g1
                replayed   no
                state      subscribed
                plan       premium
                expiresAt  -
                seq        7

                """
        )
        #expect(
            daemon.requests.map(\.params) == [
                [
                    "userId": "alice", "plan": "premium", "idempotencyKey": "k",
                    "expiresAt": "2027-01-01T00:00:00.000Z",
                    "startsAt": "2026-01-01T00:00:00.000Z", "store": "stripe",
                    "reason": "a gift",
                ]
            ]
        )
    }

    @Test func `grant makes up a key and prints it`() throws {
        let daemon = try FakeDaemon([
            "grantEntitlement": .result([
                "grant": "g1", "status": status, "replayed": false, "seq": 7,
            ])
        ])
        let arguments = ["grant", "alice", "--plan", "premium", "--socket", daemon.path]
        let text = try Invocation(arguments)
        let key = try #require(daemon.requests.first?.params["idempotencyKey"]?.string)
        #expect(text.output.contains("idempotencyKey  \(key)\n"))
        let json = try Invocation(arguments + ["--json"])
        let second = try #require(daemon.requests.last?.params["idempotencyKey"]?.string)
        #expect(second != key)
        #expect(json.output.hasSuffix(#""seq":7,"idempotencyKey":"\#(second)"}"# + "\n"))
    }

    @Test func `a grant whose fate is unknown says how to repeat it`() throws {
        let daemon = try FakeDaemon(["grantEntitlement": .hangUp])
        let run = try Invocation(["grant", "alice", "--plan", "p", "--socket", daemon.path])
        let key = try #require(daemon.requests.first?.params["idempotencyKey"]?.string)
        #expect(
            run.complaint == """
                entitlctl: to repeat this grant, add --key \(key)
                entitlctl: connection_lost: the connection ended before the reply

                """
        )
        #expect(run.code == 69)
    }

    @Test(arguments: ["", "n\n", "no\n", "maybe\n"])
    func `revoke asks and does nothing without a yes`(answer: String) throws {
        let daemon = try FakeDaemon(["revokeGrant": .result(["status": status, "seq": 8])])
        let run = try Invocation(
            ["revoke", "alice", "g1", "--socket", daemon.path],
            input: answer
        )
        #expect(run.output.isEmpty)
        #expect(
            run.complaint
                == "Revoke the grant g1 of alice? [y/N] entitlctl: nothing was revoked\n"
        )
        #expect(run.code == 1)
        #expect(daemon.requests.isEmpty)
    }

    @Test(arguments: ["y\n", "yes\n", "YES"])
    func `revoke does it after a yes`(answer: String) throws {
        let daemon = try FakeDaemon(["revokeGrant": .result(["status": status, "seq": 8])])
        let run = try Invocation(
            ["revoke", "alice", "g1", "--reason", "over", "--socket", daemon.path],
            input: answer
        )
        #expect(
            run.output == "revoked  g1\nstate    subscribed\nplan     premium\nseq      8\n"
        )
        #expect(run.code == 0)
        #expect(
            daemon.requests.map(\.params) == [
                ["userId": "alice", "grant": "g1", "reason": "over"]
            ]
        )
    }

    @Test func `move-purchase asks, and moves after a yes`() throws {
        let daemon = try FakeDaemon(["movePurchase": .result(["status": status, "seq": 9])])
        let words = ["move-purchase", "alice", "app_store", "7", "--reason", "asked"]
        let refused = try Invocation(words + ["--socket", daemon.path], input: "n\n")
        #expect(refused.code == 1 && daemon.requests.isEmpty)
        let run = try Invocation(words + ["--socket", daemon.path], input: "y\n")
        #expect(run.code == 0)
        #expect(run.output.hasPrefix("moved") && run.output.contains("subscribed"))
        #expect(
            daemon.requests.map(\.params) == [
                [
                    "store": "app_store", "originalTransactionId": "7", "toUserId": "alice",
                    "reason": "asked",
                ]
            ]
        )
    }

    @Test func `find prints every match, and exits 1 where nothing is called so`() throws {
        let match: JSONValue = [
            "userId": "alice", "what": "transaction", "store": "google_play",
            "originalTransactionId": "GPA.1",
        ]
        let daemon = try FakeDaemon(["find": .result(["matches": [match, match]])])
        let run = try Invocation(["find", "GPA.1..2", "--socket", daemon.path])
        let block = """
            userId                 alice
            what                   transaction
            store                  google_play
            originalTransactionId  GPA.1

            """
        #expect(run.output == block + "\n" + block)
        #expect(run.code == 0)
        #expect(daemon.requests.map(\.params) == [["text": "GPA.1..2"]])
        let other = try FakeDaemon(["find": .result(["matches": []])])
        let nobody = try Invocation(["find", "GPA.7", "--socket", other.path])
        #expect(nobody.output == "nothing is called so\n" && nobody.code == 1)
    }

    @Test func `merge asks, and tells the key that it made up`() throws {
        let daemon = try FakeDaemon([
            "mergeAccounts": .result(["status": status, "replayed": false, "seq": 9])
        ])
        let words = ["merge", "guest", "alice", "--socket", daemon.path]
        let refused = try Invocation(words, input: "n\n")
        #expect(refused.code == 1 && daemon.requests.isEmpty)
        let run = try Invocation(words, input: "y\n")
        #expect(run.code == 0)
        #expect(run.output.contains("guest") && run.output.contains("idempotencyKey"))
        let params = daemon.requests.first?.params
        #expect(params?["fromUserId"] == "guest" && params?["intoUserId"] == "alice")
        #expect(params?["idempotencyKey"]?.string?.isEmpty == false)
    }

    @Test func `revoke with --yes does not ask`() throws {
        let daemon = try FakeDaemon(["revokeGrant": .result(["status": status, "seq": 8])])
        let run = try Invocation(["revoke", "alice", "g1", "--yes", "--socket", daemon.path])
        #expect(run.complaint.isEmpty)
        #expect(run.code == 0)
        #expect(daemon.requests.count == 1)
    }
}
