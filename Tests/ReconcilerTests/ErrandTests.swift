import CertificateAuthority
import Entitlements
import JSON
import NIOHTTP1
import Synchronization
import Testing

@testable import Reconciler

/// What is asked of the store for one customer, and the apps that it is asked about.
struct ErrandTests {
    private static func report(_ app: String? = nil) -> ConsumptionReport {
        ConsumptionReport(
            transactionID: "7",
            bundleID: app,
            delivery: .delivered,
            sampleProvided: false,
            consumedMilliPercent: nil,
            preference: nil
        )
    }

    private static func wish(_ id: String) -> ExtensionWish {
        ExtensionWish(transactionID: id, bundleID: nil, days: 7, reason: 3, requestID: "outage")
    }

    private static let done: JSONObject = [
        "originalTransactionId": "200000", "webOrderLineItemId": "5", "success": true,
        "effectiveDate": 1_771_149_600_000,
    ]

    @Test func `consumption goes to the environment that knows the purchase`() async throws {
        let replies = Replies(.error(404, 4_040_010), .answer(202, []))
        try await FakeStore.serving(replies) { store in
            try await Stage.playing(store.url, environments: [.production, .sandbox]) { stage in
                try await stage.reconciler.send(Self.report())
                let path = "/inApps/v2/transactions/consumption/7"
                #expect(store.paths == [path, path])
                #expect(store.arrivals.allSatisfy { $0.method == "PUT" })
                #expect(store.arrivals[1].json?["customerConsented"] == true)
            }
        }
    }

    @Test func `a refusal of the store has its number`() async throws {
        try await FakeStore.serving(Replies(.error(400, 4_000_047))) { store in
            try await Stage.playing(store.url) { stage in
                let failure = await apiFailure { () async throws(StoreAPIFailure) in
                    try await stage.reconciler.send(Self.report())
                }
                #expect(failure?.kind == .refused && failure?.code == 4_000_047)
                #expect(store.arrivals.count == 1)
            }
        }
    }

    @Test func `a renewal is put off by the number of its subscription`() async throws {
        try await FakeStore.serving(Replies(.json(Self.done))) { store in
            try await Stage.playing(store.url) { stage in
                let answer = try await stage.reconciler.extend(Self.wish("200000"))
                #expect(answer.isSuccess && answer.originalTransactionID == "200000")
                #expect(answer.effective == Moment(1_771_149_600_000))
                #expect(store.paths == ["/inApps/v1/subscriptions/extend/200000"])
                #expect(
                    store.arrivals[0].json == [
                        "extendByDays": 7, "extendReasonCode": 3, "requestIdentifier": "outage",
                    ]
                )
            }
        }
    }

    @Test func `the number of a later period leads to its subscription`() async throws {
        let voice = try StoreVoice()
        let period = StoreVoice.Period("200000", number: 1)
        let later = try voice.transaction(period)
        let clock = HandClock(at: period.from)
        let done = Self.done
        let script: FakeStore.Script = { arrival in
            switch arrival.path {
            case "/inApps/v1/subscriptions/extend/200000": .json(done)
            case "/inApps/v1/transactions/2000001": .json(["signedTransactionInfo": .string(later)])
            default: .error(404, 4_040_005)
            }
        }
        try await FakeStore.serving(script) { store in
            try await Stage.playing(store.url, voice: voice, clock: clock) { stage in
                let answer = try await stage.reconciler.extend(Self.wish("2000001"))
                #expect(answer.originalTransactionID == "200000")
                #expect(store.arrivals.count == 3)
                let unknown = await apiFailure { () async throws(StoreAPIFailure) in
                    try await stage.reconciler.extend(Self.wish("9"))
                }
                #expect(unknown?.kind == .unknown)
            }
        }
    }

    @Test(arguments: [
        FakeStore.Reply.hangUp, .answer(503, []), .error(500, 5_000_000), .answer(200, []),
        .answer(200, Array("<html>".utf8)),
    ])
    func `what may have been carried out is not asked for again`(
        reply: FakeStore.Reply
    ) async throws {
        try await FakeStore.serving(Replies(reply)) { store in
            try await Stage.playing(store.url) { stage in
                let failure = await apiFailure { () async throws(StoreAPIFailure) in
                    try await stage.reconciler.extend(Self.wish("200000"))
                }
                #expect(failure?.kind == .uncertain)
                #expect(store.arrivals.count == 1)
            }
        }
    }

    private static let other = "com.example.other"

    /// The app that a request's token names.
    private static func app(_ arrival: FakeStore.Arrival) -> String? {
        let header = arrival.headers.first(name: "Authorization") ?? ""
        let parts = header.dropFirst("Bearer ".count).split(separator: ".")
        guard parts.count == 3 else { return nil }
        var text = String(parts[1]).replacing("-", with: "+").replacing("_", with: "/")
        while text.utf8.count % 4 != 0 { text += "=" }
        return Base64.bytes(text).flatMap { try? JSONValue.parse($0) }?["bid"]?.string
    }

    @Test func `each app is asked about under its own name, the default one first`() async throws {
        let script: FakeStore.Script = { arrival in
            Self.app(arrival) == Self.other
                ? .json(["signedTransactionInfo": "o.o.o"]) : .error(404, 4_040_010)
        }
        try await FakeStore.serving(script) { store in
            try await Stage.playing(store.url, others: [Self.other]) { stage in
                let document = try await stage.reconciler.transaction(id: "7")
                #expect(document == Array("o.o.o".utf8))
                #expect(store.arrivals.map(Self.app) == ["com.example.app", Self.other])
            }
        }
    }

    @Test func `an errand for a named app asks about no other`() async throws {
        try await FakeStore.serving(Replies(.answer(202, []))) { store in
            try await Stage.playing(store.url, others: [Self.other]) { stage in
                for bundle in [Self.other, "com.example.app"] {
                    try await stage.reconciler.send(Self.report(bundle))
                }
                #expect(store.arrivals.map(Self.app) == [Self.other, "com.example.app"])
            }
        }
    }

    @Test func `a subscription of the second app is asked about, with all its history`()
        async throws
    {
        let voice = try StoreVoice()
        let script: FakeStore.Script = { arrival in
            guard Self.app(arrival) == Self.other else { return .error(404, 4_040_010) }
            let period = StoreVoice.Period("200000")
            guard arrival.path.hasPrefix("/inApps/v2/") else {
                return .json((try? voice.statuses(period)) ?? [:])
            }
            return .json(["signedTransactions": [], "hasMore": false])
        }
        try await FakeStore.serving(script) { store in
            try await Stage.playing(store.url, others: [Self.other], voice: voice) { stage in
                let key = StoreVoice.Period("200000").key
                let isNews = try await stage.reconciler.reconcile([key])
                #expect(isNews)
                #expect(store.arrivals.count == 4)
                #expect(stage.book.subscriptions[key] != nil)
            }
        }
    }

    /// Production answers 401 for an app that is not approved yet.
    @Test func `an app that is refused stops no sweep over the purchases of the others`()
        async throws
    {
        let voice = try StoreVoice()
        let book = MemoryBook()
        for original in ["200000", "200001"] {
            book.put([try voice.fact(StoreVoice.Period(original))])
        }
        let clock = HandClock(at: StoreVoice.lateInFirstPeriod)
        let script: FakeStore.Script = { arrival in
            if Self.app(arrival) == Self.other { return .answer(401, []) }
            guard arrival.path.hasSuffix("200001") else { return .error(404, 4_040_010) }
            return .json((try? voice.statuses(StoreVoice.Period("200001", number: 1))) ?? [:])
        }
        try await FakeStore.serving(script) { store in
            try await Stage.playing(
                store.url,
                others: [Self.other],
                voice: voice,
                book: book,
                clock: clock
            ) { stage in
                #expect(await stage.reconciler.sweepOnce() == true)
                let sweep = try #require(stage.reconciler.progress.sweep)
                #expect(sweep.asked == 2 && sweep.unknown == 1 && sweep.applied == 1)
                let unknown = await apiFailure { () async throws(StoreAPIFailure) in
                    try await stage.reconciler.transaction(id: "7")
                }
                #expect(unknown?.kind == .unknown)
            }
        }
        // A key with which every app is refused is still told.
        try await FakeStore.serving(Replies(.answer(401, []))) { store in
            try await Stage.playing(store.url, others: [Self.other]) { stage in
                let failure = await apiFailure { () async throws(StoreAPIFailure) in
                    try await stage.reconciler.transaction(id: "7")
                }
                #expect(failure?.kind == .unauthorized)
            }
        }
    }

    @Test func `each app has walks and marks of its own`() async throws {
        let script: FakeStore.Script = { _ in .json(["notificationHistory": []]) }
        try await FakeStore.serving(script) { store in
            try await Stage.playing(store.url, others: [Self.other]) { stage in
                let reconciler = stage.reconciler
                #expect(reconciler.startRound())
                await reconciler.state.withLock { $0.round }?.value
                #expect(store.arrivals.map(Self.app) == ["com.example.app", Self.other])
                let second = StoreScope(.production, bundleID: Self.other)
                let marks = reconciler.marks.marks
                #expect(Set(marks.walks.keys) == [.production, second])
                #expect(Marks(marks.bytes) == marks)
                let stats = reconciler.progress.object { "\($0.milliseconds)" }
                #expect(stats["environments"]?["Production/com.example.other"]?["completed"] == 1)
            }
        }
    }

    @Test func `an app and an environment are read as they are written`() {
        for text in ["Production", "Sandbox/com.example.other"] {
            #expect(StoreScope(text)?.description == text)
        }
        for text in ["", "Xcode", "Production/", "/a"] { #expect(StoreScope(text) == nil) }
    }
}
