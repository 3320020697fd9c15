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
