import CertificateAuthority
import Entitlements
import Fixtures
import Foundation
import JSON
import Signatures
import Testing

@testable import AppStore

/// What is sent to Apple's server, and what its replies mean; no socket is there.
struct QuestionTests {
    private let trusting: TrustingStore
    private let questions: AppStoreQuestions
    private let production = StoreScope.production

    init() throws {
        trusting = try TrustingStore()
        questions = try AppStoreQuestions(trusting.store, try Self.access())
    }

    private static func access(_ base: String? = nil) throws -> AppStoreQuestions.Access {
        AppStoreQuestions.Access(
            issuerID: "issuer",
            keyID: "2X9R4HXF34",
            privateKeyPEM: Array(try ES256Key().privatePEM().utf8),
            baseURL: base,
            requestsPerSecond: 0
        )
    }

    private var now: Moment { Moment(trusting.set.now) }

    private func key(_ id: String) -> SubscriptionKey {
        SubscriptionKey(store: .appStore, environment: .production, originalID: id)
    }

    private func reply(_ object: JSONObject, status: Int = 200) -> StoreReply {
        StoreReply(status: status, body: JSONValue.object(object).bytes)
    }

    private func answer<Answer: Sendable>(_ reading: StoreReading<Answer>) throws -> Answer {
        guard case .answer(let answer) = reading else { throw Unanswered() }
        return answer
    }

    private struct Unanswered: Error {}

    @Test func `the state of a subscription is what its documents state`() throws {
        let question = try #require(
            questions.state(of: key("2000000000000001"), kept: nil, in: production)
        )
        #expect(
            question.request.url
                == "https://api.storekit.apple.com/inApps/v1/subscriptions/2000000000000001"
        )
        let document = try trusting.signed(trusting.good.transaction)
        func item(_ original: String) -> JSONValue {
            .object([
                "originalTransactionId": .string(original),
                "signedTransactionInfo": .string(String(decoding: document, as: UTF8.self)),
            ])
        }
        let groups = JSONValue.object([
            "lastTransactions": .array([item("2000000000000001"), item("7")])
        ])
        let said = try answer(try question.read(reply(["data": .array([groups])]), now))
        #expect(said.facts.map(\.key) == [key("2000000000000001")])
        #expect(said.documents == 2)
        #expect(said.refusals == [.init(.wrongDocument, "listed under another id")])
        #expect(throws: StoreAPIFailure.self) { try question.read(reply([:]), now) }
        #expect(throws: StoreAPIFailure.self) {
            try question.read(StoreReply(status: 200, body: Array("[]".utf8)), now)
        }
        #expect(questions.state(of: key("a/b"), kept: nil, in: production) == nil)
    }

    @Test func `a page of notifications leads to the next, and never to itself`() throws {
        let first = try #require(
            questions.missed(in: Moment(5)..<Moment(9), onlyFailures: true, of: production)
        )
        #expect(
            try JSONValue.parse(first.request.body?.bytes ?? [])
                == ["startDate": 5, "endDate": 9, "onlyFailures": true]
        )
        let text = try trusting.set.sign(trusting.good)
        let page: JSONObject = [
            "notificationHistory": [["signedPayload": .string(text)], ["signedPayload": "x"]],
            "hasMore": true, "paginationToken": "p/1",
        ]
        let said = try answer(try first.read(reply(page), now))
        #expect(said.notifications.count == 1 && said.documents == 2)
        #expect(said.refusals.map(\.fault) == [.malformed])
        let second = try #require(said.next)
        #expect(second.request.target.hasSuffix("history?paginationToken=p%2F1"))
        #expect(second.request.body == first.request.body)
        #expect(throws: StoreAPIFailure.self) { try second.read(reply(page), now) }
    }

    @Test func `the history of a subscription is read from its start`() throws {
        let question = try #require(questions.history(of: key("7"), in: production))
        #expect(question.request.target == "/inApps/v2/history/7?sort=ASCENDING")
        let page: JSONObject = ["signedTransactions": [], "hasMore": true, "revision": "r+1=&"]
        let said = try answer(try question.read(reply(page), now))
        #expect(
            said.next?.request.target == "/inApps/v2/history/7?sort=ASCENDING&revision=r%2B1%3D%26"
        )
    }

    @Test func `a transaction is asked for by its id, and by nothing else`() throws {
        let question = try #require(questions.purchase(.transaction("7"), in: production))
        let found = try answer(try question.read(reply(["signedTransactionInfo": "a.b.c"]), now))
        guard case .document(let document) = found else { throw Unanswered() }
        #expect(document == Array("a.b.c".utf8))
        for hint in [
            PurchaseHint.purchaseToken("7"), .checkoutSession("7"), .subscription("7"),
            .transaction(".."), .transaction("7/8"),
        ] { #expect(questions.purchase(hint, in: production) == nil) }
        #expect(questions.words(taking: .transaction("7")))
    }

    @Test func `a renewal is put off by the first transaction's number, asked for if need be`()
        throws
    {
        let id = "2000000000000002"
        let wish = ExtensionWish(
            transactionID: id,
            bundleID: nil,
            days: 7,
            reason: 3,
            requestID: "outage"
        )
        let first = try #require(questions.extend(wish, in: production))
        #expect(!first.request.isRepeatable && first.request.budget != .ordinary)
        let unknown = reply(["errorCode": 4_040_005], status: 404)
        guard case .ask(let second) = try first.read(unknown, now) else { throw Unanswered() }
        #expect(second.request.target == "/inApps/v1/transactions/\(id)")
        let document = try trusting.signed(trusting.good.transaction)
        let info: JSONObject = [
            "signedTransactionInfo": .string(String(decoding: document, as: UTF8.self))
        ]
        guard case .ask(let third) = try second.read(reply(info), now) else { throw Unanswered() }
        #expect(third.request.target == "/inApps/v1/subscriptions/extend/2000000000000001")
        let done = try answer(try third.read(reply(["success": true]), now))
        #expect(done.isSuccess && done.originalTransactionID == "2000000000000001")
        let refused = reply(["errorCode": 4_040_007], status: 404)
        #expect(throws: StoreAPIFailure.self) { try first.read(refused, now) }
    }

    @Test(.enabled(if: OracleTarget.directory != nil))
    func `what is ordered is written for Apple's library`() throws {
        var orders: [(kind: JSONValue, body: StoreBody?)] = []
        for delivery in ConsumptionReport.Delivery.allCases {
            for preference in [nil] + ConsumptionReport.Preference.allCases.map(Optional.init) {
                let report = ConsumptionReport(
                    transactionID: "7",
                    bundleID: nil,
                    delivery: delivery,
                    sampleProvided: preference == nil,
                    consumedMilliPercent: preference == .prorated ? 12_500 : nil,
                    preference: preference
                )
                let question = try #require(questions.consumption(report, in: production))
                orders.append((kind: "ConsumptionRequest", body: question.request.body))
            }
        }
        for reason in Int64(0)...3 {
            let wish = ExtensionWish(
                transactionID: "7",
                bundleID: nil,
                days: 90,
                reason: reason,
                requestID: "outage \(reason)"
            )
            let question = try #require(questions.extend(wish, in: production))
            orders.append((kind: "ExtendRenewalDateRequest", body: question.request.body))
        }
        var lines: [UInt8] = []
        for (kind, body) in orders {
            let bytes = try #require(body).bytes
            let line: JSONValue = ["kind": kind, "body": try JSONValue.parse(bytes)]
            lines += line.bytes + Array("\n".utf8)
        }
        #expect(orders.count == 24)
        let place = URL(fileURLWithPath: try #require(OracleTarget.directory))
        try Data(lines).write(to: place.appendingPathComponent("errands.jsonl"))
    }

    @Test func `a test is unknown for a while, then delivered or not`() throws {
        let asked = try #require(questions.testNotification(in: production))
        let test = try answer(try asked.read(reply(["testNotificationToken": "t_1"]), now))
        #expect(test.result.request.target == "/inApps/v1/notifications/test/t_1")
        let missing = reply(["errorCode": 4_040_008], status: 404)
        #expect(try answer(try test.result.read(missing, now)) == nil)
        #expect(try answer(try test.result.read(reply([:]), now)) == nil)
        let words: JSONObject = ["sendAttempts": [["sendAttemptResult": "SUCCESS"]]]
        #expect(try answer(try test.result.read(reply(words), now))?.delivered == true)
        let other = reply(["errorCode": 4_040_007], status: 404)
        #expect(throws: StoreAPIFailure.self) { try test.result.read(other, now) }
    }

    @Test func `each app is asked about in each environment, Production first`() throws {
        let store = AppStore(
            verifier: try DocumentVerifier(roots: trusting.set.roots),
            identity: AppStoreIdentity(
                apps: ["a", "b"].map { .init(bundleID: $0, appAppleID: nil) },
                environments: [.sandbox, .production]
            )
        )
        let questions = try AppStoreQuestions(store, try Self.access("http://127.0.0.1:9/x/"))
        #expect(
            questions.scopes.map(\.description)
                == ["Production", "Production/b", "Sandbox", "Sandbox/b"]
        )
        #expect(questions.scopes(of: key("7")).map(\.environment) == [.production, .production])
        #expect(questions.scopes(ofApp: "a").map(\.bundleID) == [nil, nil])
        #expect(questions.scopes(ofApp: "b").map(\.bundleID) == ["b", "b"])
        let question = questions.history(of: key("7"), in: .sandbox)
        #expect(question?.request.host.base == "http://127.0.0.1:9/x")
        #expect(throws: AppStoreQuestions.Fault.baseURL) {
            try AppStoreQuestions(store, try Self.access("http://store.example"))
        }
        var access = try Self.access()
        access.privateKeyPEM = []
        #expect(throws: AppStoreQuestions.Fault.privateKey(.unreadable)) {
            try AppStoreQuestions(store, access)
        }
    }

    @Test func `the rates are half of Apple's, or what the configuration says`() throws {
        let sandbox = questions.budgets(of: .sandbox)
        #expect(questions.budgets(of: production)[.ordinary] == 25_000)
        #expect(questions.budgets(of: production)[.extensions] == 10_000)
        #expect(questions.budgets(of: production)[.tests] == 1_000)
        #expect(sandbox[.ordinary] == 2_500 && sandbox[.extensions] == 1_000)
        #expect(sandbox[.tests] == 100)
        var access = try Self.access()
        access.requestsPerSecond = 2
        let slow = try AppStoreQuestions(trusting.store, access).budgets(of: production)
        #expect(slow[.ordinary] == 2_000 && slow[.extensions] == 2_000)
    }

    private func kind(_ code: Int64?, _ status: Int) -> StoreAPIFailure.Kind {
        let object: JSONObject = code.map { ["errorCode": .integer($0)] } ?? [:]
        return questions.failure(of: reply(object, status: status), at: now).kind
    }

    /// docs/app-store-facts.md, "App Store Server API".
    @Test func `each of Apple's codes has its kind`() {
        let table: [(StoreAPIFailure.Kind, Int, [Int64])] = [
            (.limited, 429, [4_290_000]),
            (.unreachable, 500, [5_000_000, 5_000_001]),
            (.unreachable, 404, [4_040_002, 4_040_004, 4_040_006]),
            (.pagingExpired, 400, [4_000_014, 4_000_017]),
            (.unknown, 404, [4_040_001, 4_040_003, 4_040_005, 4_040_010]),
            (.refused, 400, [4_000_000, 4_000_002, 4_000_005, 4_000_006, 4_000_008]),
            (.refused, 400, Array(4_000_009...4_000_013) + [4_000_015, 4_000_016]),
            (.refused, 400, Array(4_000_018...4_000_028) + Array(4_000_030...4_000_043)),
            (.refused, 400, [4_000_047, 4_000_048, 4_000_183, 4_000_185, 4_000_187]),
            (.refused, 403, [4_030_004, 4_030_005, 4_030_007]),
            (.refused, 404, [4_040_007, 4_040_008, 4_040_009, 4_040_019]),
        ]
        for (expected, status, codes) in table {
            for code in codes { #expect(kind(code, status) == expected, "\(code)") }
        }
        // Without a code, or with one that nobody has written down, the status counts.
        for code in [nil, 1, 9_999_999] as [Int64?] {
            #expect(kind(code, 429) == .limited)
            for status in [408, 500, 502, 503, 599] { #expect(kind(code, status) == .unreachable) }
            for status in [301, 400, 404, 410] { #expect(kind(code, status) == .refused) }
            #expect(kind(code, 401) == .unauthorized)
            #expect(kind(code, 403) == (code == nil ? .unauthorized : .refused))
        }
    }

    @Test func `the notification history reaches back as far as Apple keeps it`() {
        let day: Int64 = 86_400_000
        #expect(questions.reach(of: production)?.milliseconds == 180 * day)
        #expect(questions.reach(of: .sandbox)?.milliseconds == 30 * day)
        #expect(questions.reach(of: production)?.overlapMilliseconds == 8 * day)
    }

    @Test func `a pause is a moment or seconds`() {
        func pause(_ text: String?) -> Int64? {
            let fields = text.map { [HTTPField("retry-after", $0)] } ?? []
            let reply = StoreReply(status: 429, fields: fields)
            return questions.failure(of: reply, at: Moment(1_771_149_600_000))
                .retryAfterMilliseconds
        }
        #expect(pause("1771149607000") == 7_000)
        #expect(pause("90") == 90_000)
        for text in [nil, "", "soon", "-1"] { #expect(pause(text) == nil) }
    }
}

extension AppStoreQuestions {
    fileprivate func words(taking hint: PurchaseHint) -> Bool {
        storefront.profile.hints.contains(hint.kind)
    }
}
