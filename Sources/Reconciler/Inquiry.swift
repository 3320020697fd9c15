import Entitlements

/// Asks a store about single subscriptions, and gives the answers to the book.
struct Inquiry: Sendable {
    /// The result of a question.
    enum Result: Sendable {
        case answered(IntakeTally)
        /// The store does not know the subscription.
        case unknown
        /// The store refuses this question; others can still be asked.
        case refused(StoreAPIFailure)
        /// No answer now, to this or any other question.
        case unavailable(StoreAPIFailure)
    }

    let questions: any StoreQuestions
    let clients: [ScopeClient]
    let intake: Intake

    /// Asks for the state of `key`, of which `kept` is known; nil if no scope has this
    /// subscription.
    ///
    /// A store may state only the last transaction. If that was unknown, or an announced one was
    /// superseded, the history is asked for too, unless `readingHistory` is false.
    func ask(
        about key: SubscriptionKey,
        kept: Subscription?,
        _ haste: Haste,
        readingHistory: Bool = true
    ) async -> Result? {
        let clients = clients(of: key)
        guard !clients.isEmpty else { return nil }
        do throws(StoreAPIFailure) {
            let stated = try await clients.firstAnswer(haste) { scope in
                questions.state(of: key, kept: kept, in: scope)
            }
            var tally = await intake.take(stated, of: key.environment, lookingForGaps: true)
            for key in readingHistory ? tally.puzzling : [] where tally.bookFailure == nil {
                // The present state is already in the book, even if the history cannot be read.
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

    /// Asks for the whole history of `key`, page by page, and gives it to the book.
    ///
    /// A store that states everything at once has no history to ask for.
    func askHistory(
        of key: SubscriptionKey,
        _ haste: Haste
    ) async throws(StoreAPIFailure) -> IntakeTally {
        var tally = IntakeTally()
        let clients = clients(of: key)
            .filter { questions.history(of: key, in: $0.scope) != nil }
        guard !clients.isEmpty else { return tally }
        var pages: [StoreScope: StoreQuestion<StoreStatement>] = [:]
        for _ in 0..<ReconcilerLimits.historyPagesMax {
            let (scope, page) = try await clients.first(haste) { scope in
                pages.isEmpty ? questions.history(of: key, in: scope) : pages[scope]
            }
            tally.add(await intake.take(page, of: key.environment))
            guard tally.bookFailure == nil, let next = page.next else { break }
            pages = [scope: next]
        }
        return tally
    }

    private func clients(of key: SubscriptionKey) -> [ScopeClient] {
        let scopes = questions.scopes(of: key)
        return clients.filter { scopes.contains($0.scope) }
    }

    private static func result(of failure: StoreAPIFailure) -> Result {
        switch failure.kind {
        case .unknown: .unknown
        case .malformed, .pagingExpired, .refused, .uncertain: .refused(failure)
        case .unauthorized, .limited, .unreachable, .cancelled: .unavailable(failure)
        }
    }
}
