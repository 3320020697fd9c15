/// What the sockets may cost at most.
package enum SocketLimits {
    /// The longest path that a Unix socket can have.
    package static let pathBytesMax = 107
    /// Connections on all threads together.
    package static let connectionsMax = 16_384
    /// Connections that wait to be accepted.
    package static let backlog: Int32 = 4_096
    /// How many connections one wake-up accepts from one listener.
    static let acceptsPerTurnMax = 64
    /// How long accepting pauses when descriptors or memory have run out.
    static let acceptPauseMs: Int64 = 100
    /// What one read asks for at most.
    static let readBytes = 64 << 10
    /// What one read asks for at least, unless it continues a half frame.
    static let readBytesMin = 16 << 10
    /// Where the connections of one round are read into, one behind the other.
    static let roundBytes = 256 << 10
    /// How many connections are read, then answered, then sent to.
    static let roundConnectionsMax = 64
    /// How much of a round a worker is shown at a time: some thirty requests.
    static let foreseenBytes = 4 << 10
    /// The same of one frame that waits in its connection's own memory.
    static let foreseenFrameBytes = 128
    /// How much a half frame's buffer grows beyond what has arrived, at least.
    static let inputStepBytes = 16 << 10
    /// How many requests of one connection are answered before others have their turn, those of a
    /// batch like any others.
    package static let requestsPerTurnMax = 16
    /// The same of one that had a turn and has more, while others have something who have not.
    static let requestsPerTurnBesideOthersMax = 4
    /// How long the system lets an RPC thread run while others wait: the shortest there is, so that
    /// a check does not wait for the turn of a thread that decides, stores or verifies.
    static let sliceMicroseconds: UInt32 = 100
    /// A turn also ends when so much waits to be sent.
    static let replyBytesPerTurnMax = 256 << 10
    /// How much of what is pushed one turn sends.
    static let pushBytesPerTurnMax = 256 << 10
    /// With more unsent bytes a connection is not read any further.
    package static let unsentBytesMax = 4 << 20
    /// With more unsent bytes a connection is closed at once.
    package static let unsentBytesHardMax = 16 << 20
    /// How long a connection may stay above `unsentBytesMax`.
    package static let stalledSecondsMax: Int64 = 10
    /// How long a frame may take from its first byte to its last.
    package static let frameSecondsMax: Int64 = 10
    /// How many frames of one user, on all its connections, may be begun and not whole.
    package static let halfFramesPerUserMax = 64
    /// How often deadlines are looked at.
    static let sweepMs: Int64 = 500
    /// How much is read and dropped before a connection is closed on a wrong length.
    static let discardBytesMax = 8 << 20
    /// Messages that wait for one thread.
    static let mailboxMax = 131_072
    /// RPC threads.
    package static let threadsMax = 64
}
