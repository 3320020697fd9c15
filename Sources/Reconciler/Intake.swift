import Entitlements

/// The result of taking documents of the store's API into the book.
struct IntakeTally: Hashable, Sendable {
    /// Documents that were examined.
    var documents = 0
    /// Of those, the ones with something newer.
    var applied = 0
    /// Of those, the ones that do not verify.
    var refused = 0
    /// Why a history could not be read; what the store answered otherwise is kept.
    var historyFailure: StoreAPIFailure?
    /// Why the remaining documents could not be stored.
    var bookFailure: BookFailure?

    mutating func add(_ other: IntakeTally) {
        documents += other.documents
        applied += other.applied
        refused += other.refused
        historyFailure = historyFailure ?? other.historyFailure
        bookFailure = bookFailure ?? other.bookFailure
    }
}

/// The only way in which statements of a store's server get into the book.
struct Intake: Sendable {
    let book: any ReconciledBook
    let clock: ReconcilerClock
    let report: @Sendable (ReconcilerNotice) -> Void

    /// Gives the store's statement to the book.
    func take(
        _ statement: StoreStatement,
        of environment: StoreEnvironment
    ) async -> IntakeTally { await take([statement], of: environment) }

    /// Gives the store's statements to the book.
    ///
    /// Their facts are written together, as far as there is room, and so are the notifications of
    /// each, so that one flush serves them all.
    func take(
        _ statements: [StoreStatement],
        of environment: StoreEnvironment
    ) async -> IntakeTally {
        var tally = IntakeTally()
        for statement in statements {
            tally.documents += statement.documents
            for refusal in statement.refusals {
                tally.refused += 1
                report(.documentRefused(environment, refusal.fault, detail: refusal.detail))
            }
            for detail in statement.unreadable {
                report(.documentRefused(environment, .wrongDocument, detail: detail))
            }
            for detail in statement.warnings { report(.warned(detail: detail)) }
            await take(statement.notifications, &tally)
        }
        var rest = statements.flatMap(\.facts)[...]
        do throws(BookFailure) {
            while !rest.isEmpty {
                let facts = Array(rest.prefix(ReconcilerLimits.factsTogetherMax))
                rest = rest.dropFirst(facts.count)
                if try await book.take(facts) { tally.applied += 1 }
            }
        } catch {
            tally.bookFailure = tally.bookFailure ?? error
        }
        return tally
    }

    private func take(
        _ notifications: [Notification],
        _ tally: inout IntakeTally
    ) async {
        await withTaskGroup(of: IntakeTally.self) { group in
            for notification in notifications {
                group.addTask { await taken(notification) }
            }
            for await one in group { tally.add(one) }
        }
    }

    /// A function, since the optimiser of Swift 6.3 loses the result of a task whose closure has a
    /// `do throws` of its own.
    private func taken(_ notification: Notification) async -> IntakeTally {
        var tally = IntakeTally()
        do throws(BookFailure) {
            switch try await book.take(notification) {
            case .applied: tally.applied += 1
            case .stale, .duplicate, .ignored, .accepted: break
            }
        } catch {
            tally.bookFailure = error
        }
        return tally
    }

    /// The subscriptions in `facts`, and `key`, whose history must be asked for.
    ///
    /// The subscription is known, but its last transaction is not, or an announced one was
    /// superseded, or one is missing; or it is not known, and its last transaction is not its first
    /// one, which may say whose it is.
    /// A renewal that begins exactly where a known transaction ends leaves no gap.
    func puzzling(
        _ facts: [Fact],
        about key: SubscriptionKey
    ) async throws(BookFailure) -> [SubscriptionKey] {
        let keys = Set(facts.map(\.key)).union([key])
        let kept = try await book.subscriptions(of: keys.sorted())
            .filter { !$0.transactions.isEmpty }
        let known = Set(kept.map(\.key))
        let goesOn = facts.filter { !known.contains($0.key) && $0.isOfLaterPeriod }.map(\.key)
        let puzzling = kept.filter { one in
            isPuzzling(one, told: facts.filter { $0.key == one.key })
        }
        return puzzling.map(\.key) + goesOn
    }

    /// Whether the history of `kept` must be asked for, of which the store states `facts`.
    private func isPuzzling(_ kept: Subscription, told facts: [Fact]) -> Bool {
        let now = clock.wall()
        // The answer may name only the last transaction, which is not the one that is missing.
        if kept.missingSince(at: now) != nil { return true }
        var told = kept
        for fact in facts { _ = told.merge(fact) }
        let isNew = facts.compactMap(\.transaction)
            .contains { last in
                !kept.transactions.contains { $0.id == last.id || last.continues($0) }
            }
        return isNew || told.isPuzzling(at: now) || told.missingSince(at: now) != nil
    }
}

extension Fact {
    /// Whether its transaction is not the first of its subscription: it goes on from another
    /// subscription, or from a period before.
    fileprivate var isOfLaterPeriod: Bool {
        guard let transaction else { return false }
        return transaction.id != key.originalID || transaction.terms.previousOriginalID != nil
    }
}

extension TransactionFact {
    /// Whether this transaction only renews `other`, without a gap.
    fileprivate func continues(_ other: TransactionFact) -> Bool {
        reason != "PURCHASE" && !other.isUpgraded && other.revoked == nil
            && productID == other.productID && purchased == other.expires
            && (token == nil || token == other.token)
    }
}
