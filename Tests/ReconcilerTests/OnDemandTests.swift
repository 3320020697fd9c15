import Entitlements
import JSON
import Synchronization
import Telemetry
import Testing

@testable import Reconciler

/// What is done when somebody asks, and the regular work as a whole.
@Suite(.timeLimit(.minutes(5))) struct OnDemandTests {
    @Test func `a transaction that Production does not know is asked of the sandbox`() async throws
    {
        let replies = Replies(
            .error(404, 4_040_010),
            .json(["signedTransactionInfo": "s.s.s"]),
            .answer(401, []),
            .json(["signedTransactionInfo": "t.t.t"]),
            .error(404, 4_040_010)
        )
        try await FakeStore.serving(replies) { store in
            try await Stage.playing(store.url, environments: [.sandbox, .production]) { stage in
                let reconciler = stage.reconciler
                #expect(reconciler.clients.map(\.scope.environment) == [.production, .sandbox])
                let first = try await reconciler.transaction(id: "7")
                #expect(first == Array("s.s.s".utf8))
                let second = try await reconciler.transaction(id: "7")
                #expect(second == Array("t.t.t".utf8))
                let unknown = await apiFailure { () async throws(StoreAPIFailure) in
                    try await reconciler.transaction(id: "7")
                }
                #expect(unknown?.kind == .unknown)
                #expect(store.arrivals.count == 6)
                let strange = await apiFailure { () async throws(StoreAPIFailure) in
                    try await reconciler.transaction(id: "../7")
                }
                #expect(strange?.kind == .unknown)
                #expect(store.arrivals.count == 6)
            }
        }
    }

    @Test func `a key that is refused everywhere is told`() async throws {
        try await FakeStore.serving(Replies(.answer(401, []))) { store in
            try await Stage.playing(store.url, environments: [.sandbox, .production]) { stage in
                let failure = await apiFailure { () async throws(StoreAPIFailure) in
                    try await stage.reconciler.transaction(id: "7")
                }
                #expect(failure?.kind == .unauthorized)
                #expect(failure?.code == 401)
            }
        }
    }

    @Test func `reconciling brings what holds now and all that was`() async throws {
        let voice = try StoreVoice()
        let script: FakeStore.Script = { arrival in
            guard arrival.path.hasPrefix("/inApps/v2/history/") else {
                let statuses = try? voice.statuses(StoreVoice.Period("200000", number: 3))
                return .json(statuses ?? [:])
            }
            let number = arrival.query.hasSuffix("revision=r1") ? 1 : 0
            let period = StoreVoice.Period("200000", number: number)
            let document = (try? voice.transaction(period)) ?? ""
            return .json([
                "signedTransactions": [.string(document)],
                "hasMore": .bool(number == 0),
                "revision": .string("r\(number + 1)"),
            ])
        }
        let clock = HandClock(at: StoreVoice.Period("200000", number: 3).from)
        try await FakeStore.serving(script) { store in
            try await Stage.playing(store.url, voice: voice, clock: clock) { stage in
                let key = StoreVoice.Period("200000").key
                let isNews = try await stage.reconciler.reconcile([key])
                #expect(isNews)
                let kept = try #require(stage.book.subscriptions[key])
                #expect(kept.transactions.map(\.id) == ["200000", "2000001", "2000003"])
                #expect(store.arrivals.count == 3)
                let isNewsAgain = try await stage.reconciler.reconcile([key])
                #expect(!isNewsAgain)
            }
        }
    }

    @Test func `a history without end is read up to its bound`() async throws {
        let number = Mutex(0)
        let script: FakeStore.Script = { arrival in
            guard arrival.path.hasPrefix("/inApps/v2/history/") else { return .json(["data": []]) }
            let next = number.withLock { number in
                number += 1
                return number
            }
            return .json([
                "signedTransactions": [], "hasMore": true, "revision": .string("r\(next)"),
            ])
        }
        try await FakeStore.serving(script) { store in
            try await Stage.playing(store.url) { stage in
                let key = StoreVoice.Period("200000").key
                let isNews = try await stage.reconciler.reconcile([key])
                #expect(!isNews)
                #expect(store.arrivals.count == 1 + ReconcilerLimits.historyPagesMax)
            }
        }
    }

    @Test func `one caller's question is about 64 subscriptions at most`() async throws {
        let script: FakeStore.Script = { arrival in
            arrival.path.hasPrefix("/inApps/v2/history/")
                ? .json(["signedTransactions": []]) : .json(["data": []])
        }
        try await FakeStore.serving(script) { store in
            try await Stage.playing(store.url) { stage in
                let keys = (0..<70).map { StoreVoice.Period("\(200_000 + $0)").key }
                let isNews = try await stage.reconciler.reconcile(keys)
                #expect(!isNews)
                let bound = ReconcilerLimits.reconciledSubscriptionsMax
                #expect(store.arrivals.count == 2 * bound)
            }
        }
    }

    @Test func `an answer older than what is kept changes nothing`() async throws {
        let voice = try StoreVoice()
        var newer = StoreVoice.Period("200000")
        newer.until = newer.until.advanced(byMilliseconds: StoreVoice.day)
        newer.signed = newer.signed.advanced(byMilliseconds: 1)
        let book = MemoryBook()
        book.put([try voice.fact(newer)])
        let before = book.subscriptions
        let statuses = try voice.statuses(StoreVoice.Period("200000"))
        let script: FakeStore.Script = { arrival in
            arrival.path.hasPrefix("/inApps/v1/")
                ? .json(statuses) : .json(["signedTransactions": [], "hasMore": false])
        }
        try await FakeStore.serving(script) { store in
            try await Stage.playing(store.url, voice: voice, book: book) { stage in
                let isNews = try await stage.reconciler.reconcile([newer.key])
                #expect(!isNews)
                let after = book.subscriptions
                #expect(after.mapValues(\.transactions) == before.mapValues(\.transactions))
                #expect(after.mapValues(\.renewal) == before.mapValues(\.renewal))
                // That it was signed before is remembered, and is no news.
                let first = after[newer.key]?.traces.map(\.first)
                #expect(first == [StoreVoice.Period("200000").signed])
            }
        }
    }

    @Test(arguments: [
        (["SUCCESS"], TestNotificationResult(delivered: true, sendAttemptResult: "SUCCESS")),
        (["TLS_ISSUE"], TestNotificationResult(delivered: false, sendAttemptResult: "TLS_ISSUE")),
    ])
    func `a test notification is waited for`(
        _ attempts: [String],
        _ result: TestNotificationResult
    ) async throws {
        let done = JSONValue.array(
            attempts.map { .object(["attemptDate": 1, "sendAttemptResult": .string($0)]) }
        )
        let replies = Replies(
            .json(["testNotificationToken": "t_1"]),
            .error(404, 4_040_008),
            .json([:]),
            .json(["sendAttempts": done])
        )
        try await FakeStore.serving(replies) { store in
            try await Stage.playing(store.url) { stage in
                let found = try await stage.reconciler.testNotification(timeoutSeconds: 60)
                #expect(found == result)
                #expect(store.arrivals.count == 4)
            }
        }
    }

    @Test func `a test notification that does not come is an answer`() async throws {
        let script: FakeStore.Script = { arrival in
            arrival.method == "POST"
                ? .json(["testNotificationToken": "t_1"]) : .error(404, 4_040_008)
        }
        try await FakeStore.serving(script) { store in
            for environment in [StoreEnvironment.production, .sandbox] {
                try await Stage.playing(store.url, environments: [environment]) { stage in
                    let result = try await stage.reconciler.testNotification(timeoutSeconds: 60)
                    #expect(
                        result == TestNotificationResult(delivered: false, sendAttemptResult: nil)
                    )
                    let waited = stage.clock.now.milliseconds - StoreVoice.start.milliseconds
                    #expect(waited <= 60_000)
                }
            }
        }
    }

    @Test func `an app without a notification URL is told so`() async throws {
        try await FakeStore.serving(Replies(.error(404, 4_040_007))) { store in
            try await Stage.playing(store.url) { stage in
                let failure = await apiFailure { () async throws(StoreAPIFailure) in
                    try await stage.reconciler.testNotification(timeoutSeconds: 5)
                }
                #expect(failure?.kind == .refused)
                #expect(failure?.code == 4_040_007)
            }
        }
    }

    @Test func `a round walks and sweeps, one at a time`() async throws {
        let script: FakeStore.Script = { _ in .json(["notificationHistory": []]) }
        try await FakeStore.serving(script) { store in
            try await Stage.playing(store.url) { stage in
                let reconciler = stage.reconciler
                #expect(reconciler.startRound())
                await reconciler.state.withLock { $0.round }?.value
                #expect(reconciler.marks.marks.sweep?.isCompleted == true)
                #expect(reconciler.marks.marks.walks[.production] == StoreVoice.start)
                #expect(!reconciler.progress.isRunning)
                let metrics = Metrics(version: "0")
                metrics.show([reconciler.progress])
                #expect(metrics.walks.series("Production", "ok").value == 1)
                let start = Int(StoreVoice.start.milliseconds / 1_000)
                #expect(metrics.walkTime.series("Production", "history").value == start)
                #expect(metrics.walkTime.series("Production", "failures").value == 0)
                #expect(metrics.sweepTime.value == start)
                #expect(metrics.storeRequests.series("Production").value == 1)
                #expect(reconciler.startRound())
                #expect(!reconciler.startRound())
                #expect(reconciler.progress.isRunning)
                let stats = reconciler.progress.object { "\($0.milliseconds)" }
                let stamp = JSONValue.string("\(StoreVoice.start.milliseconds)")
                #expect(stats["environments"]?["Production"]?["completedAt"] == stamp)
                #expect(stats["environments"]?["Production"]?["circuit"] == "closed")
                #expect(stats["sweep"]?["asked"] == 0)
                #expect(stats["storeIsSilent"] == false)
                await reconciler.stop()
                #expect(!reconciler.startRound())
            }
        }
    }

    @Test func `a round against a store that does not answer ends, and says why`() async throws {
        try await FakeStore.serving(Replies(.hangUp)) { store in
            try await Stage.playing(store.url) { stage in
                let reconciler = stage.reconciler
                #expect(reconciler.startRound())
                await reconciler.state.withLock { $0.round }?.value
                #expect(!reconciler.progress.isRunning)
                let walks = try #require(reconciler.progress.walks[.production])
                #expect(walks.incomplete == 1)
                #expect(walks.detail?.hasPrefix("unreachable") == true)
                #expect(store.arrivals.count == ReconcilerLimits.patientAttemptsMax)
                #expect(reconciler.marks.marks.walks.isEmpty)
                let metrics = Metrics(version: "0")
                metrics.show([reconciler.progress])
                #expect(metrics.walks.series("Production", "failed").value == 1)
                let failed = metrics.storeRequestFailures.series("Production", "unreachable")
                #expect(failed.value == ReconcilerLimits.patientAttemptsMax)
            }
        }
    }

    @Test func `the regular work walks first, then through failures, and ends when cancelled`()
        async throws
    {
        let voice = try StoreVoice()
        let all = try (0..<3).map { try voice.notification(.init("20000\($0)"), number: $0) }
        let asked = Mutex(0)
        let script: FakeStore.Script = { _ in
            let number = asked.withLock { asked in
                asked += 1
                return min(asked, all.count) - 1
            }
            return .json(["notificationHistory": [["signedPayload": .string(all[number])]]])
        }
        try await FakeStore.serving(script) { store in
            try await Stage.playing(store.url, voice: voice) { stage in
                let work = Task { await stage.reconciler.walk(with: stage.api) }
                while stage.book.subscriptions.count < 3 {
                    try await Task.sleep(for: .milliseconds(5))
                }
                work.cancel()
                await work.value
                let walks = store.arrivals.map { $0.json?["onlyFailures"] == true }
                #expect(Array(walks.prefix(3)) == [false, true, true])
                #expect(stage.reconciler.marks.marks.walks[.production] != nil)
            }
        }
    }

    @Test func `a silent store is told once, and so is its return`() async throws {
        let voice = try StoreVoice()
        let book = MemoryBook()
        for number in 0..<20 { book.put([try voice.fact(.init("\(200_000 + number)"))]) }
        let script: FakeStore.Script = { arrival in
            arrival.path.hasSuffix("history")
                ? .json(["notificationHistory": []]) : .json(["data": []])
        }
        try await FakeStore.serving(script) { store in
            try await Stage.playing(store.url, voice: voice, book: book) { stage in
                let work = Task { await stage.reconciler.run() }
                while !stage.reconciler.progress.storeIsSilent {
                    try await Task.sleep(for: .milliseconds(5))
                }
                work.cancel()
                await work.value
                #expect(stage.reconciler.progress.renewalsMissed == 20)
                let metrics = Metrics(version: "0")
                metrics.show([stage.reconciler.progress])
                #expect(metrics.storeSilent.value == 1)
                #expect(metrics.renewalsMissed.value == 20)
                #expect(stage.reconciler.progress.readiness.hasPrefix("amber: silent"))
                stage.reconciler.heardNotification()
                metrics.show([stage.reconciler.progress])
                #expect(metrics.storeSilent.value == 0)
                #expect(metrics.renewalsMissed.value == 0)
                #expect(stage.reconciler.progress.readiness == "heard, or none was expected")
                #expect(!stage.reconciler.progress.storeIsSilent)
                #expect(stage.notices.all.count { $0 == .storeSilent(renewalsDue: 20) } == 1)
                #expect(stage.notices.all.count { $0 == .storeHeard } == 1)
            }
        }
    }
}
