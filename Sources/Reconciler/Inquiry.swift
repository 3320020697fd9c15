import Entitlements

/// Asks the store about single subscriptions, and takes in what it says.
struct Inquiry: Sendable {
    /// What came of a question.
    enum Result: Sendable {
        case answered(IntakeTally)
        /// The store does not know the subscription.
        case unknown
        /// The store will not say; nobody else need be asked less.
        case refused(StoreAPIFailure)
        /// No answer now, to this or any other question.
        case unavailable(StoreAPIFailure)
    }

    let apis: [StoreEnvironment: [AppStoreServerAPI]]
    let intake: Intake

    /// Asks for the statuses of `key`; nil where its environment is none of ours.
    ///
    /// The store tells the last transaction only: where that was not known, or an announced one
    /// was superseded, its history is asked for, unless the caller does.
    func ask(
        about key: SubscriptionKey,
        _ haste: Haste,
        readingHistory: Bool = true
    ) async -> Result? {
        guard key.store == .appStore, apis[key.environment] != nil else { return nil }
        guard let name = StoreName(key.originalID) else { return .unknown }
        do throws(StoreAPIFailure) {
            let stated = try await answer(in: key.environment) {
                (api) async throws(StoreAPIFailure) in
                try await api.statuses(of: name, haste)
            }
            var tally = await intake.take(stated, of: key.environment)
            for key in readingHistory ? tally.puzzling : [] where tally.bookFailure == nil {
                // What holds now is taken in already, whatever becomes of the rest.
                if let more = try? await askHistory(of: key, haste) { tally.add(more) }
            }
            if let failure = tally.bookFailure {
                return .unavailable(.init(.unreachable, failure.detail))
            }
            return .answered(tally)
        } catch {
            return Self.result(of: error)
        }
    }

    /// Asks for the whole history of `key`, page by page, and takes it in.
    func askHistory(
        of key: SubscriptionKey,
        _ haste: Haste
    ) async throws(StoreAPIFailure) -> IntakeTally {
        var tally = IntakeTally()
        guard apis[key.environment] != nil, let name = StoreName(key.originalID) else {
            return tally
        }
        var revision: String?
        for _ in 0..<ReconcilerLimits.historyPagesMax {
            let place = revision
            let page = try await answer(in: key.environment) {
                (api) async throws(StoreAPIFailure) in
                try await api.history(of: name, revision: place, haste)
            }
            tally.add(await intake.take(transactions: page.transactions, of: key.environment))
            guard tally.bookFailure == nil, let next = page.next else { break }
            revision = next
        }
        return tally
    }

    /// What the first app of ours says that knows what is asked about.
    private func answer<Answer: Sendable>(
        in environment: StoreEnvironment,
        _ ask: (AppStoreServerAPI) async throws(StoreAPIFailure) -> Answer
    ) async throws(StoreAPIFailure) -> Answer {
        try await (apis[environment] ?? []).firstAnswer(ask)
    }

    private static func result(of failure: StoreAPIFailure) -> Result {
        switch failure.kind {
        case .unknown: .unknown
        case .malformed, .pagingExpired, .refused, .uncertain: .refused(failure)
        case .unauthorized, .limited, .unreachable, .cancelled: .unavailable(failure)
        }
    }
}

extension [AppStoreServerAPI] {
    /// The answer of the first one that knows what is asked about.
    ///
    /// An app that is not approved yet is refused in Production, and may be known
    /// to the next all the same; whoever else does not answer ends it.
    func firstAnswer<Answer: Sendable>(
        _ ask: (AppStoreServerAPI) async throws(StoreAPIFailure) -> Answer
    ) async throws(StoreAPIFailure) -> Answer {
        var refusal: StoreAPIFailure?
        var unknown: StoreAPIFailure?
        for api in self {
            do throws(StoreAPIFailure) {
                return try await ask(api)
            } catch {
                switch error.kind {
                case .unauthorized: refusal = refusal ?? error
                case .unknown: unknown = unknown ?? error
                case .refused, .pagingExpired, .limited, .unreachable, .uncertain, .malformed,
                    .cancelled:
                    throw error
                }
            }
        }
        throw refusal ?? unknown
            ?? StoreAPIFailure(.unknown, "no environment knows the transaction")
    }
}
