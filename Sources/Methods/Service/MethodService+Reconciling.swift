import Entitlements
import Ledger

/// What the reconciler asks of the book; only verified facts come here.
extension MethodService {
    /// Takes in a verified notification that the store had kept; answers once it is on disk.
    package func take(
        _ notification: Notification
    ) async throws(LedgerFailure) -> Reception {
        guard case .recorded(let reception) = try await outcome(of: .record(notification)) else {
            throw .failed("a notification was not answered with its reception")
        }
        follow(notification, reception)
        return reception
    }

    /// The notifications of `store` of which it has still to be asked, the oldest first.
    ///
    /// The first call after a start looks through the tables, a piece at a time.
    package func announced(by store: Store) async throws(LedgerFailure) -> [WaitingNotification] {
        if announcements.needsSearch(for: store) {
            announcements.beginSearch()
            var id: NotificationID?
            repeat {
                let start = id
                let page = try await reading { (reader) throws(LedgerFailure) in
                    try reader.announcements(after: start)
                }
                for (seq, one) in page.waiting { announcements.add(one, at: seq) }
                id = page.next
            } while id != nil && !Task.isCancelled
            if id == nil { announcements.endSearch() }
        }
        return announcements.waiting(for: store)
    }

    /// How many notifications are known of which the store has still to be asked.
    package var announcementsWaiting: Int { announcements.count }

    /// Takes in verified facts that the store answered with; answers, once they are on disk,
    /// whether one of their documents was newer than what is kept.
    package func take(_ facts: [Fact]) async throws(LedgerFailure) -> Bool {
        guard case .learned(let applied) = try await outcome(of: .learn(facts)) else {
            throw .failed("facts were not answered with whether they were news")
        }
        return applied
    }

    /// The subscriptions after `key` in the order of keys, at most `limit`; empty at the end.
    package func subscriptions(
        after key: SubscriptionKey?,
        limit: Int
    ) async throws(LedgerFailure) -> [Subscription] {
        try await reading { (reader) throws(LedgerFailure) in
            try reader.subscriptions(after: key, limit: limit)
        }
    }

    /// The subscriptions under `keys`; those that are not kept are left out.
    package func subscriptions(
        of keys: [SubscriptionKey]
    ) async throws(LedgerFailure) -> [Subscription] {
        try await reading { (reader) throws(LedgerFailure) in
            var found: [Subscription] = []
            for key in keys {
                if let subscription = try reader.subscription(of: key) {
                    found.append(subscription)
                }
            }
            return found
        }
    }

    /// Looks at every purchase again under the catalog in force, and gives what it gives for those
    /// that were made before: packs that it did not name then, days of non-renewing subscriptions
    /// that older releases gave nothing for.
    ///
    /// A page at a time, so that nobody waits long behind it. What is credited already is not asked
    /// about.
    ///
    /// - Returns: for how many purchases.
    package func reviewPurchases() async throws(LedgerFailure) -> Int {
        let policy = ledger.policy
        let moment = now()
        var (count, key) = (0, SubscriptionKey?.none)
        repeat {
            let start = key
            let page = try await reading { (reader) throws(LedgerFailure) in
                try reader.review(
                    under: policy,
                    at: moment,
                    after: start,
                    limit: MethodLimits.reviewedPurchasesPage
                )
            }
            for owed in page.owed {
                _ = try await take([Fact(key: owed)])
                count += 1
            }
            key = page.next
        } while key != nil && !Task.isCancelled
        return count
    }

    private func reading<Value: Sendable>(
        _ body: @escaping @Sendable (LedgerReader) throws(LedgerFailure) -> Value
    ) async throws(LedgerFailure) -> Value {
        let result: Result<Value, LedgerFailure> = await withCheckedContinuation {
            continuation in
            let runs = lanes[.purchases]
                .run(for: nil) { reader in
                    do throws(LedgerFailure) {
                        continuation.resume(returning: .success(try body(reader)))
                    } catch {
                        continuation.resume(returning: .failure(error))
                    }
                }
            if !runs { continuation.resume(returning: .failure(.overloaded)) }
        }
        return try result.get()
    }

    /// How the catalog in force names a product.
    package enum ProductNaming: Hashable, Sendable {
        case plan
        case pack
    }

    /// How the catalog in force names what was bought; nil where it does not.
    ///
    /// The catalog may name it by its store, its base plan or its price.
    package func naming(of purchase: Subscription) -> ProductNaming? {
        if !packs(in: purchase).isEmpty { return .pack }
        let policy = ledger.policy
        let names = Self.present(in: purchase).map { $0.productName(in: purchase.key) }
        return names.contains { policy.knows(product: $0) } ? .plan : nil
    }

    /// The ids of its transactions that the catalog in force names as packs.
    package func packs(in purchase: Subscription) -> Set<String> {
        let policy = ledger.policy
        let packs = Self.present(in: purchase)
            .filter { $0.isPack(in: purchase.key, under: policy) }
        return Set(packs.map(\.id))
    }

    /// What the store's newest state names, or else what was bought last.
    private static func present(in purchase: Subscription) -> [TransactionFact] {
        let stated = purchase.statedTransactions
        return stated.isEmpty ? Array(purchase.transactions.suffix(1)) : stated
    }

    /// How many subscriptions are kept; nil where that cannot be read.
    package var subscriptionsKept: Int? { try? ledger.rowCounts().subscriptions }

    private func outcome(of kind: Command.Kind) async throws(LedgerFailure) -> Outcome {
        let result = await withCheckedContinuation { continuation in
            ledger.submit(kind) { continuation.resume(returning: $0) }
        }
        return try result.get().outcome
    }
}
