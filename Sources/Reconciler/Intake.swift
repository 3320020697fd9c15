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

/// The one way from an answer of the store's API into the book: through the storefront.
///
/// TLS says who answered, but only a signature makes a fact.
struct Intake: Sendable {
    let storefront: any Storefront
    let book: any ReconciledBook
    let clock: ReconcilerClock
    let report: @Sendable (ReconcilerNotice) -> Void

    /// Takes in a page of notifications, all of them at once, so that one flush serves them.
    func take(
        notifications payloads: [[UInt8]],
        of environment: StoreEnvironment
    ) async
        -> IntakeTally
    {
        await withTaskGroup(of: IntakeTally.self) { group in
            for payload in payloads {
                group.addTask { await take(notification: payload, of: environment) }
            }
            var tally = IntakeTally()
            for await one in group { tally.add(one) }
            return tally
        }
    }

    /// Takes in what the store says of subscriptions.
    func take(
        _ stated: [StatedSubscription],
        of environment: StoreEnvironment
    ) async
        -> IntakeTally
    {
        var tally = IntakeTally()
        var facts: [Fact] = []
        for subscription in stated {
            tally.documents += 1
            let verdict = storefront.verdict(
                onPurchase: subscription.transaction,
                renewal: subscription.renewal,
                at: clock.wall()
            )
            switch verdict {
            case .genuine(let fact) where fact.key.originalID == subscription.originalID:
                facts.append(fact)
            case .genuine:
                refuse(.wrongDocument, "listed under another id", environment, &tally)
            case .refused(let fault, let detail): refuse(fault, detail, environment, &tally)
            }
        }
        do throws(BookFailure) {
            tally.puzzling = try await puzzling(facts)
        } catch {
            tally.bookFailure = error
            return tally
        }
        return await take(facts, tally)
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

    /// Takes in a page of transactions.
    func take(transactions: [[UInt8]], of environment: StoreEnvironment) async -> IntakeTally {
        var tally = IntakeTally()
        var facts: [Fact] = []
        for transaction in transactions {
            tally.documents += 1
            switch storefront.verdict(onPurchase: transaction, renewal: nil, at: clock.wall()) {
            case .genuine(let fact): facts.append(fact)
            case .refused(let fault, let detail): refuse(fault, detail, environment, &tally)
            }
        }
        return await take(facts, tally)
    }

    private func take(
        notification payload: [UInt8],
        of environment: StoreEnvironment
    ) async
        -> IntakeTally
    {
        var tally = IntakeTally(documents: 1)
        switch storefront.verdict(onNotification: payload, at: clock.wall()) {
        case .foreign: break
        case .unreadable(_, let detail):
            // It verifies, and would be no clearer on the next walk.
            report(.documentRefused(environment, .wrongDocument, detail: detail))
        case .refused(let fault, let detail): refuse(fault, detail, environment, &tally)
        case .genuine(let notification):
            do throws(BookFailure) {
                switch try await book.take(notification) {
                case .applied: tally.applied += 1
                case .stale, .duplicate, .ignored: break
                }
            } catch {
                tally.bookFailure = error
            }
        }
        return tally
    }

    private func take(_ facts: [Fact], _ tally: IntakeTally) async -> IntakeTally {
        guard !facts.isEmpty else { return tally }
        var tally = tally
        do throws(BookFailure) {
            if try await book.take(facts) { tally.applied += 1 }
        } catch {
            tally.bookFailure = error
        }
        return tally
    }

    private func refuse(
        _ fault: DocumentFault,
        _ detail: String,
        _ environment: StoreEnvironment,
        _ tally: inout IntakeTally
    ) {
        tally.refused += 1
        report(.documentRefused(environment, fault, detail: detail))
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
