import EntitlementsClient
import Fixtures
import Foundation
import JSON
import Testing

/// What a daemon writes of purchases into its log.
@Suite struct PurchaseLogTests {
    private func verify(
        _ daemon: TestDaemon,
        _ user: String,
        _ document: String,
        _ claims: JSONObject = [:]
    ) throws -> Result<JSONValue, ClientError> {
        var parameters = claims
        parameters["userId"] = .string(user)
        parameters["signedTransaction"] = .string(document)
        do {
            return .success(try daemon.call("verifyPurchase", parameters))
        } catch let error as ClientError {
            return .failure(error)
        }
    }

    private func refusal(_ result: Result<JSONValue, ClientError>) -> ClientError? {
        if case .failure(let error) = result { error } else { nil }
    }

    @Test func `no document, token or user id stands in the log`() throws {
        var setup = TestDaemon.Setup()
        setup.logLevel = "trace"
        let daemon = try TestDaemon.started(setup)
        let account = try daemon.call("registerAccount", ["userId": "secret-user-id"])
        let token = try #require(account["appAccountToken"]?.string)
        let life = StoreLife(token: token)
        let document = try daemon.voice.purchase(life)
        let body = try daemon.voice.notification("SUBSCRIBED", "INITIAL_BUY", about: life)
        #expect(try daemon.deliver(body) == (200, "applied"))
        #expect(try verify(daemon, "secret-user-id", document).get()["applied"] != nil)
        #expect(refusal(try verify(daemon, "secret-mallory", document))?.code == -32021)
        let strange = try StoreVoice().notification("SUBSCRIBED", about: life)
        #expect(try daemon.deliver(strange).status == 401)
        _ = try daemon.refusal(
            of: "grantEntitlement",
            ["userId": "secret-user-id", "plan": "paid", "idempotencyKey": "secret-key"],
            admin: true
        )
        try daemon.restart()
        let log = daemon.log
        #expect(TestDaemon.event("Notification", in: log)?["transaction"] == nil)
        #expect(log.contains(String(life.transactionID.suffix(4))))
        let payload = String(decoding: body, as: UTF8.self)
        for (name, text) in [
            ("user", "secret"), ("token", token), ("original id", life.originalID),
            ("document", String(document.prefix(40))),
            ("payload", String(payload.dropFirst(18).prefix(40))),
            ("signature", String(document.suffix(40))),
        ] {
            #expect(!log.contains(text), "the log holds a \(name)")
        }
    }
}
