/// What the sockets may cost at most.
package enum SocketLimits {
    /// The longest path that a Unix socket can have.
    package static let pathBytesMax = 107
    /// Connections of the app socket, on all threads together.
    package static let connectionsMax = 16_384
    /// Connections of the admin socket: places of its own, which no app can take.
    package static let adminConnectionsMax = 128
    /// A caller (uid) may have so many times as many connections of a socket as are left: one alone
    /// three quarters of them, two that want all three sevenths each, and another finds some.
    package static let connectionsPerFreeMax = 3
    /// Of the connections of a socket, those of callers who may ask nothing.
    package static let refusedConnectionsMax = 64
    /// How long a caller who may ask nothing has to hear that.
    package static let refusedSecondsMax: Int64 = 5
    /// Connections that wait to be accepted.
    package static let backlog: Int32 = 4_096
    /// How many connections one wake-up accepts from one listener.
    static let acceptsPerTurnMax = 64
    /// How long accepting pauses when descriptors or memory have run out.
    static let acceptPauseMs: Int64 = 100
    /// What one read asks for at most; a longer frame is checked on a thread of its own.
    static let readBytes = 64 << 10
    /// Frames that wait to be checked: one of each connection.
    static let longFramesMax = connectionsMax + adminConnectionsMax
    /// How far a thread that checks long frames gives way to others, in steps of nice(2).
    static let checkerNiceness: Int32 = 5
    /// What one read asks for at least, unless it continues a half frame.
    static let readBytesMin = 16 << 10
    /// Where the connections of one round are read into, one behind the other.
    static let roundBytes = 256 << 10
    /// How many connections are read, then answered, then sent to.
    static let roundConnectionsMax = 64
    /// For how much of a round rows are prefetched at a time: some thirty requests.
    static let prefetchedBytes = 4 << 10
    /// The same of one frame that waits in its connection's own memory.
    static let prefetchedFrameBytes = 128
    /// How much a half frame's buffer grows beyond what has arrived, at least.
    static let inputStepBytes = 16 << 10
    /// How many requests of one connection are answered before others have their turn, those of a
    /// batch like any others.
    package static let requestsPerTurnMax = 16
    /// The same of one that had a turn and has more, while others have something who have not.
    static let requestsPerTurnBesideOthersMax = 4
    /// A turn also ends with so many bytes of answers, the first one of what was sent sooner.
    static let replyBytesPerTurnMax = 64 << 10
    static let replyBytesOfFirstTurnMax = 16 << 10
    /// What all that go on may cost a wake-up, in bytes received and answered: some hundred
    /// microseconds, for which whoever asks for little may have to wait.
    static let turnsBytesMax = 64 << 10
    /// What the turns of one caller may cost a wake-up before all its connections go on in the
    /// queue.
    static let callerTurnsBytesMax = 256 << 10
    /// Turns that cost less are not held against their caller.
    static let costNotedMin = 8 << 10
    /// What is held against a caller at most: some tens of wake-ups.
    static let costNotedMax = 8 << 20
    /// With so many bytes of answers those of a round are sent before more are written.
    static let replyBytesPerRoundMax = 256 << 10
    /// How much of what is pushed one turn sends.
    static let pushBytesPerTurnMax = 256 << 10
    /// With more unsent bytes a connection is not read any further.
    package static let unsentBytesMax = 4 << 20
    /// With more unsent bytes a connection is closed at once.
    package static let unsentBytesHardMax = 16 << 20
    /// How long a connection may stay above `unsentBytesMax`, or hold much while its caller holds
    /// more than a caller may.
    package static let stalledSecondsMax: Int64 = 10
    /// How long what waits to be sent may stay unread: at its end all that waited at its beginning
    /// has been taken.
    package static let unreadSecondsMax: Int64 = 30
    /// What all connections of one caller on the app socket may leave waiting: replies unread,
    /// frames half read, requests unanswered, and what they watch.
    package static let callerBytesMax = 128 << 20
    /// What all callers of the app socket may leave waiting together.
    package static let totalBytesMax = 256 << 20
    /// The same of the admin socket, for one caller and for all.
    package static let adminBytesMax = 64 << 20
    /// What each connection may leave waiting without being charged for it.
    package static let freeBytesEach = 4 << 10
    /// What goes beyond that is charged in steps of so many bytes.
    static let chargedStepBytes = 16 << 10
    /// A connection that is charged for so much can be closed to make room for others.
    static let greatBytesMin = 64 << 10
    /// By this part a caller's share can be passed before its greatest connection is closed, and
    /// the total before there is no time to look for who holds most.
    package static let overdraftDivisor = 8
    /// What the kernel keeps for each connection that does not read: it doubles this for its own
    /// bookkeeping, and lets one message pass it by half.
    package static let sendBufferBytes = 32 << 10
    /// Waiting bytes from here on lie in memory of their own, which goes back when they have left.
    static let mappedBytesMin = 64 << 10
    /// What an RPC thread keeps of the memory in which it writes replies.
    package static let replyBytesKept = 1 << 20
    /// When so much less waits than before, freed memory is given back to the system.
    package static let trimBytes = 16 << 20
    /// It waits until nothing has been freed for so long.
    static let trimMs: Int64 = 1_000
    /// It waits at most so many times as long.
    static let trimDelaysMax = 10
    /// How far the thread that does it gives way to others, in steps of nice(2).
    static let trimNiceness: Int32 = 5
    /// How long a frame may take from its first byte to its last.
    package static let frameSecondsMax: Int64 = 10
    /// How many frames of one user, on all its connections, may be begun and not whole.
    package static let halfFramesPerUserMax = 64
    /// How often deadlines are looked at.
    static let sweepMs: Int64 = 500
    /// How long a connection that has its last answer is open for the other side to read it.
    package static let lingerSecondsMax: Int64 = 2
    /// How much of what it sends meanwhile is dropped in one turn; with more it is closed.
    static let droppedBytesMax = 8 << 20
    /// Messages that wait for one thread.
    static let mailboxMax = 131_072
    /// RPC threads.
    package static let threadsMax = 64
}
