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

    let apis: [StoreEnvironment: AppStoreServerAPI]
    let intake: Intake

    /// Asks for the statuses of `key`; nil where its environment is none of ours.
    func ask(about key: SubscriptionKey, _ haste: Haste) async -> Result? {
        guard key.store == .appStore, let api = apis[key.environment] else { return nil }
        guard let name = StoreName(key.originalID) else { return .unknown }
        do throws(StoreAPIFailure) {
            let stated = try await api.statuses(of: name, haste)
            let tally = await intake.take(stated, of: key.environment)
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
        guard let api = apis[key.environment], let name = StoreName(key.originalID) else {
            return tally
        }
        var revision: String?
        for _ in 0..<ReconcilerLimits.historyPagesMax {
            let page = try await api.history(of: name, revision: revision, haste)
            tally.add(await intake.take(transactions: page.transactions, of: key.environment))
            guard tally.bookFailure == nil, let next = page.next else { break }
            revision = next
        }
        return tally
    }

    private static func result(of failure: StoreAPIFailure) -> Result {
        switch failure.kind {
        case .unknown: .unknown
        case .malformed, .pagingExpired, .refused: .refused(failure)
        case .unauthorized, .limited, .unreachable, .cancelled: .unavailable(failure)
        }
    }
}
