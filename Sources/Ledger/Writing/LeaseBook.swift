import Entitlements
import Synchronization

/// Reservations whose connections have ended; the writer must end them.
///
/// They do not go through the write queue, which may refuse an order, because nobody would repeat
/// it: a full queue, a full disk or a clock jump must not leave credits on hold. There are never
/// more of them than holds in the journal.
final class LeaseBook: Sendable {
    private let waiting = Mutex<[UInt64]>([])

    init() {}

    /// Adds reservations, oldest first.
    func add(_ ids: [UInt64]) { waiting.withLock { $0 += ids } }

    /// Removes and returns all that were added since the last call.
    func take() -> [UInt64] {
        waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
    }
}

/// The holds of ended connections that the writer has still to end, oldest first.
///
/// Confined to the writer's thread.
struct EndedLeases {
    private let book: LeaseBook
    private var ids: ArraySlice<UInt64> = []
    /// How many of them are from the previous process; they return before anything else is decided.
    private var oldCount = 0
    /// When ending them last failed.
    ///
    /// The next attempt follows after a pause, not with each group.
    private var refused: ContinuousClock.Instant?
    private var isRoundOver = false

    init(_ book: LeaseBook) { self.book = book }

    /// Adds the holds of the previous process's connections.
    mutating func take(old: [UInt64]) {
        ids = old[...] + ids
        oldCount += old.count
    }

    /// How long the writer may wait for commands, in ms; nil if there is nothing to end.
    var patience: Int64? {
        if refused != nil { return LedgerLimits.retryMilliseconds }
        return ids.isEmpty ? nil : 0
    }

    /// Takes the newly added ones, before a group of commands.
    mutating func beginRound() {
        ids += book.take()
        let pause = Duration.milliseconds(LedgerLimits.retryMilliseconds)
        isRoundOver = oldCount == 0 && (refused.map { $0.duration(to: .now) < pause } ?? false)
        if !isRoundOver { refused = nil }
    }

    /// The next ones to end in one group; none when the round is over.
    ///
    /// A round ends all holds of the previous process, or one group of others.
    var nextEnds: [Command.Kind] {
        guard !isRoundOver || oldCount > 0 else { return [] }
        return ids.prefix(LedgerLimits.groupCommandsMax)
            .map { .endReservation(ReservationEnd(id: $0, kind: .disconnected)) }
    }

    /// Removes the first `count`, which have ended.
    mutating func end(_ count: Int) {
        ids.removeFirst(count)
        oldCount = max(0, oldCount - count)
        isRoundOver = true
    }

    /// Notes that they cannot be ended now.
    mutating func refuse() { refused = .now }
}
