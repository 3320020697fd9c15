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
    let isFull = Atomic<Bool>(false)
    let unknownProducts = Atomic<UInt64>(0)

    var figures: LedgerFigures {
        var figures = LedgerFigures()
        figures.seq = seq.load(ordering: .acquiring)
        figures.groups = groups.load(ordering: .relaxed)
        figures.commands = commands.load(ordering: .relaxed)
        figures.clockJumps = clockJumps.load(ordering: .relaxed)
        figures.isFull = isFull.load(ordering: .relaxed)
        figures.unknownProducts = unknownProducts.load(ordering: .relaxed)
        return figures
    }
}
