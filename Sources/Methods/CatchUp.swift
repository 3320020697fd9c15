import Entitlements
import Ledger
import Wire

/// What several who join together want to be told of the past.
struct CatchUpOrder: Sendable {
    /// One who joins.
    struct Member: Sendable {
        let session: Session
        /// Nil: everybody.
        let users: Set<UserID>?
        /// After which position.
        let from: UInt64
    }

    let members: [Member]
    /// Up to which position; what comes after is told by the hub.
    let through: UInt64

    /// Whether one still waits who names `user`.
    func names(_ user: UserID) -> Bool {
        members.contains { $0.users?.contains(user) == true && $0.session.isOpen }
    }

    /// Whether one who names users still waits.
    var isForSome: Bool { members.contains { $0.users != nil && $0.session.isOpen } }
}

/// What one of them has missed.
enum Missed {
    /// A log, and the number in it of what is told first.
    case told(NewsLog, first: UInt64)
    /// More than is known; the oldest position from which it would be.
    case resync(UInt64)
}

/// What those have missed who joined together.
final class MissedNews {
    /// In the order of the members.
    let missed: [Missed]
    /// The memory that it takes until all of them were told.
    let bytes: Int

    init(_ missed: [Missed], bytes: Int) {
        self.missed = missed
        self.bytes = bytes
    }

    /// Whoever was not told all of it must begin again.
    func lose() {
        for case .told(let log, _) in missed { log.lose() }
    }
}

/// The answer to an order.
struct CaughtUp: Sendable {
    /// Made by the reading thread, which keeps nothing of it, for the hub's.
    let result: Carried<Result<MissedNews, LedgerFailure>>
}
