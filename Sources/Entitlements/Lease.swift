/// Who keeps the connection for which credits are held: a host, and which of its lives.
///
/// With one host there is nothing to tell: `here`.
package struct LeaseHolder: Hashable, Sendable {
    /// The one host that there is, in whatever life.
    package static let here = LeaseHolder(host: "", epoch: 0)

    /// The name of the host; empty for the one that there is.
    package let host: String
    /// Counts the host's lives: a hold of an earlier one has lost its connection.
    package let epoch: UInt64

    /// The life `epoch` of `host`.
    package init(host: String, epoch: UInt64) {
        self.host = host
        self.epoch = epoch
    }
}

/// A hold that returns when its connection ends.
package struct Lease: Hashable, Sendable {
    /// Whose credits.
    package let user: UserID
    /// Who keeps the connection.
    package let holder: LeaseHolder

    /// The hold of `user`'s credits for a connection to `holder`.
    package init(user: UserID, holder: LeaseHolder = .here) {
        self.user = user
        self.holder = holder
    }
}
