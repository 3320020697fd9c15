import Entitlements
import Synchronization

/// The work that callers request.
extension Reconciler {
    /// The store's statement about the purchase that `hint` names, from the first scope that knows
    /// it.
    ///
    /// A document in it is not verified yet.
    package func purchase(
        _ hint: PurchaseHint,
        within milliseconds: Int64
    ) async throws(StoreAPIFailure) -> PurchaseAnswer {
        try await inquiry.purchase(hint, haste(milliseconds))
    }

    /// The store that is asked.
    package var store: Store { questions.store }

    /// The apps that callers may name, the default one first.
    package var apps: [String] { questions.apps }

    /// Signs a promotional offer, in both forms.
    package func signed(_ wish: OfferWish, nonce: Token, at now: Moment) -> SignedOffer? {
        questions.signed(wish, nonce: nonce, at: now)
    }

    /// Signs, as a JWS, whether a customer may get an introductory offer.
    package func signed(_ wish: EligibilityWish, nonce: Token, at now: Moment) -> String? {
        questions.signed(wish, nonce: nonce, at: now)
    }

    /// A page on which the customer manages a purchase, made for this request; nil if the store
    /// makes no such pages or does not know the purchase.
    package func managementPage(
        of key: SubscriptionKey,
        nonce: Token
    ) async throws(StoreAPIFailure) -> String? {
        let scopes = questions.scopes(of: key)
        guard let client = clients.first(where: { scopes.contains($0.scope) }),
            let question = questions.managementPage(of: key, returnURL: nil, nonce: nonce)
        else { return nil }
        do throws(StoreAPIFailure) {
            return try await client.answer(to: question, haste(ReconcilerLimits.promptMilliseconds))
        } catch {
            guard error.kind == .unknown else { throw error }
            return nil
        }
    }

    /// Asks the store for data that its room needs for verification, such as keys, if any are
    /// missing; returns when they are there, whoever asked.
    package func upkeep() async throws(StoreAPIFailure) {
        let underWay: Task<Result<Void, StoreAPIFailure>, Never>? = state.withLock { state in
            if let task = state.upkeep { return task }
            guard let client = clients.first, let question = questions.upkeep(at: clock.wall())
            else { return nil }
            state.upkeep = Task { await self.keepUp(question, client) }
            return state.upkeep
        }
        try await underWay?.value.get()
    }

    private func keepUp(
        _ question: StoreQuestion<Void>,
        _ client: ScopeClient
    ) async -> Result<Void, StoreAPIFailure> {
        defer { state.withLock { $0.upkeep = nil } }
        do throws(StoreAPIFailure) {
            try await client.answer(to: question, haste(ReconcilerLimits.promptMilliseconds))
            return .success(())
        } catch {
            return .failure(error)
        }
    }

    /// Asks for the present state and the whole history of these subscriptions: first of those that
    /// have an end, and of them of the newest, since there is not always time for all of somebody's
    /// purchases.
    ///
    /// - Parameter keys: the subscriptions; those of other stores are ignored.
    /// - Returns: whether any answer was newer than the stored facts.
    /// - Throws: if the store or the book cannot be reached, or refuses.
    package func reconcile(_ keys: [SubscriptionKey]) async throws(StoreAPIFailure) -> Bool {
        let haste = haste(ReconcilerLimits.reconcileMilliseconds)
        var tally = IntakeTally()
        let own = keys.filter { $0.store == questions.store }
        let kept = try await inquiry.kept(under: own)
        let turns = own.map { (key: $0, turn: kept[$0]?.turn ?? .distantPast) }
            .sorted { $0.turn > $1.turn }.prefix(ReconcilerLimits.reconciledSubscriptionsMax)
        for (key, _) in turns {
            switch await inquiry.ask(about: key, kept: kept[key], haste, .whole) {
            case .answered(let one): tally.add(one)
            case .refused(let failure), .unavailable(let failure): throw failure
            case .unknown, nil: continue
            }
            if let failure = tally.historyFailure { throw failure }
        }
        state.withLock { state in
            state.progress.applied += tally.applied
            state.progress.refused += tally.refused
        }
        return tally.applied > 0
    }

    /// Starts a walk through everything and a sweep; returns false if they are under way already.
    package func startRound() -> Bool {
        state.withLock { state in
            guard state.round == nil, !state.isStopped else { return false }
            state.progress.isRound = true
            state.round = Task {
                for client in clients {
                    await inTurn { await self.walkOnce(with: client, onlyFailures: false) }
                }
                // Skip the sweep if the store does not answer.
                if clients.contains(where: { $0.figures.isAnswering }) {
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

    /// Does `work` after work of the same kind that is under way has ended.
    private func inTurn(_ work: () async -> Bool?) async {
        while await work() == nil {
            do throws(StoreAPIFailure) {
                try await clock.rest(ReconcilerLimits.turnMilliseconds)
            } catch {
                return
            }
        }
    }

    /// Requests a test notification, and waits for its delivery.
    ///
    /// The first scope is asked, which is Production if that is configured.
    package func testNotification(
        timeoutSeconds: Int
    ) async throws(StoreAPIFailure) -> TestNotificationResult {
        guard let client = clients.first else {
            throw StoreAPIFailure(.refused, "no environment is configured")
        }
        guard let question = questions.testNotification(in: client.scope) else {
            throw StoreAPIFailure(.refused, "this store sends no test notifications")
        }
        let seconds = min(max(timeoutSeconds, 1), ReconcilerLimits.testSecondsMax)
        let haste = haste(Int64(seconds) * 1_000)
        let end = haste.deadline
        let test = try await client.answer(to: question, haste)
        var pause: Int64 = 1_000
        let silence = TestNotificationResult(delivered: false, sendAttemptResult: nil)
        while true {
            try await clock.rest(min(pause, max(end - clock.monotonic(), 1)))
            guard clock.monotonic() < end else { return silence }
            pause = min(pause * 2, 10_000)
            do throws(StoreAPIFailure) {
                if let result = try await client.answer(to: test.result, haste) { return result }
            } catch {
                // The deadline comes before the next question: the result is that nothing arrived.
                if error.kind == .limited, error.code == 0 { return silence }
                throw error
            }
        }
    }

    /// Sends the store a report on the use of a purchase, for the named app or the first that knows
    /// the purchase.
    package func send(_ report: ConsumptionReport) async throws(StoreAPIFailure) {
        let haste = haste(ReconcilerLimits.promptMilliseconds)
        try await clients(ofApp: report.bundleID)
            .firstAnswer(haste) { questions.consumption(report, in: $0) }
    }

    /// Extends the subscription with this transaction, so that it renews later.
    package func extend(
        _ wish: ExtensionWish
    ) async throws(StoreAPIFailure) -> RenewalExtension {
        let haste = haste(ReconcilerLimits.promptMilliseconds)
        return try await clients(ofApp: wish.bundleID)
            .firstAnswer(haste) { questions.extend(wish, in: $0) }
    }

    private func clients(ofApp app: String?) -> [ScopeClient] {
        let scopes = questions.scopes(ofApp: app)
        return clients.filter { scopes.contains($0.scope) }
    }

    /// The haste of a caller who waits this long from now.
    private func haste(_ milliseconds: Int64) -> Haste {
        .prompt(until: clock.monotonic() + milliseconds)
    }
}

extension Subscription {
    /// When the period began that was paid last; the distant past where nothing has an end.
    fileprivate var turn: Moment {
        transactions.last { $0.expires != nil }?.purchased ?? .distantPast
    }
}
