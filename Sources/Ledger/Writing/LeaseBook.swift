import Entitlements
import Synchronization

/// Reservations whose connections have ended, and which the writer is to end.
///
/// Beside the queue, because nobody repeats what is refused here: a full queue, a full disk or a
/// jumped clock must not keep credits held. There are no more of them than holds in the journal.
final class LeaseBook: Sendable {
    private let waiting = Mutex<[UInt64]>([])

    init() {}

    /// Some more, oldest first.
    func add(_ ids: [UInt64]) { waiting.withLock { $0 += ids } }

    /// All that were added since the last time.
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
    /// How many of them are of the process before: they return before anything else is decided.
    private var oldCount = 0
    /// When they could not be ended: they are tried again a little later, not with each group.
    private var refused: ContinuousClock.Instant?
    private var isRoundOver = false

    init(_ book: LeaseBook) { self.book = book }

    /// Takes in those of connections of the process before.
    mutating func take(old: [UInt64]) {
        ids = old[...] + ids
        oldCount += old.count
    }

    /// How long the writer may wait for commands, in ms; nil where nothing is to be ended.
    var patience: Int64? {
        if refused != nil { return LedgerLimits.retryMilliseconds }
        return ids.isEmpty ? nil : 0
    }

    /// Looks for more of them, before a group of commands.
    mutating func beginRound() {
        ids += book.take()
        let pause = Duration.milliseconds(LedgerLimits.retryMilliseconds)
        isRoundOver = oldCount == 0 && (refused.map { $0.duration(to: .now) < pause } ?? false)
        if !isRoundOver { refused = nil }
    }

    /// The next ones to end together; none when the round is over: of the process before all belong
    /// to one round, of others one group.
    var nextEnds: [Command.Kind] {
        guard !isRoundOver || oldCount > 0 else { return [] }
        return ids.prefix(LedgerLimits.groupCommandsMax)
            .map { .endReservation(ReservationEnd(id: $0, kind: .disconnected)) }
    }

    /// The first `count` have ended.
    mutating func end(_ count: Int) {
        ids.removeFirst(count)
        oldCount = max(0, oldCount - count)
        isRoundOver = true
    }

    /// They cannot be ended now.
    mutating func refuse() { refused = .now }
}
