import Entitlements
import Synchronization

/// What is done when somebody asks for it.
extension Reconciler {
    /// What the store says of the purchase that `hint` leads to, from the first scope that knows
    /// it.
    ///
    /// A document is not yet verified.
    package func purchase(
        _ hint: PurchaseHint,
        within milliseconds: Int64
    ) async throws(StoreAPIFailure) -> PurchaseAnswer {
        try await clients.firstAnswer(haste(milliseconds)) { questions.purchase(hint, in: $0) }
    }

    /// The store that is asked.
    package var store: Store { questions.store }

    /// The apps that callers may name, the default one first.
    package var apps: [String] { questions.apps }

    /// Signs a promotional offer, in both forms.
    package func signed(_ wish: OfferWish, nonce: Token, at now: Moment) -> SignedOffer? {
        questions.signed(wish, nonce: nonce, at: now)
    }

    /// Signs who gets an introductory offer: a JWS.
    package func signed(_ wish: EligibilityWish, nonce: Token, at now: Moment) -> String? {
        questions.signed(wish, nonce: nonce, at: now)
    }

    /// A page on which the customer manages a purchase, made for this occasion; nil where the store
    /// makes none, or does not know the purchase.
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

    /// Asks for what the store's room lacks to judge by, if it lacks anything.
    package func upkeep() async throws(StoreAPIFailure) {
        guard let client = clients.first, let question = questions.upkeep(at: clock.wall()) else {
            return
        }
        try await client.answer(to: question, haste(ReconcilerLimits.promptMilliseconds))
    }

    /// Asks about these subscriptions: what holds now, and all that was.
    ///
    /// - Parameter keys: those of other stores are left out.
    /// - Returns: whether anything in it was newer than what is kept.
    /// - Throws: where the store or the book cannot be asked, or refuses.
    package func reconcile(_ keys: [SubscriptionKey]) async throws(StoreAPIFailure) -> Bool {
        let haste = haste(ReconcilerLimits.reconcileMilliseconds)
        var tally = IntakeTally()
        let own = keys.filter { $0.store == questions.store }
            .prefix(ReconcilerLimits.reconciledSubscriptionsMax)
        let kept = try await kept(under: Array(own))
        for key in own {
            switch await inquiry.ask(about: key, kept: kept[key], haste, readingHistory: false) {
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

    private func kept(
        under keys: [SubscriptionKey]
    ) async throws(StoreAPIFailure) -> [SubscriptionKey: Subscription] {
        do throws(BookFailure) {
            let found = try await intake.book.subscriptions(of: keys)
            return Dictionary(found.map { ($0.key, $0) }) { first, _ in first }
        } catch {
            throw StoreAPIFailure(.unreachable, error.detail)
        }
    }

    /// Starts a walk through everything and a sweep; answers false where they are under way.
    package func startRound() -> Bool {
        state.withLock { state in
            guard state.round == nil, !state.isStopped else { return false }
            state.progress.isRound = true
            state.round = Task {
                for client in clients {
                    await inTurn { await self.walkOnce(with: client, onlyFailures: false) }
                }
                // A store that does not answer need not be asked about everybody.
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
    /// Asked of the first scope: Production where that counts.
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
                // The next question would come too late, which is an answer.
                if error.kind == .limited, error.code == 0 { return silence }
                throw error
            }
        }
    }

    /// Tells the store about the use of a purchase, for the app that is named or for whichever
    /// knows the purchase.
    package func send(_ report: ConsumptionReport) async throws(StoreAPIFailure) {
        let haste = haste(ReconcilerLimits.promptMilliseconds)
        try await clients(ofApp: report.bundleID)
            .firstAnswer(haste) { questions.consumption(report, in: $0) }
    }

    /// Puts off the renewal of the subscription with this transaction.
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

    /// The haste of somebody who waits so long from now.
    private func haste(_ milliseconds: Int64) -> Haste {
        .prompt(until: clock.monotonic() + milliseconds)
    }
}
