import Entitlements
import Synchronization

/// What is done when somebody asks for it.
extension Reconciler {
    /// The signed transaction `id`, from the first environment that knows it; not yet verified.
    ///
    /// Production is asked first, as Apple advises. It refuses apps that are not approved
    /// yet, which sell in the sandbox all the same.
    package func transaction(id: String) async throws(StoreAPIFailure) -> [UInt8] {
        guard let name = StoreName(id) else {
            throw .nameless
        }
        let haste = haste(ReconcilerLimits.promptMilliseconds)
        return try await apis.firstAnswer { (api) async throws(StoreAPIFailure) in
            try await api.transaction(name, haste)
        }
    }

    /// Asks about these subscriptions: what holds now, and all that was; answers whether anything
    /// in it was newer than what is kept.
    package func reconcile(_ keys: [SubscriptionKey]) async throws(StoreAPIFailure) -> Bool {
        let haste = haste(ReconcilerLimits.reconcileMilliseconds)
        var tally = IntakeTally()
        for key in keys.prefix(ReconcilerLimits.reconciledSubscriptionsMax) {
            switch await inquiry.ask(about: key, haste, readingHistory: false) {
            case .answered(let one): tally.add(one)
            case .refused(let failure), .unavailable(let failure): throw failure
            case .unknown, nil: continue
            }
            tally.add(try await inquiry.askHistory(of: key, haste))
            if let failure = tally.bookFailure {
                throw StoreAPIFailure(.unreachable, failure.detail)
            }
        }
        state.withLock { state in
            state.progress.applied += tally.applied
            state.progress.refused += tally.refused
        }
        return tally.applied > 0
    }

    /// Starts a walk through everything and a sweep; answers false where they are under way.
    package func startRound() -> Bool {
        state.withLock { state in
            guard state.round == nil, !state.isStopped else { return false }
            state.progress.isRound = true
            state.round = Task {
                for api in apis {
                    await inTurn { await self.walkOnce(with: api, onlyFailures: false) }
                }
                // A store that does not answer need not be asked about everybody.
                if apis.contains(where: { $0.figures.isAnswering }) {
                    await inTurn { await self.sweepOnce() }
                }
                self.state.withLock { state in
                    state.progress.isRound = false
                    state.round = nil
                }
            }
            return true
        }
    }

    /// Does `work` once what is under way of its kind has ended.
    private func inTurn(_ work: () async -> Bool?) async {
        while await work() == nil {
            do throws(StoreAPIFailure) {
                try await clock.rest(ReconcilerLimits.turnMilliseconds)
            } catch {
                return
            }
        }
    }

    /// Asks for a test notification, and waits for what became of it.
    ///
    /// Asked of Production where that counts, else of the sandbox.
    package func testNotification(
        timeoutSeconds: Int
    ) async throws(StoreAPIFailure) -> TestNotificationResult {
        guard let api = apis.first else {
            throw StoreAPIFailure(.refused, "no environment is configured")
        }
        let seconds = min(max(timeoutSeconds, 1), ReconcilerLimits.testSecondsMax)
        let haste = haste(Int64(seconds) * 1_000)
        let end = haste.deadline
        let token = try await api.requestTest(haste)
        var pause: Int64 = 1_000
        let silence = TestNotificationResult(delivered: false, sendAttemptResult: nil)
        while true {
            try await clock.rest(min(pause, max(end - clock.monotonic(), 1)))
            guard clock.monotonic() < end else { return silence }
            pause = min(pause * 2, 10_000)
            do throws(StoreAPIFailure) {
                let attempts = try await api.testAttempts(token, haste)
                guard let last = attempts.last else { continue }
                return TestNotificationResult(
                    delivered: attempts.contains("SUCCESS"),
                    sendAttemptResult: last
                )
            } catch {
                // Not there yet; or the next question would come too late, which is an answer.
                if error.code == Self.testUnknown { continue }
                if error.kind == .limited, error.code == 0 { return silence }
                throw error
            }
        }
    }

    /// Tells the store about the use of the purchase `id`, for the app of this bundle id or for
    /// whichever knows the purchase.
    package func send(
        _ info: ConsumptionInfo,
        of id: String,
        bundleID: String?
    ) async throws(StoreAPIFailure) {
        guard let name = StoreName(id) else { throw .nameless }
        let haste = haste(ReconcilerLimits.promptMilliseconds)
        try await apis(of: bundleID)
            .firstAnswer { (api) async throws(StoreAPIFailure) in
                try await api.send(info, of: name, haste)
            }
    }

    /// Puts off the renewal of the subscription with this transaction.
    ///
    /// Apple wants the number of the first one: where `id` is not that, the store is asked for it.
    package func extend(
        _ wish: RenewalWish,
        of id: String,
        bundleID: String?
    ) async throws(StoreAPIFailure) -> RenewalPutOff {
        guard let name = StoreName(id) else { throw .nameless }
        let haste = haste(ReconcilerLimits.promptMilliseconds)
        let apis = apis(of: bundleID)
        do throws(StoreAPIFailure) {
            return try await apis.firstAnswer { (api) async throws(StoreAPIFailure) in
                try await api.extend(wish, of: name, haste)
            }
        } catch {
            guard error.kind == .unknown || error.kind == .unauthorized else { throw error }
            let (key, original) = try await original(of: name, apis, haste)
            guard original != name else { throw error }
            let there = apis.filter { $0.endpoint.environment == key.environment }
            return try await there.firstAnswer { (api) async throws(StoreAPIFailure) in
                try await api.extend(wish, of: original, haste)
            }
        }
    }

    /// The subscription of a transaction, as the store signed it.
    private func original(
        of name: StoreName,
        _ apis: [AppStoreServerAPI],
        _ haste: Haste
    ) async throws(StoreAPIFailure) -> (SubscriptionKey, StoreName) {
        let document = try await apis.firstAnswer { (api) async throws(StoreAPIFailure) in
            try await api.transaction(name, haste)
        }
        let verdict = intake.storefront.verdict(
            onPurchase: document,
            renewal: nil,
            at: clock.wall()
        )
        guard case .genuine(let fact) = verdict, let original = StoreName(fact.key.originalID)
        else {
            throw StoreAPIFailure(.malformed, "a transaction that does not verify")
        }
        return (fact.key, original)
    }

    private func apis(of bundleID: String?) -> [AppStoreServerAPI] {
        guard let bundleID else { return apis }
        let other = bundleID == settings.bundleID ? nil : bundleID
        return apis.filter { $0.scope.bundleID == other }
    }

    /// The haste of somebody who waits so long from now.
    private func haste(_ milliseconds: Int64) -> Haste {
        .prompt(until: clock.monotonic() + milliseconds)
    }

    /// Test notification not found.
    private static let testUnknown: Int64 = 4_040_008
}

extension StoreAPIFailure {
    /// What cannot stand in a path is the number of nothing.
    fileprivate static let nameless = StoreAPIFailure(.unknown, "no transaction id is written so")
}
