import CertificateAuthority
import Entitlements
import JSON
import NIOHTTP1
import Signatures
import Testing

@testable import Reconciler

/// What is sent: paths, queries, bodies, the token.
struct RequestTests {
    @Test func `each question goes to its path, with a fresh token that the key accepts`()
        async throws
    {
        let script: FakeStore.Script = { arrival in
            switch arrival.path {
            case "/inApps/v1/transactions/7": .json(["signedTransactionInfo": "a.b.c"])
            case "/inApps/v1/subscriptions/7": .json(["data": []])
            case "/inApps/v2/history/7": .json(["signedTransactions": [], "hasMore": false])
            case "/inApps/v1/notifications/history": .json(["notificationHistory": []])
            case "/inApps/v1/notifications/test": .json(["testNotificationToken": "t_1"])
            case "/inApps/v1/notifications/test/t_1":
                .json(["sendAttempts": [["sendAttemptResult": "SUCCESS"]]])
            case "/inApps/v2/transactions/consumption/7": .answer(202, [])
            default: .error(404, 4_040_010)
            }
        }
        try await FakeStore.serving(script) { store in
            try await Stage.playing(store.url) { stage in
                let api = stage.api
                let questions = api.questions
                let key = SubscriptionKey(
                    store: .appStore,
                    environment: .production,
                    originalID: "7"
                )
                #expect(try await api.transaction("7", .patient) == Array("a.b.c".utf8))
                let state = try #require(questions.state(of: key, kept: nil, in: api.scope))
                #expect(try await api.answer(to: state, .patient).facts.isEmpty)
                let history = try #require(questions.history(of: key, in: api.scope))
                let page = try await api.answer(to: history, .patient)
                #expect(page.facts.isEmpty && page.next == nil)
                let window = Moment(5)..<Moment(9)
                let missed = try #require(
                    questions.missed(in: window, onlyFailures: true, of: api.scope)
                )
                _ = try await api.answer(to: missed, .patient)
                let test = try #require(questions.testNotification(in: api.scope))
                let pending = try await api.answer(to: test, .patient)
                let result = try await api.answer(to: pending.result, .patient)
                #expect(result?.sendAttemptResult == "SUCCESS")
                let report = ConsumptionReport(
                    transactionID: "7",
                    bundleID: nil,
                    delivery: .delivered,
                    sampleProvided: false,
                    consumedMilliPercent: 50_000,
                    preference: .decline
                )
                let consumption = try #require(questions.consumption(report, in: api.scope))
                try await api.answer(to: consumption, .patient)
                let arrivals = store.arrivals
                #expect(
                    arrivals.map(\.method) == ["GET", "GET", "GET", "POST", "POST", "GET", "PUT"]
                )
                #expect(arrivals[2].query == "sort=ASCENDING")
                #expect(
                    arrivals[3].json
                        == ["startDate": 5, "endDate": 9, "onlyFailures": true]
                )
                #expect(
                    arrivals[6].json == [
                        "customerConsented": true, "deliveryStatus": "DELIVERED",
                        "sampleContentProvided": false, "consumptionPercentage": 50000,
                        "refundPreference": "DECLINE",
                    ]
                )
                #expect(arrivals[6].headers["Content-Type"] == ["application/json"])
                for arrival in arrivals { try check(arrival, stage) }
            }
        }
    }

    private func check(_ arrival: FakeStore.Arrival, _ stage: Stage) throws {
        let header = try #require(arrival.headers.first(name: "Authorization"))
        let parts = header.dropFirst("Bearer ".count).split(separator: ".")
        try #require(parts.count == 3)
        func bytes(_ text: Substring) -> [UInt8] {
            let standard = text.replacing("-", with: "+").replacing("_", with: "/")
            return Base64.bytes(
                standard + String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
            )
                ?? []
        }
        #expect(stage.key.accepts(bytes(parts[2]), over: Array("\(parts[0]).\(parts[1])".utf8)))
        let head = try JSONValue.parse(bytes(parts[0]))
        #expect(head == ["alg": "ES256", "kid": "2X9R4HXF34", "typ": "JWT"])
        let claims = try JSONValue.parse(bytes(parts[1]))
        let now = try #require(claims["iat"]?.int64)
        let seconds = StoreVoice.start.milliseconds / 1000...stage.clock.now.milliseconds / 1000
        #expect(seconds.contains(now))
        #expect(
            claims == [
                "iss": "57246542-96fe-1a63-e053-0824d011072a", "iat": .integer(now),
                "exp": .integer(now + 300), "aud": "appstoreconnect-v1",
                "bid": "com.example.app",
            ]
        )
    }
}
