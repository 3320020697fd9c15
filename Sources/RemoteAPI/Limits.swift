/// What callers of the HTTPS door may cost beside what `HTTPLimits` says.
package enum APILimits {
    /// Threads that read, answer and write.
    static let threads = 2
    /// How many bytes one token may leave waiting: bodies that have come, and replies unread.
    package static let callerBytesMax = 32 << 20
    /// The same of all tokens together.
    package static let totalBytesMax = 64 << 20
    /// How many requests of a batch are answered before others have their turn.
    static let requestsPerTurnMax = 16
    /// A longer body is checked beside the loop: strict JSON of a megabyte takes milliseconds.
    static let bodyBytesOnLoopMax = 64 << 10
    /// How much reply memory each loop keeps for reuse.
    static let replyBytesKept = 1 << 20
    /// A longer credential is no token.
    static let credentialBytesMax = 512
    /// How long a connection may be idle between two requests.
    static let keepAliveMilliseconds = 60_000
    /// The longest answer is that of `reconcile`, which asks a store for up to a minute.
    static let answerMilliseconds = 65_000
    /// Watches of one token, each of which holds a connection: a quarter of all connections.
    package static let watchesPerTokenMax = 128
    /// Connections from one address: a caller keeps a pool of them.
    static let connectionsPerSourceMax = 128
    /// The first of the numbers that stand for tokens where there would be a uid.
    ///
    /// systemd's UIDS-GIDS page: nobody gives users numbers from 2³¹ on.
    static let callerNumberFirst: UInt32 = 1 << 31
}
