import JSON
import TestSupport
import Testing

@testable import EntitlementsClient

/// The calls for which the daemon asks a store, or signs what a store takes.
struct StoreCallTests {
    private func client(_ daemon: FakeDaemon) throws -> EntitlementsClient {
        try EntitlementsClient(
            socketPath: daemon.path,
            readTimeout: .seconds(120),
            writeTimeout: .seconds(120),
            storeTimeout: .seconds(120)
        )
    }

    @Test func `asking the stores is typed, and named as the daemon names it`() async throws {
        let daemon = try FakeDaemon([
            "reconcile": .result(["applied": true, "status": Samples.status]),
            "sendConsumption": .result(["success": false, "errorCode": 7, "errorMessage": "no"]),
            "extendRenewal": .result([
                "success": true, "originalTransactionId": "1", "webOrderLineItemId": "w",
                "effectiveDate": "2026-02-15T10:00:00.000Z", "requestIdentifier": "r",
            ]),
            "testNotification": .result(["delivered": true, "sendAttemptResult": nil]),
        ])
        let client = try client(daemon)
        #expect(try await client.reconcile("alice").applied)
        let report = ConsumptionReport(
            customerConsented: true,
            deliveryStatus: "DELIVERED",
            sampleContentProvided: false,
            refundPreference: "DECLINE"
        )
        let sent = try await client.sendConsumption(report, about: "1")
        #expect(!sent.success && sent.errorCode == 7 && sent.errorMessage == "no")
        let extended = try await client.extendRenewal(of: "1", byDays: 7, reasonCode: 3)
        #expect(extended.success && extended.effectiveDate != nil)
        #expect(extended.requestIdentifier == "r")
        #expect(extended.originalTransactionID == "1" && extended.webOrderLineItemID == "w")
        #expect(try await client.testNotification(timeoutSeconds: 5).delivered)
        #expect(
            daemon.requests.map(\.params) == [
                ["userId": "alice"],
                [
                    "customerConsented": true, "deliveryStatus": "DELIVERED",
                    "sampleContentProvided": false, "refundPreference": "DECLINE",
                    "transactionId": "1",
                ],
                ["transactionId": "1", "extendByDays": 7, "extendReasonCode": 3],
                ["store": "app_store", "timeoutSeconds": 5],
            ]
        )
    }

    @Test func `asking about everything says that it runs`() async throws {
        let daemon = try FakeDaemon(["reconcile": .result(["running": true])])
        #expect(try await client(daemon).reconcile())
        #expect(daemon.requests.map(\.params) == [[:]])
        let other = try FakeDaemon(["reconcile": .result(["applied": true])])
        let puzzled = try client(other)
        let error = await #expect(throws: ClientError.self) { try await puzzled.reconcile() }
        #expect(error?.name == "malformed_reply")
    }

    @Test func `what StoreKit takes is typed`() async throws {
        let daemon = try FakeDaemon([
            "signOffer": .result([
                "bundleId": "b", "keyId": "k", "nonce": "n", "timestamp": 1_750_000_000_000,
                "applicationUsername": "", "signature": "s", "jws": "j",
            ]),
            "signIntroductoryOffer": .result(["bundleId": "b", "transactionId": "1", "jws": "j"]),
        ])
        let client = try client(daemon)
        let offer = try await client.signOffer("o", of: "p", for: "alice")
        #expect(offer.bundleID == "b" && offer.keyID == "k" && offer.jws == "j")
        #expect(offer.timestamp == 1_750_000_000_000)
        let eligibility = try await client.signIntroductoryOffer(false, of: "p", for: "alice")
        #expect(eligibility.transactionID == "1")
        _ = try await client.signIntroductoryOffer(of: "p", for: "alice", bundleID: "b")
        #expect(
            daemon.requests.map(\.params) == [
                ["userId": "alice", "productId": "p", "offerId": "o"],
                ["userId": "alice", "productId": "p", "allowIntroductoryOffer": false],
                [
                    "userId": "alice", "productId": "p", "allowIntroductoryOffer": true,
                    "bundleId": "b",
                ],
            ]
        )
    }
}
