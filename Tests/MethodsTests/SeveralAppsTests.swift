import EntitlementsClient
import Fixtures
import Foundation
import JSON
import Testing

/// More apps of one developer account (`apple.apps`), in process.
@Suite struct SeveralAppsTests {
    private static let second = (bundle: "com.example.second", id: Int64(222_333_444))

    private func started() throws -> TestService {
        var setup = TestService.Setup()
        setup.apple =
            "apps: [{ bundleId: \(Self.second.bundle), appAppleId: \(Self.second.id) }]"
        return try TestService.started(setup)
    }

    private func transaction(
        _ life: StoreLife,
        of bundle: String,
        by voice: StoreVoice
    ) throws -> String {
        var payload = life.transaction(signed: voice.signingTime())
        payload["bundleId"] = .string(bundle)
        return try voice.sign(payload)
    }

    /// A notification of this app, with a transaction of that one.
    private func notification(
        _ life: StoreLife,
        of bundle: String,
        _ id: Int64,
        inner: String? = nil,
        by voice: StoreVoice
    ) throws -> [UInt8] {
        let document = try transaction(life, of: inner ?? bundle, by: voice)
        let data: JSONObject = [
            "appAppleId": .integer(id), "bundleId": .string(bundle), "bundleVersion": "1",
            "environment": "Production", "signedTransactionInfo": .string(document), "status": 1,
        ]
        return try voice.body("SUBSCRIBED", "INITIAL_BUY", saying: data)
    }

    @Test func `what is bought in the second app counts, and a third app is refused`() throws {
        let service = try started()
        let voice = service.voice
        let (second, id) = Self.second
        let alice = try service.call("registerAccount", ["userId": "alice"])
        let life = StoreLife(token: alice["appAccountToken"]?.string)
        let told = try notification(life, of: second, id, by: voice)
        #expect(try service.deliver(told) == (200, "applied"))
        #expect(try service.canRender("alice")["via"] == "subscription")
        // The first app goes on.
        let bob = try service.call("registerAccount", ["userId": "bob"])
        let first = try voice.notification(
            "SUBSCRIBED",
            "INITIAL_BUY",
            about: StoreLife(token: bob["appAccountToken"]?.string)
        )
        #expect(try service.deliver(first) == (200, "applied"))
        let shown: JSONObject = [
            "userId": "carol",
            "signedTransaction": .string(try transaction(StoreLife(), of: second, by: voice)),
        ]
        let verified = try service.call("verifyPurchase", shown)
        #expect(verified["entitlement"]?["isActive"] == true)
        #expect(try service.canRender("carol")["canRender"] == true)
        // Neither passes for the other, and nobody for a third.
        let before = try service.rows(of: "subscriptions").count
        let main = (ApplePayloads.bundleID, ApplePayloads.appAppleID)
        for (bundle, number, inner) in [
            ("com.example.third", Int64(7), "com.example.third"),
            ("com.example.third", id, second), (second, main.1, second), (main.0, id, main.0),
            (second, id, main.0), (main.0, main.1, second),
        ] {
            let body = try notification(StoreLife(), of: bundle, number, inner: inner, by: voice)
            #expect(try service.deliver(body).status == 401, "\(bundle) \(number) \(inner)")
        }
        let third: JSONObject = [
            "userId": "dave",
            "signedTransaction": .string(
                try transaction(StoreLife(), of: "com.example.third", by: voice)
            ),
        ]
        let refused = try service.refusal(of: "verifyPurchase", third)
        #expect(refused?.code == -32020 && refused?.reason == "bundle")
        let list: JSONObject = [
            "userId": "dave",
            "signedTransactions": .array([
                .string(try transaction(StoreLife(), of: second, by: voice)),
                .string(try transaction(StoreLife(), of: "com.example.third", by: voice)),
            ]),
        ]
        let restored = try service.refusal(of: "restorePurchases", list)
        #expect(restored?.reason == "bundle")
        #expect(restored?.object["data"]?["index"]?.int64 == 1)
        #expect(try service.rows(of: "subscriptions").count == before)
        // The journal keeps which app it was.
        let pages = try service.call("exportUser", ["userId": "alice"], admin: true)
        #expect(String(decoding: pages.bytes, as: UTF8.self).contains(second))
    }

    @Test func `an app transaction of the second app gives its free credits`() throws {
        var setup = TestService.Setup()
        setup.apple =
            "apps: [{ bundleId: \(Self.second.bundle), appAppleId: \(Self.second.id) }]"
        setup.catalog = "freeCredits: 2\nfreeCreditsOnce: appTransaction"
        let service = try TestService.started(setup)
        func answer(_ bundle: String, _ id: Int64) throws -> Result<Int64?, ClientError> {
            let document = try service.voice.sign([
                "receiptType": "Production", "appAppleId": .integer(id),
                "bundleId": .string(bundle), "appTransactionId": "5",
                "receiptCreationDate": .integer(StoreVoice.now),
            ])
            let params: JSONObject = [
                "userId": "alice", "signedAppTransaction": .string(document),
            ]
            do {
                let answer = try service.call("registerAccount", params)
                return .success(answer["creditsRemaining"]?.int64)
            } catch let error as ClientError {
                return .failure(error)
            }
        }
        func reason(_ result: Result<Int64?, ClientError>) -> String? {
            if case .failure(let error) = result { error.reason } else { nil }
        }
        #expect(reason(try answer("com.example.third", Self.second.id)) == "bundle")
        #expect(reason(try answer(Self.second.bundle, ApplePayloads.appAppleID)) == "app")
        #expect(try answer(Self.second.bundle, Self.second.id).get() == 2)
    }
}
