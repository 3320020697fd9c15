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
            case "/inApps/v1/transactions/7/appAccountToken": .answer(200, [])
            case "/inApps/v2/transactions/consumption/7": .answer(202, [])
            default: .error(404, 4_040_010)
            }
        }
        try await FakeStore.serving(script) { store in
            try await Stage.playing(store.url) { stage in
                let api = stage.api
                let name = try #require(StoreName("7"))
                let token = try #require(Token("7E3FB204-2bd9-4b1e-9a0e-0c6a2f0d9d11"))
                #expect(try await api.transaction(name, .patient) == Array("a.b.c".utf8))
                #expect(try await api.statuses(of: name, .patient).isEmpty)
                let page = try await api.history(of: name, revision: "r+1=&", .patient)
                #expect(page == TransactionPage(transactions: [], next: nil))
                let window = Moment(5)..<Moment(9)
                _ = try await api.notifications(
                    in: window,
                    onlyFailures: true,
                    paginationToken: "p/1",
                    .patient
                )
                let test = try await api.requestTest(.patient)
                #expect(try await api.testAttempts(test, .patient) == ["SUCCESS"])
                try await api.setToken(token, of: name, .patient)
                let info = ConsumptionInfo(
                    delivery: .delivered,
                    sampleProvided: true,
                    consumedMilliPercent: 50_000,
                    preference: .decline
                )
                try await api.send(info, of: name, .patient)
                let arrivals = store.arrivals
                #expect(
                    arrivals.map(\.method) == [
                        "GET", "GET", "GET", "POST", "POST", "GET", "PUT", "PUT",
                    ]
                )
                #expect(arrivals[2].query == "sort=ASCENDING&revision=r%2B1%3D%26")
                #expect(arrivals[3].query == "paginationToken=p%2F1")
                #expect(
                    arrivals[3].json
                        == ["startDate": 5, "endDate": 9, "onlyFailures": true]
                )
                #expect(
                    arrivals[6].json
                        == ["appAccountToken": "7e3fb204-2bd9-4b1e-9a0e-0c6a2f0d9d11"]
                )
                #expect(
                    arrivals[7].json == [
                        "customerConsented": true, "deliveryStatus": "DELIVERED",
                        "sampleContentProvided": true, "consumptionPercentage": 50000,
                        "refundPreference": "DECLINE",
                    ]
                )
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

    @Test(arguments: ["", "..", ".", "a/b", "../1", "1?x=2", "1%2F", "ü", "1\n", " 1", "a#"])
    func `an id that would lead elsewhere is no id`(_ text: String) {
        #expect(StoreName(text) == nil)
    }

    @Test func `an id has at most 128 bytes`() {
        #expect(StoreName(String(repeating: "1", count: 128)) != nil)
        #expect(StoreName(String(repeating: "1", count: 129)) == nil)
    }

    @Test func `other hosts are https, or http on this machine`() {
        let good = [
            "https://store.example/", "https://store.example:8443/apple", "http://127.0.0.1:80",
            "http://localhost", "http://[::1]:9",
        ]
        for base in good { #expect(StoreEndpoint(.production, base: base) != nil, "\(base)") }
        let bad = [
            "http://store.example", "http://127.0.0.1.example", "http://localhost:99999",
            "ftp://store.example", "https://", "https://u@store.example", "https://a?b", "store",
            "http://localhostile",
        ]
        for base in bad { #expect(StoreEndpoint(.production, base: base) == nil, "\(base)") }
        #expect(StoreEndpoint(.production).base == "https://api.storekit.apple.com")
        #expect(StoreEndpoint(.sandbox).base == "https://api.storekit-sandbox.apple.com")
    }

    @Test func `settings that do not work are told in a sentence`() async throws {
        var settings = ReconcilerSettings(
            bundleID: "b",
            environments: [.production],
            issuerID: "i",
            keyID: "k",
            privateKeyPEM: Array("no key".utf8),
            baseURL: nil,
            directory: "/nowhere",
            version: "0"
        )
        #expect(fault(settings) == .privateKey(.unreadable))
        settings.privateKeyPEM = Array(try ES256Key().privatePEM().utf8)
        settings.baseURL = "http://store.example"
        #expect(fault(settings) == .baseURL)
        #expect(fault(settings)?.description.contains("apple.api.baseURL") == true)
    }

    private func fault(_ settings: ReconcilerSettings) -> ReconcilerSettings.Fault? {
        do throws(ReconcilerSettings.Fault) {
            _ = try settings.checked()
            return nil
        } catch {
            return error
        }
    }
}
