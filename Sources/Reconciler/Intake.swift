import Entitlements

/// What became of documents that the store's API gave.
struct IntakeTally: Hashable, Sendable {
    /// Looked at.
    var documents = 0
    /// Of those, the ones with something newer.
    var applied = 0
    /// Of those, the ones that do not verify.
    var refused = 0
    /// Subscriptions of which the history is to be asked for.
    var puzzling: [SubscriptionKey] = []
    /// Why the rest could not be kept.
    var bookFailure: BookFailure?

    mutating func add(_ other: IntakeTally) {
        documents += other.documents
        applied += other.applied
        refused += other.refused
        puzzling += other.puzzling
        bookFailure = bookFailure ?? other.bookFailure
    }
}

/// The one way from what a store's server states into the book.
struct Intake: Sendable {
    let book: any ReconciledBook
    let clock: ReconcilerClock
    let report: @Sendable (ReconcilerNotice) -> Void

    /// Takes in what the store states; the facts of a page together, and its notifications all at
    /// once, so that one flush serves them.
    ///
    /// With `lookingForGaps`, says of which subscriptions more is to be asked.
    func take(
        _ statement: StoreStatement,
        of environment: StoreEnvironment,
        lookingForGaps: Bool = false
    ) async -> IntakeTally {
        var tally = IntakeTally(documents: statement.documents)
        for refusal in statement.refusals {
            tally.refused += 1
            report(.documentRefused(environment, refusal.fault, detail: refusal.detail))
        }
        for detail in statement.unreadable {
            report(.documentRefused(environment, .wrongDocument, detail: detail))
        }
        await take(statement.notifications, &tally)
        guard !statement.facts.isEmpty else { return tally }
        do throws(BookFailure) {
            if lookingForGaps { tally.puzzling = try await puzzling(statement.facts) }
            if try await book.take(statement.facts) { tally.applied += 1 }
        } catch {
            tally.bookFailure = error
        }
        return tally
    }

    private func take(
        _ notifications: [Notification],
        _ tally: inout IntakeTally
    ) async {
        let book = book
        await withTaskGroup(of: IntakeTally.self) { group in
            for notification in notifications {
                group.addTask {
                    var one = IntakeTally()
                    do throws(BookFailure) {
                        switch try await book.take(notification) {
                        case .applied: one.applied += 1
                        case .stale, .duplicate, .ignored, .accepted: break
                        }
                    } catch {
                        one.bookFailure = error
                    }
                    return one
                }
            }
            for await one in group { tally.add(one) }
        }
    }

    /// Of the subscriptions that `facts` speak of, those of which more is to be asked: it is here,
    /// and the last transaction is not, or one that was announced has been superseded.
    ///
    /// A renewal that begins where a transaction ends that is here leaves no room for others.
    private func puzzling(_ facts: [Fact]) async throws(BookFailure) -> [SubscriptionKey] {
        let kept = try await book.subscriptions(of: facts.map(\.key))
        return
            kept.filter { subscription in
                var told = subscription
                let kept = subscription.transactions
                let own = facts.filter { $0.key == subscription.key }
                for fact in own { _ = told.merge(fact) }
                let isNew = own.compactMap(\.transaction)
                    .contains { last in
                        !kept.contains { $0.id == last.id || last.continues($0) }
                    }
                return !kept.isEmpty && (isNew || told.isPuzzling(at: clock.wall()))
            }
            .map(\.key)
    }
}

extension TransactionFact {
    /// Whether it only renews what `other` was, without a gap.
    fileprivate func continues(_ other: TransactionFact) -> Bool {
        reason != "PURCHASE" && !other.isUpgraded && other.revoked == nil
            && productID == other.productID && purchased == other.expires
            && (token == nil || token == other.token)
    }
}
