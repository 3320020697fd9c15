/// The limits of this room.
package enum SocketLimits {
    /// The longest path that a Unix socket can have.
    package static let pathBytesMax = 107
    /// How often a lock that somebody holds is tried again, 10 ms apart.
    static let lockTriesMax = 5
    /// Connections of the app socket, on all threads together.
    package static let connectionsMax = 16_384
    /// Connections of the admin socket.
    ///
    /// They are counted separately, so that no app can use them up.
    package static let adminConnectionsMax = 128
    /// A caller (uid) may have this many times as many connections of a socket as are free: a
    /// single caller can have three quarters of all, two greedy callers three sevenths each, and
    /// another caller still finds some free.
    package static let connectionsPerFreeMax = 3
    /// Connections of a socket that belong to callers who may ask nothing.
    package static let refusedConnectionsMax = 64
    /// How long a caller who may ask nothing has to send a request and read the refusal.
    package static let refusedSecondsMax: Int64 = 5
    /// How long an RPC thread may take to show that it is at work.
    package static let answerPatience: Duration = .seconds(2)
    /// Connections that wait to be accepted.
    package static let backlog: Int32 = 4_096
    /// How many connections one wake-up accepts from one listener.
    static let acceptsPerTurnMax = 64
    /// How long accepting pauses when descriptors or memory have run out.
    static let acceptPauseMs: Int64 = 100
    /// The most that one read asks for; a longer frame is checked on a separate thread.
    static let readBytes = 64 << 10
    /// Frames that wait to be checked, one for each connection.
    static let longFramesMax = connectionsMax + adminConnectionsMax
    /// The least that one read asks for, unless it continues an incomplete frame.
    static let readBytesMin = 16 << 10
    /// The memory into which the connections of one round are read, one after another.
    static let roundBytes = 256 << 10
    /// How many connections one round reads, then answers, then sends to.
    static let roundConnectionsMax = 64
    /// How many bytes of a round are prefetched for at a time: some thirty requests.
    static let prefetchedBytes = 4 << 10
    /// The same for a frame that waits in its connection's own memory.
    static let prefetchedFrameBytes = 128
    /// The least growth of an incomplete frame's buffer beyond the received bytes.
    static let inputStepBytes = 16 << 10
    /// How many requests of one connection are answered before others have their turn; each request
    /// of a batch counts.
    package static let requestsPerTurnMax = 16
    /// The same for a connection that has had a turn, while others wait for their first.
    static let requestsPerTurnBesideOthersMax = 4
    /// A turn also ends after this many bytes of answers; the first turn after a read ends earlier.
    static let replyBytesPerTurnMax = 64 << 10
    static let replyBytesOfFirstTurnMax = 16 << 10
    /// The cost of all continuing connections in one wake-up, in bytes received and answered: some
    /// hundred microseconds, for which a small request may have to wait.
    static let turnsBytesMax = 64 << 10
    /// The cost of one caller's turns in one wake-up before all its connections are put in the
    /// queue.
    static let callerTurnsBytesMax = 256 << 10
    /// Turns that cost less are not counted against their caller.
    static let costNotedMin = 8 << 10
    /// The greatest cost that is counted against a caller: the allowance of some tens of wake-ups.
    static let costNotedMax = 8 << 20
    /// After this many bytes of answers, those of a round are sent before more are written.
    static let replyBytesPerRoundMax = 256 << 10
    /// How many pushed bytes one turn sends.
    static let pushBytesPerTurnMax = 256 << 10
    /// With more unsent bytes a connection is not read any further.
    package static let unsentBytesMax = 4 << 20
    /// With more unsent bytes a connection is closed at once.
    package static let unsentBytesHardMax = 16 << 20
    /// How long a connection may stay above `unsentBytesMax`, or be charged while its caller
    /// exceeds its share.
    package static let stalledSecondsMax: Int64 = 10
    /// How long bytes may wait to be sent: after this time, all bytes that waited at its beginning
    /// must be sent.
    package static let unreadSecondsMax: Int64 = 30
    /// How many bytes all connections of one caller on the app socket may leave waiting: unread
    /// replies, incomplete frames, unanswered requests, and watched changes.
    package static let callerBytesMax = 128 << 20
    /// How many bytes all callers of the app socket together may leave waiting.
    package static let totalBytesMax = 256 << 20
    /// The same of the admin socket, for one caller and for all.
    package static let adminBytesMax = 64 << 20
    /// How many bytes each connection may leave waiting without a charge.
    package static let freeBytesEach = 4 << 10
    /// Bytes beyond that are charged in steps of this size.
    static let chargedStepBytes = 16 << 10
    /// A connection with a charge of this size can be closed to make room for others.
    static let greatBytesMin = 64 << 10
    /// A caller's share can be exceeded by this part (1/8) before its largest connection is closed.
    ///
    /// The total can be exceeded by it before there is no time to look for the largest holder.
    package static let overdraftDivisor = 8
    /// The kernel's send buffer of each connection.
    ///
    /// The kernel doubles this for its own bookkeeping, and lets one message exceed it by half.
    package static let sendBufferBytes = 32 << 10
    /// From this size on, waiting bytes are kept in mapped memory, which is returned when they are
    /// sent.
    static let mappedBytesMin = 64 << 10
    /// How much reply memory an RPC thread keeps for reuse.
    package static let replyBytesKept = 1 << 20
    /// When the waiting bytes have fallen by this much, freed memory is returned to the system.
    package static let trimBytes = 16 << 20
    /// Trimming waits until nothing has been freed for this long.
    static let trimMs: Int64 = 1_000
    /// Trimming waits at most this many times as long.
    static let trimDelaysMax = 10
    /// The nice(2) value of the thread that trims.
    static let trimNiceness: Int32 = 5
    /// How long a frame may take from its first byte to its last.
    package static let frameSecondsMax: Int64 = 10
    /// How many incomplete frames one user may have, on all its connections.
    package static let halfFramesPerUserMax = 64
    /// How often deadlines are checked.
    static let sweepMs: Int64 = 500
    /// How long a connection is quiet before it is read again, because descriptors in the stream
    /// may have ended its last read early; it may take twice as long.
    static let doubtMs: Int64 = 500
    /// How long a connection stays open after its last answer, so that the other side can read it.
    package static let lingerSecondsMax: Int64 = 2
    /// How many bytes that arrive during this time are dropped; with more the connection is closed.
    static let droppedBytesMax = 8 << 20
    /// Messages that wait for one thread.
    static let mailboxMax = 131_072
    /// RPC threads.
    package static let threadsMax = 64
}
