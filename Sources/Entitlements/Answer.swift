/// The flat front of an account: what one lookup brings, and all that `canRender` needs.
///
/// It holds what was bought, not what it means: raw moments and product numbers. Plans, ranks,
/// allowed environments and retry policy come from the `Policy` when it is judged, so a change of
/// the catalog touches no account.
package struct Answer: Hashable, Sendable {
    /// Sticky facts about the user.
    package var flags: AccountFlags = []
    /// The balance before the first of `balances`; below 0 where more is owed than is there.
    package var credits: Int64 = 0
    /// The balances to come as holds return and buckets end, by moment; no two of one moment.
    package var balances: [Balance] = []
    /// The eras of every owned subscription, by subscription, then by `from`.
    package var slots: [Slot] = []
    /// Access that an admin gave.
    package var grants: [Grant] = []

    /// The answer for a user of whom nothing is known but that they exist.
    package init() {}

    /// Empties it but keeps its memory, so that reading into it again allocates nothing.
    @inlinable
    package mutating func clear() {
        flags = []
        credits = 0
        if !balances.isEmpty { balances.removeAll(keepingCapacity: true) }
        if !slots.isEmpty { slots.removeAll(keepingCapacity: true) }
        if !grants.isEmpty { grants.removeAll(keepingCapacity: true) }
    }
}

/// How many credits there are from a moment on.
@frozen
package struct Balance: Hashable, Sendable {
    /// From when, until the next balance.
    package var from: Moment
    /// How many; below 0 where more is owed than is there.
    package var credits: Int64

    /// So many credits from a moment on.
    @inlinable
    package init(from: Moment, credits: Int64) {
        self.from = from
        self.credits = credits
    }
}

extension Answer {
    /// Whether any subscription in it was bought in the sandbox.
    @inlinable package var holdsSandbox: Bool {
        for slot in slots where slot.environment == .sandbox { return true }
        return false
    }

    /// The credits that can be spent at `now`; never below 0.
    @inlinable
    package func spendable(at now: Moment) -> Int64 {
        spendable(afterBalances: balancesBegun(at: now))
    }

    /// The credits that can be spent when so many of `balances` have begun.
    @inlinable
    package func spendable(afterBalances count: Int) -> Int64 {
        max(0, count == 0 ? credits : balances[count - 1].credits)
    }

    /// How many of `balances` have begun at `now`.
    @inlinable
    package func balancesBegun(at now: Moment) -> Int {
        var low = 0
        var high = balances.count
        while low < high {
            let middle = (low + high) / 2
            if balances[middle].from <= now { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

/// Sticky facts about a user.
///
/// The raw value is stored.
@frozen
package struct AccountFlags: OptionSet, Hashable, Sendable {
    /// The bits.
    package let rawValue: UInt8

    /// The flags with these bits.
    @inlinable
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Ever owned a subscription of which some transaction named a period that lasts.
    @inlinable package static var hadSubscription: Self { Self(rawValue: 1) }
    /// Ever received a credit.
    @inlinable package static var everCredited: Self { Self(rawValue: 2) }
    /// `registerAccount` was called, so free credits were given.
    @inlinable package static var registered: Self { Self(rawValue: 4) }
    /// Registered without free credits, which come with the first app transaction that is shown.
    @inlinable package static var awaitsAppTransaction: Self { Self(rawValue: 8) }
}
