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

    /// How much of a subscription's past is asked for together with its state.
    enum Past: Sendable {
        /// The history, if the answer shows that more happened than is known.
        case whereUnclear
        /// The history.
        case whole
    }

    let questions: any StoreQuestions
    let clients: [ScopeClient]
    let intake: Intake
    let marks: MarksFile

    /// Asks for the state of `key`, of which `kept` is known; nil if no scope has this
    /// subscription.
    ///
    /// A store may state only the last transaction. If that was unknown, or an announced one was
    /// superseded, the history is asked for too.
    func ask(
        about key: SubscriptionKey,
        kept: Subscription?,
        _ haste: Haste,
        _ past: Past = .whereUnclear
    ) async -> Result? {
        let clients = clients(of: key)
        guard !clients.isEmpty else { return nil }
        // The clock may have been ahead when that was said.
        let said = kept.map { $0.isOfSnapshots ? $0.heard : .distantPast } ?? .distantPast
        do throws(StoreAPIFailure) {
            let stated = try await clients.firstAnswer(haste, after: said) { scope in
                questions.state(of: key, kept: kept, in: scope)
            }
            return .answered(try await take(stated, about: key, haste, past))
        } catch {
            return Self.result(of: error)
        }
    }

    /// What the store says of the purchase that `hint` names, from the first scope that knows it.
    ///
    /// Where the store has forgotten a purchase that is kept, the answer is what it says of that
    /// one, such as that it ended long ago.
    func purchase(
        _ hint: PurchaseHint,
        _ haste: Haste
    ) async throws(StoreAPIFailure) -> PurchaseAnswer {
        do throws(StoreAPIFailure) {
            return try await clients.firstAnswer(haste) { questions.purchase(hint, in: $0) }
        } catch {
            guard Self.isFinal(error) else { throw error }
            let keys = questions.keys(of: hint)
            let kept = try await kept(under: keys)
            for key in keys {
                guard let one = kept[key], let facts = try await facts(about: one, haste) else {
                    continue
                }
                return .stated(facts)
            }
            throw error
        }
    }

    /// What the store states of a purchase that is kept; nil where it states nothing.
    private func facts(
        about kept: Subscription,
        _ haste: Haste
    ) async throws(StoreAPIFailure) -> [Fact]? {
        do throws(StoreAPIFailure) {
            let stated = try await clients(of: kept.key)
                .firstAnswer(haste) { scope in
                    questions.state(of: kept.key, kept: kept, in: scope)
                }
            return stated.facts.isEmpty ? nil : stated.facts
        } catch {
            guard Self.isFinal(error) else { throw error }
            return nil
        }
    }

    /// What the book has under `keys`.
    func kept(
        under keys: [SubscriptionKey]
    ) async throws(StoreAPIFailure) -> [SubscriptionKey: Subscription] {
        guard !keys.isEmpty else { return [:] }
        do throws(BookFailure) {
            let found = try await intake.book.subscriptions(of: keys)
            return Dictionary(found.map { ($0.key, $0) }) { first, _ in first }
        } catch {
            throw StoreAPIFailure(.unreachable, error.detail)
        }
    }

    /// Whether the store would say the same again.
    private static func isFinal(_ failure: StoreAPIFailure) -> Bool {
        failure.kind == .unknown || failure.kind == .refused
    }

    /// Gives what the store stated about `key` to the book, with the histories that explain it.
    ///
    /// A statement is kept even if a history cannot be read: it says what was paid for. Afterwards
    /// nothing in the book shows that something is missing, so it is noted in the marks before, and
    /// the next question about the subscription asks for the history again. A failure of this kind
    /// is about the subscription and not about the store, which has just answered.
    private func take(
        _ stated: StoreStatement,
        about key: SubscriptionKey,
        _ haste: Haste,
        _ past: Past
    ) async throws(StoreAPIFailure) -> IntakeTally {
        let unclear = try await unclear(stated, about: key)
        let wanted = past == .whole && hasHistory(key) ? unclear.union([key]) : unclear
        var statements = [stated]
        var unread: Set<SubscriptionKey> = []
        var failure: StoreAPIFailure?
        for one in wanted.sorted() {
            do throws(StoreAPIFailure) {
                try await addHistory(of: one, haste, to: &statements)
            } catch {
                failure = failure ?? error
                // What the store does not know need not be asked for again.
                if unclear.contains(one), error.kind != .unknown { unread.insert(one) }
            }
        }
        // A long history is not written at once, and this process may end in the midst of it.
        let isLong = statements.count > 1 && statements.facts > ReconcilerLimits.factsTogetherMax
        let hasRoom = marks.owe(isLong ? unclear : unread)
        if let failure, !unread.isEmpty {
            // So many histories that cannot be read are the store's failure.
            guard hasRoom else { throw failure }
            intake.report(.historyUnread(detail: failure.description))
        }
        var tally = await intake.take(statements, of: key.environment)
        if let failure = tally.bookFailure {
            throw StoreAPIFailure(.unreachable, failure.detail)
        }
        marks.settle(unclear.subtracting(unread))
        tally.historyFailure = failure
        return tally
    }

    /// The subscriptions in `stated`, and `key`, whose history must be read.
    private func unclear(
        _ stated: StoreStatement,
        about key: SubscriptionKey
    ) async throws(StoreAPIFailure) -> Set<SubscriptionKey> {
        guard hasHistory(key) else { return [] }
        do throws(BookFailure) {
            let owed = marks.marks.histories.intersection(stated.facts.map(\.key) + [key])
            return owed.union(try await intake.puzzling(stated.facts, about: key))
        } catch {
            throw StoreAPIFailure(.unreachable, error.detail)
        }
    }

    /// Asks for the whole history of `key`, and adds it page by page to `statements`.
    private func addHistory(
        of key: SubscriptionKey,
        _ haste: Haste,
        to statements: inout [StoreStatement]
    ) async throws(StoreAPIFailure) {
        let clients = clients(of: key)
            .filter { questions.history(of: key, in: $0.scope) != nil }
        var pages: [StoreScope: StoreQuestion<StoreStatement>] = [:]
        for _ in 0..<ReconcilerLimits.historyPagesMax {
            let (scope, page) = try await clients.first(haste) { scope in
                pages.isEmpty ? questions.history(of: key, in: scope) : pages[scope]
            }
            statements.append(page)
            guard let next = page.next else { break }
            pages = [scope: next]
        }
    }

    /// Whether the store tells the history of `key`; a store that states everything at once does
    /// not.
    private func hasHistory(_ key: SubscriptionKey) -> Bool {
        clients(of: key).contains { questions.history(of: key, in: $0.scope) != nil }
    }

    /// Whether the store is asked about `key` in this environment.
    ///
    /// Google's one scope knows what licence testers buy, too.
    func asks(about key: SubscriptionKey, in environment: StoreEnvironment) -> Bool {
        questions.scopes(of: key).contains { $0.environment == environment }
    }

    private func clients(of key: SubscriptionKey) -> [ScopeClient] {
        let scopes = questions.scopes(of: key)
        return clients.filter { scopes.contains($0.scope) }
    }

    private static func result(of failure: StoreAPIFailure) -> Result {
        switch failure.kind {
        case .unknown: .unknown
        case .forbidden, .malformed, .pagingExpired, .refused, .uncertain: .refused(failure)
        case .unauthorized, .limited, .unreachable, .cancelled: .unavailable(failure)
        }
    }
}

extension [StoreStatement] {
    /// How many facts they state together.
    fileprivate var facts: Int { reduce(0) { $0 + $1.facts.count } }
}
