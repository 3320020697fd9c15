import Synchronization

/// What the writer did and does, for metrics, `stats` and readiness.
package struct LedgerFigures: Sendable, Hashable {
    /// The last journal entry that every reader sees.
    package var seq: UInt64 = 0
    /// Groups flushed.
    package var groups: UInt64 = 0
    /// Commands decided.
    package var commands: UInt64 = 0
    /// Commands waiting.
    package var queueDepth = 0
    /// Jumps of the clock.
    package var clockJumps: UInt64 = 0
    /// Whether writes are refused for want of space.
    package var isFull = false
    /// Products that no plan names, seen since the start.
    package var unknownProducts: UInt64 = 0
    /// Facts about non-renewing subscriptions for which the catalog names no days.
    package var undatedProducts: UInt64 = 0
    /// Changes of purchases of users of whom two subscriptions renew.
    package var duplicateSubscriptions: UInt64 = 0

    /// Figures of a writer that did nothing yet.
    package init() {}
}

/// The size and use of the views.
package struct ViewFigures: Sendable, Hashable {
    /// Address space.
    package let mapBytes: Int
    /// The part of it in use.
    package let usedBytes: Int
    /// Readers with a slot.
    package let readers: Int
    /// How many commits the oldest reader is behind.
    package let oldestReaderLag: Int
}

/// Where the writer writes its figures and readers read them, without locks.
final class LedgerPulse: Sendable {
    let seq = Atomic<UInt64>(0)
    let groups = Atomic<UInt64>(0)
    let commands = Atomic<UInt64>(0)
    let clockJumps = Atomic<UInt64>(0)
    private let full = Atomic<UInt8>(0)
    let unknownProducts = Atomic<UInt64>(0)
    let undatedProducts = Atomic<UInt64>(0)
    let duplicateSubscriptions = Atomic<UInt64>(0)
    private let dated = Mutex<[String]>([])
    private let groupEnd = Mutex<Hook<Void>?>(nil)

    /// Sets what is called when all of a group have been answered.
    func afterEachGroup(_ body: @escaping @Sendable () -> Void) {
        groupEnd.withLock { $0 = Hook(call: body) }
    }

    /// Products of non-renewing subscriptions that were bought.
    var datedProducts: [String] { dated.withLock { $0 } }

    func note(datedProducts products: [String]) { dated.withLock { $0 = products } }

    /// Tells that all of a group have been answered.
    func groupIsAnswered() { groupEnd.withLock { $0 }?.call(()) }

    var figures: LedgerFigures {
        var figures = LedgerFigures()
        figures.seq = seq.load(ordering: .acquiring)
        figures.groups = groups.load(ordering: .relaxed)
        figures.commands = commands.load(ordering: .relaxed)
        figures.clockJumps = clockJumps.load(ordering: .relaxed)
        figures.isFull = full.load(ordering: .relaxed) != 0
        figures.unknownProducts = unknownProducts.load(ordering: .relaxed)
        figures.undatedProducts = undatedProducts.load(ordering: .relaxed)
        figures.duplicateSubscriptions = duplicateSubscriptions.load(ordering: .relaxed)
        return figures
    }

    /// What may want space.
    enum Place: UInt8 {
        case journal = 1
        case views = 2
    }

    func isFull(_ place: Place) -> Bool {
        full.load(ordering: .relaxed) & place.rawValue != 0
    }

    /// Notes whether `place` wants space.
    ///
    /// - Returns: whether writes are refused from now on, where that is news.
    func note(_ place: Place, full isFull: Bool) -> Bool? {
        let bit = place.rawValue
        let (before, after) =
            isFull
            ? full.bitwiseOr(bit, ordering: .relaxed) : full.bitwiseAnd(~bit, ordering: .relaxed)
        return (before == 0) == (after == 0) ? nil : after != 0
    }
}
