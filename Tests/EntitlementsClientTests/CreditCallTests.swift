import FoundationEssentials
import JSON
import TestSupport
import Testing

@testable import EntitlementsClient

struct CreditCallTests {
    private static let spent: JSONValue = [
        "outcome": "consumed", "creditsRemaining": 2, "replayed": false, "seq": 9,
    ]

    private func client(_ daemon: FakeDaemon) throws -> EntitlementsClient {
        try EntitlementsClient(
            socketPath: daemon.path,
            readTimeout: .seconds(120),
            writeTimeout: .seconds(120)
        )
    }

    @Test func `credits are typed with their origins`() async throws {
        let daemon = try FakeDaemon([
            "getCredits": .result([
                "balance": 12, "held": 1,
                "buckets": [
                    ["amount": 10, "expiresAt": "2026-03-15T10:00:00.000Z", "source": "promotion"],
                    ["amount": 2, "expiresAt": nil, "source": "free"],
                ],
            ])
        ])
        let credits = try await client(daemon).credits(of: "alice")
        #expect(credits.balance == 12)
        #expect(credits.held == 1)
        #expect(credits.buckets.map(\.amount) == [10, 2])
        #expect(credits.buckets.map(\.source) == ["promotion", "free"])
        #expect(credits.buckets[0].expiresAt == UTCTime.date("2026-03-15T10:00:00.000Z"))
        #expect(credits.buckets[1].expiresAt == nil)
    }

    @Test func `the credit commands send what they are given`() async throws {
        let daemon = try FakeDaemon([
            "consumeCredit": .result(Self.spent),
            "reserveCredits": .result([
                "outcome": "reserved", "reservation": "r1", "creditsRemaining": 1,
                "replayed": false,
            ]),
            "commitReservation": .result(["outcome": "committed", "creditsRemaining": 2]),
            "releaseReservation": .result(["outcome": "expired", "creditsRemaining": 2]),
            "reverseCredits": .result([
                "outcome": "reversed", "creditsRemaining": 3, "replayed": true,
            ]),
        ])
        let client = try client(daemon)
        let spent = try await client.consumeCredit(of: "alice", amount: 2, idempotencyKey: "k")
        #expect(spent.outcome == .consumed)
        #expect(spent.creditsRemaining == 2)
        #expect(spent.seq == 9)
        #expect(spent.idempotencyKey == "k")
        let held = try await client.reserveCredits(
            2,
            of: "alice",
            for: 60,
            releaseOnDisconnect: true,
            idempotencyKey: "h"
        )
        #expect(held.outcome == .reserved)
        #expect(held.name == "r1")
        #expect(try await client.commitReservation("r1", amount: 1).outcome == .committed)
        #expect(try await client.releaseReservation("r1").outcome == .expired)
        let reversed = try await client.reverseCredits(of: "k", for: "alice", idempotencyKey: "v")
        #expect(reversed.outcome == .reversed)
        #expect(reversed.replayed)
        #expect(reversed.seq == nil)
        #expect(
            daemon.requests.map(\.params) == [
                ["userId": "alice", "amount": 2, "idempotencyKey": "k"],
                [
                    "userId": "alice", "amount": 2, "ttlSeconds": 60,
                    "releaseOnDisconnect": true, "idempotencyKey": "h",
                ],
                ["reservation": "r1", "amount": 1], ["reservation": "r1"],
                ["userId": "alice", "consumeKey": "k", "idempotencyKey": "v"],
            ]
        )
    }

    @Test func `too few credits is an answer`() async throws {
        let daemon = try FakeDaemon([
            "reserveCredits": .result([
                "outcome": "insufficient", "reservation": nil, "creditsRemaining": 1,
                "replayed": false,
            ])
        ])
        let held = try await client(daemon).reserveCredits(2, of: "alice", for: 60)
        #expect(held.outcome == .insufficient)
        #expect(held.name == nil)
    }

    @Test func `a key that was made up is one, and the same in the repetition`() async throws {
        let daemon = try FakeDaemon { _, connection in
            connection == 1 ? .hangUp : .result(Self.spent)
        }
        let client = try client(daemon)
        let receipt = try await client.consumeCredit(of: "alice")
        let second = try await client.consumeCredit(of: "alice")
        #expect(receipt.idempotencyKey != second.idempotencyKey)
        #expect(UUID(uuidString: receipt.idempotencyKey) != nil)
        #expect(
            daemon.requests.map { $0.params["idempotencyKey"]?.string } == [
                receipt.idempotencyKey, receipt.idempotencyKey, second.idempotencyKey,
            ]
        )
    }

    @Test func `an error hands the key back`() async throws {
        let daemon = try FakeDaemon { _, _ in .hangUp }
        let client = try EntitlementsClient(
            socketPath: daemon.path,
            writeTimeout: .milliseconds(500)
        )
        let error = await #expect(throws: ClientError.self) {
            try await client.consumeCredit(of: "alice")
        }
        let keys = daemon.requests.map { $0.params["idempotencyKey"]?.string }
        #expect(error?.isOutcomeUnknown == true)
        #expect(error?.idempotencyKey != nil)
        #expect(keys.count > 1)
        #expect(Set(keys) == [error?.idempotencyKey])
    }

    @Test func `the admin's credits keep their key in the request`() async throws {
        let daemon = try FakeDaemon { _, _ in
            .result(["creditsRemaining": 5, "replayed": false, "seq": 3])
        }
        let client = try client(daemon)
        var given = CreditGrant(amount: 5)
        given.expiresAt = Date(timeIntervalSince1970: 1.5)
        given.source = "promotion"
        given.reason = "sorry"
        #expect(try await client.grantCredits(given, to: "alice").creditsRemaining == 5)
        #expect(try await client.grantCredits(given, to: "alice").seq == 3)
        let taken = CreditGrant(amount: -5, idempotencyKey: "k")
        #expect(try await client.adjustCredits(taken, of: "alice").replayed == false)
        let sent: JSONValue = [
            "userId": "alice", "amount": 5, "expiresAt": "1970-01-01T00:00:01.500Z",
            "source": "promotion", "reason": "sorry",
            "idempotencyKey": .string(given.idempotencyKey),
        ]
        #expect(
            daemon.requests == [
                .init(method: "grantCredits", params: sent),
                .init(method: "grantCredits", params: sent),
                .init(
                    method: "adjustCredits",
                    params: ["userId": "alice", "amount": -5, "idempotencyKey": "k"]
                ),
            ]
        )
        #expect(GrantRequest(plan: "p").idempotencyKey != GrantRequest(plan: "p").idempotencyKey)
    }
}
