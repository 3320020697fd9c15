// Free credits: once for each account, or once for each Apple account, which an app transaction
// stands for.

extension Policy {
    /// What gets free credits once; the raw value is the catalog's.
    package enum FreeCreditsOnce: String, Hashable, Sendable {
        /// An account, with its first registration.
        case account
        /// An app transaction, with the first registration that shows it.
        case appTransaction
    }
}

/// A customer's download of an app, as the store has signed it.
package struct AppTransaction: Hashable, Sendable {
    /// Where it was made.
    package let environment: StoreEnvironment
    /// What it is known by; nil for one that the store has given no id.
    package let mark: AppTransactionMark?

    /// An app transaction with these parts.
    package init(environment: StoreEnvironment, mark: AppTransactionMark?) {
        self.environment = environment
        self.mark = mark
    }
}

/// What an app transaction is known by: a hash of its store, its environment and its id.
///
/// It names nobody, so it outlives the erasure of whom it was shown for. It is not keyed with the
/// ledger's secret, because it must be the same in a ledger that a dump is loaded into.
package struct AppTransactionMark: Hashable, Comparable, Sendable {
    /// SHA-256 of all that, folded.
    package let digest: Digest128

    /// The mark with this digest.
    package init(_ digest: Digest128) { self.digest = digest }

    package static func < (left: AppTransactionMark, right: AppTransactionMark) -> Bool {
        left.digest < right.digest
    }
}

extension Command {
    /// What a registration makes of free credits.
    ///
    /// They come with the first registration of a user or, where they are given once for each app
    /// transaction, with the first that shows one. What counts is the first that is shown: one that
    /// was shown before gives nothing, and nothing is waited for after it. Under both rules what is
    /// shown gives nothing to others from then on, so that a catalog can go from one to the other.
    func freeCredits(
        of registration: Registration,
        on desk: Desk,
        under policy: Policy
    ) -> [Event] {
        let user = registration.user
        let flags = desk.accounts[user]?.answer.flags ?? []
        let isFirst = !flags.contains(.registered)
        // A user who was registered and erased before has had them.
        let hadThem = isFirst && desk.tombstone(of: .user(user))?.wasRegistered ?? false
        let credits = policy.source.freeCredits
        let isOfAppTransaction = policy.source.freeCreditsOnce == .appTransaction && credits > 0
        let waits = isFirst ? isOfAppTransaction && !hadThem : flags.contains(.awaitsAppTransaction)
        var events: [Event] = []
        if isFirst {
            let given = isOfAppTransaction || hadThem ? 0 : credits
            events.append(.registered(user, freeCredits: given))
        }
        guard let mark = countedMark(of: registration, under: policy) else {
            return events + (isFirst && waits ? [.appTransactionAwaited(user)] : [])
        }
        let isUsed = desk.appTransactions[mark] != nil
        if waits {
            // Under a catalog without such credits the user goes on waiting.
            guard isOfAppTransaction else { return events }
            events.append(.appTransactionUsed(mark, user, freeCredits: isUsed ? 0 : credits))
        } else if !isUsed, credits > 0 {
            events.append(.appTransactionUsed(mark, user, freeCredits: 0))
        }
        return events
    }

    /// The mark of what is shown, where it has one and its environment counts for the user.
    private func countedMark(
        of registration: Registration,
        under policy: Policy
    ) -> AppTransactionMark? {
        guard let shown = registration.shown,
            policy.admits(shown.environment, of: .appStore, registration.user)
        else { return nil }
        return shown.mark
    }
}
