import EntitlementsClient
import Fixtures
import JSON
import TestSupport
import Testing

/// A user id whose account was merged, and whose person was erased, more than once.
@Suite struct ErasedTwiceTests {
    private static func steps(_ text: String) -> [[String]] {
        text.split(separator: ",").map { $0.split(separator: " ").map(String.init) }
    }

    private func play(_ steps: [[String]], on service: TestService) throws {
        for step in steps {
            let user = JSONValue.string(step[1])
            switch step[0] {
            case "register": _ = try service.call("registerAccount", ["userId": user])
            case "erase": _ = try service.call("eraseUser", ["userId": user], admin: true)
            case "grant":
                let grant: JSONObject = [
                    "userId": user, "amount": 1, "idempotencyKey": .string("\(step)"),
                ]
                _ = try service.call("grantCredits", grant, admin: true)
            default:
                let login: JSONObject = [
                    "fromUserId": user, "intoUserId": .string(step[2]),
                    "idempotencyKey": .string("\(step)"),
                ]
                _ = try service.call("mergeAccounts", login)
            }
        }
    }

    @Test(arguments: [
        "register a,register b,merge a b,erase b,grant a,erase a",
        "register a,register b,merge a b,erase b,register a,erase a",
        "register a,register b,merge a b,erase b,grant a,register c,merge a c,erase c",
    ])
    func `has its own token again, and what is bought with it`(story: String) throws {
        let service = try TestService.started()
        let token = try service.call("registerAccount", ["userId": "a"])["appAccountToken"]
        try play(Self.steps(story), on: service)
        #expect(try service.call("registerAccount", ["userId": "a"])["appAccountToken"] == token)
        let life = StoreLife(token: token?.string)
        let body = try service.voice.notification("SUBSCRIBED", about: life)
        #expect(try service.deliver(body) == (200, "applied"))
        #expect(try service.status("a")["isSubscriber"] == true)
        #expect(try service.isSoundOnceStopped())
    }

    /// With pseudonyms of one byte, two of these would be one person in the journal.
    @Test func `persons with ids of one letter stay apart in the journal`() throws {
        let service = try TestService.started()
        let letters = "abcdefghijklmnopqrstuvwxyz".map(String.init)
        try play(letters.map { ["register", $0] }, on: service)
        for (index, letter) in letters.enumerated() {
            let token = try service.call("registerAccount", ["userId": .string(letter)])
            // Apple's ids in Xcode's local tests are as short.
            var life = StoreLife(token: token["appAccountToken"]?.string)
            life.originalID = "\(index)"
            life.transactionID = life.originalID
            let body = try service.voice.notification("SUBSCRIBED", about: life)
            #expect(try service.deliver(body) == (200, "applied"))
        }
        for (from, into) in zip(letters.dropLast(), letters.dropFirst()) {
            try play([["grant", from], ["merge", from, into]], on: service)
        }
        try play([["grant", "a"], ["erase", "z"], ["erase", "a"]], on: service)
        #expect(try service.isSoundOnceStopped())
    }

    /// What another user's token was is nobody's to name.
    @Test func `another user's token stays away`() throws {
        let service = try TestService.started()
        let token = try service.call("registerAccount", ["userId": "a"])["appAccountToken"]
        try play(Self.steps("erase a"), on: service)
        let named: JSONObject = ["userId": "b", "appAccountToken": token ?? .null]
        #expect(try service.refusal(of: "registerAccount", named)?.code == -32021)
        #expect(try service.call("registerAccount", ["userId": "a"])["appAccountToken"] == token)
    }

    /// A merge keeps the credits of registration once.
    @Test func `credits of a grant do not call themselves those of registration`() throws {
        let service = try TestService.started()
        _ = try service.call("registerAccount", ["userId": "a"])
        for method in ["grantCredits", "adjustCredits"] {
            let order: JSONObject = [
                "userId": "a", "amount": 5, "idempotencyKey": "k", "source": "free",
            ]
            #expect(try service.refusal(of: method, order, admin: true)?.code == -32602)
        }
    }
}
