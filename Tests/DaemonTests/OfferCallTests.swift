import EntitlementsClient
import Foundation
import JSON
import TestSupport
import Testing

/// What is signed for StoreKit, and asked of Apple for one customer, on a live daemon beside the
/// simulated store.
@Suite struct OfferCallTests {
    private let scratch: Scratch
    private let store: PlayedStore
    private let user = UUID().uuidString.lowercased()

    init() throws {
        scratch = try Scratch()
        store = try PlayedStore(month: "10m", in: scratch)
    }

    private func started() throws -> TestDaemon {
        let daemon = try store.daemon(
            reconcile: "{ failuresEverySeconds: 36000, askBeforeEndSeconds: 0 }"
        )
        try daemon.start()
        return daemon
    }

    private func offer(_ members: JSONObject = [:]) -> JSONObject {
        var offer: JSONObject = [
            "userId": .string(user), "productId": "com.example.app.paid.monthly",
            "offerId": "half",
        ]
        for member in members.members { offer[member.key] = member.value }
        return offer
    }

    private func claims(_ jws: JSONValue?) throws -> JSONValue {
        let parts = try #require(jws?.string).split(separator: ".")
        try #require(parts.count == 3)
        var text = String(parts[1]).replacing("-", with: "+").replacing("_", with: "/")
        while text.utf8.count % 4 != 0 { text += "=" }
        return try JSONValue.parse(Array(try #require(Data(base64Encoded: text))))
    }

    @Test func `an offer is signed for the user's token, with a nonce of its own`() throws {
        let daemon = try started()
        let first = try daemon.call("signOffer", offer())
        #expect(first["bundleId"] == "com.example.app")
        #expect(first["applicationUsername"]?.string == user)
        let age = Date().timeIntervalSince1970 * 1_000 - Double(first["timestamp"]?.int64 ?? 0)
        #expect(abs(age) < 60_000)
        let said = try claims(first["jws"])
        #expect(said["aud"] == "promotional-offer" && said["offerIdentifier"] == "half")
        #expect(said["nonce"] == first["nonce"])
        let second = try daemon.call("signOffer", offer())
        #expect(second["nonce"] != first["nonce"] && second["signature"] != first["signature"])
        let nobody = try daemon.call("signOffer", offer(["applicationUsername": ""]))
        #expect(nobody["applicationUsername"] == "")
        let named = try daemon.call("signOffer", offer(["transactionId": "7"]))
        #expect(try claims(named["jws"])["transactionId"] == "7")
    }

    @Test func `no offer is signed for another user's token, and none with a joint inside`() throws
    {
        let daemon = try started()
        let other = UUID().uuidString.lowercased()
        _ = try daemon.call("registerAccount", ["userId": .string(other)])
        let taken = try daemon.refusal(of: "signOffer", offer(["appAccountToken": .string(other)]))
        #expect(taken?.code == -32021 && taken?.reason == "token")
        let wrong: [(String, JSONValue)] = [
            ("productId", "a\u{2063}b"), ("offerId", ""), ("offerId", "a\nb"),
            ("applicationUsername", "a\u{2063}b"), ("transactionId", "../7"),
            ("bundleId", "com.example.other"), ("appAccountToken", "me"), ("productId", 7),
        ]
        for (name, value) in wrong {
            let refusal = try daemon.refusal(of: "signOffer", offer([name: value]))
            #expect(refusal?.code == -32602 && refusal?.field == name, "\(name): \(value)")
        }
    }

    @Test func `eligibility names a transaction, the user's own where none is named`() throws {
        try store.serve()
        let daemon = try started()
        let wish: JSONObject = [
            "userId": .string(user), "productId": "p", "allowIntroductoryOffer": false,
        ]
        let missing = try daemon.refusal(of: "signIntroductoryOffer", wish)
        #expect(missing?.code == -32602 && missing?.field == "transactionId")
        try store.act("alice", "subscribe", "--token", user, to: daemon)
        _ = try daemon.call("registerAccount", ["userId": .string(user)])
        let id = try store.transactionID(of: "alice")
        let signed = try daemon.call("signIntroductoryOffer", wish)
        #expect(signed["transactionId"]?.string == id)
        let said = try claims(signed["jws"])
        #expect(said["aud"] == "introductory-offer-eligibility")
        #expect(said["allowIntroductoryOffer"] == false && said["transactionId"]?.string == id)
    }

    @Test func `without apple.api nothing is signed or sent`() throws {
        let daemon = try store.daemon()
        try daemon.start()
        let calls = ["signOffer", "signIntroductoryOffer", "sendConsumption", "extendRenewal"]
        for method in calls {
            let params = method == "signOffer" ? offer() : [:]
            let refusal = try daemon.refusal(of: method, params, admin: true)
            #expect(refusal?.code == -32602, "\(method)")
            #expect(refusal?.message.contains("apple.api") == true, "\(method)")
        }
    }

    private static let report: JSONObject = [
        "customerConsented": true, "deliveryStatus": "DELIVERED", "sampleContentProvided": false,
        "consumptionPercentage": 50_000, "refundPreference": "GRANT_PRORATED",
    ]

    @Test func `consumption is sent with consent alone`() throws {
        try store.serve()
        let daemon = try started()
        try store.act("alice", "buy", "--product", "credits.10", "--token", user, to: daemon)
        let document = try store.transactionID(of: "alice", "purchase")
        var report = Self.report
        report["transactionId"] = .string(document)
        let wrong: [(String, JSONValue)] = [
            ("customerConsented", false), ("customerConsented", .null),
            ("deliveryStatus", "LOST"), ("sampleContentProvided", "no"),
            ("consumptionPercentage", 100_001), ("refundPreference", "PLEASE"),
            ("transactionId", "a/b"), ("consent", true),
        ]
        for (name, value) in wrong {
            var other = report
            other[name] = value
            let refusal = try daemon.refusal(of: "sendConsumption", other, admin: true)
            #expect(refusal?.code == -32602 && refusal?.field == name, "\(name): \(value)")
        }
        #expect(!store.requests.contains { $0.contains("Consumption") })
        let sent = try daemon.call("sendConsumption", report, admin: true)
        #expect(sent["success"] == true)
        #expect(store.requests.contains { $0.hasPrefix("202 Send Consumption Information /") })
        report["transactionId"] = "900000000000000"
        let unknown = try daemon.refusal(of: "sendConsumption", report, admin: true)
        #expect(unknown?.name == "not_found")
    }

    @Test func `a renewal is put off twice, and Apple's no is an answer`() throws {
        try store.serve()
        let daemon = try started()
        try store.act(
            "alice",
            "subscribe",
            "--product",
            "paid.monthly",
            "--token",
            user,
            to: daemon
        )
        try store.act("alice", "renew", to: daemon)
        let line = try store.transactionID(of: "alice")
        let wish: JSONObject = [
            "transactionId": .string(line), "extendByDays": 1, "extendReasonCode": 1,
        ]
        let first = try daemon.call("extendRenewal", wish, admin: true)
        #expect(first["success"] == true && first["originalTransactionId"]?.string == line)
        #expect(first["effectiveDate"]?.string?.hasSuffix("Z") == true)
        #expect(first["requestIdentifier"]?.string != nil)
        #expect(try daemon.call("extendRenewal", wish, admin: true)["success"] == true)
        let third = try daemon.call("extendRenewal", wish, admin: true)
        #expect(third["success"] == false && third["errorCode"] == 4_030_005)
        for (name, value) in [("extendByDays", 91), ("extendReasonCode", 4)] {
            var wrong = wish
            wrong[name] = .integer(Int64(value))
            let refusal = try daemon.refusal(of: "extendRenewal", wrong, admin: true)
            #expect(refusal?.code == -32602 && refusal?.field == name)
        }
    }
}
