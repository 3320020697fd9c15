import EntitlementsClient
import Fixtures
import Forgery
import Foundation
import JSON
import TestSupport
import Testing

/// A purchase whose token no account has: whoever holds the document must not get it, by whichever
/// method (docs/decisions/0007-token-of-nobody.md).
@Suite struct NobodysTokenTests {
    private let token = UUID().uuidString.lowercased()

    private func restore(
        _ service: TestService,
        _ user: String,
        _ documents: [String],
        naming token: String? = nil
    ) throws -> [String] {
        var asked: JSONObject = [
            "userId": .string(user), "signedTransactions": .array(documents.map { .string($0) }),
        ]
        asked["appAccountToken"] = token.map { .string($0) }
        let answer = try service.call("restorePurchases", asked)
        return answer["results"]?.array?.compactMap { $0["outcome"]?.string } ?? []
    }

    private func conflict(
        _ service: TestService,
        _ method: String,
        _ asked: JSONObject
    ) throws -> String? {
        let error = try service.refusal(of: method, asked)
        return error?.code == -32021 ? error?.reason : nil
    }

    @Test(arguments: ["move", "share", "refuse"])
    func `its owner is not locked out by who shows it first`(_ policy: String) throws {
        var setup = TestService.Setup()
        setup.accounts = "{ transferPolicy: \(policy) }"
        let service = try TestService.started(setup)
        let life = StoreLife(token: token)
        let document = try service.voice.purchase(life)
        #expect(try restore(service, "mallory", [document]) == ["refused"])
        #expect(
            try conflict(
                service,
                "verifyPurchase",
                ["userId": "mallory", "signedTransaction": .string(document)]
            ) == "unknown_token"
        )
        // A document of the same purchase without it, once a notification has told of it.
        let body = try service.voice.notification("SUBSCRIBED", about: life)
        #expect(try service.deliver(body).status == 200)
        var bare = life
        bare.token = nil
        bare.purchased -= 30 * StoreLife.day
        bare.transactionID = String((UInt64(life.transactionID) ?? 0) - 1)
        let older = try service.voice.purchase(bare)
        #expect(try restore(service, "mallory", [older]) == ["refused"])
        #expect(try restore(service, "mallory", [older, document]) == ["refused"])
        #expect(try service.canRender("mallory")["canRender"] == false)
        let owner: JSONObject = ["userId": "alice", "appAccountToken": .string(token)]
        _ = try service.call("registerAccount", owner)
        #expect(try service.canRender("alice")["canRender"] == true)
        #expect(try restore(service, "alice", [older, document]) == ["already_owned"])
        #expect(
            try conflict(
                service,
                "verifyPurchase",
                ["userId": "mallory", "signedTransaction": .string(document)]
            ) == "owned"
        )
        let signed = try service.voice.purchase(StoreLife(token: token))
        #expect(
            try conflict(
                service,
                "verifyPurchase",
                ["userId": "mallory", "signedTransaction": .string(signed)]
            ) == "token"
        )
        let claim: JSONObject = ["userId": "mallory", "appAccountToken": .string(token)]
        #expect(try conflict(service, "registerAccount", claim) == "token")
        #expect(try service.isSoundOnceStopped())
    }

    @Test func `a token that is named becomes the user's by restoring`() throws {
        let service = try TestService.started()
        let document = try service.voice.purchase(StoreLife(token: token))
        #expect(try restore(service, "alice", [document], naming: token) == ["linked"])
        #expect(try service.canRender("alice")["canRender"] == true)
        let other: JSONObject = ["userId": "bob", "appAccountToken": .string(token)]
        #expect(try conflict(service, "registerAccount", other) == "token")
        // The derived one needs no name.
        let derived = try service.call("registerAccount", ["userId": "carol"])["appAccountToken"]
        let another = try TestService.started()
        let own = try another.voice.purchase(StoreLife(token: derived?.string))
        #expect(try restore(another, "carol", [own]) == ["linked"])
    }

    /// Somebody had their account erased, and comes back under another user id.
    @Test func `the token of an erased person counts as none, and becomes nobody's`() throws {
        let service = try TestService.started()
        let owner: JSONObject = ["userId": "alice", "appAccountToken": .string(token)]
        _ = try service.call("registerAccount", owner)
        var life = StoreLife(token: token)
        let body = try service.voice.notification("SUBSCRIBED", about: life)
        #expect(try service.deliver(body) == (200, "applied"))
        let erased = try service.call("eraseUser", ["userId": "alice"], admin: true)
        #expect(erased["erased"] == true)
        let other = StoreLife(token: token)
        let shown: JSONObject = [
            "userId": "alicia", "appAccountToken": .string(token),
            "signedTransaction": .string(try service.voice.purchase(life)),
        ]
        #expect(try service.call("verifyPurchase", shown)["applied"] == true)
        #expect(try restore(service, "bob", [service.voice.purchase(other)]) == ["linked"])
        let claim: JSONObject = ["userId": "bob", "appAccountToken": .string(token)]
        #expect(try conflict(service, "registerAccount", claim) == "token")
        // It renews for whoever has it, and is not another's for showing it.
        life.renew()
        let renewal = try service.voice.notification("DID_RENEW", about: life)
        #expect(try service.deliver(renewal) == (200, "applied"))
        #expect(try service.call("getStatus", ["userId": "alicia"])["state"] == "subscribed")
        let stolen: JSONObject = [
            "userId": "bob", "signedTransaction": .string(try service.voice.purchase(life)),
        ]
        #expect(try conflict(service, "verifyPurchase", stolen) == "owned")
        // The person returns under the old id: what was linked meanwhile stays linked.
        _ = try service.call("registerAccount", owner)
        #expect(try service.canRender("alice")["canRender"] == false)
        #expect(try service.canRender("alicia")["canRender"] == true)
        #expect(try service.isSoundOnceStopped())
    }

    @Test func `a receipt says nothing of the token that a notification brought`() throws {
        let authority = try ReceiptAuthority.ofThisYear()
        let service = try TestService.trusting(authority)
        let life = StoreLife(token: token)
        let content = ReceiptContent.content(of: life, created: StoreVoice.now - 3_600_000)
        let receipt = JSONValue.string(try authority.receipt(content))
        let body = try service.voice.notification("SUBSCRIBED", about: life)
        #expect(try service.deliver(body).status == 200)
        var asked: JSONObject = ["userId": "mallory", "receiptData": receipt]
        #expect(try conflict(service, "verifyReceipt", asked) == "unknown_token")
        #expect(try service.canRender("mallory")["reason"] == "no_account")
        asked = ["userId": "alice", "receiptData": receipt, "appAccountToken": .string(token)]
        #expect(try service.call("verifyReceipt", asked)["isValid"] == true)
        #expect(try service.canRender("alice")["canRender"] == true)
        asked = ["userId": "mallory", "receiptData": receipt]
        #expect(try conflict(service, "verifyReceipt", asked) == "owned")
    }

    @Test func `nine tokens on one subscription, and the newest shown again without its own`()
        throws
    {
        let service = try TestService.started()
        var life = StoreLife(token: "00000000-0000-4000-8000-000000000001")
        let first: JSONObject = [
            "userId": "alice", "appAccountToken": .string(life.token ?? ""),
        ]
        _ = try service.call("registerAccount", first)
        var lives = [life]
        for number in 2...10 {
            life.renew()
            life.token = "f0000000-0000-4000-8000-0000000000\(number + 10)"
            lives.append(life)
        }
        for told in lives {
            let body = try service.voice.notification("DID_RENEW", about: told)
            #expect(try service.deliver(body).status == 200)
        }
        // Apple repeats what was not answered with 200: a trap would end every start again.
        for told in lives.dropFirst().reversed() {
            var bare = told
            bare.token = nil
            let body = try service.voice.notification("DID_RENEW", about: bare)
            #expect(try service.deliver(body) == (200, "applied"))
        }
        #expect(try service.canRender("alice")["canRender"] == true)
        #expect(try service.isSoundOnceStopped())
    }
}
