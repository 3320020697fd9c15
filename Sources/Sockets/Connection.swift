import Wire

/// One connection, owned by its thread's slab.
struct Connection: ~Copyable {
    let descriptor: Int32
    /// Index and generation; also what epoll and tickets call it.
    let token: UInt64
    /// The place of its socket in the configuration.
    let door: Int
    /// The most that its socket gives.
    let ceiling: Role
    var conversation: Conversation
    /// What has arrived and is not answered: half a frame, or whole ones behind a turn's end.
    var input = ByteQueue()
    /// The frame at the beginning of `input`, while it is checked elsewhere.
    var long: LongFrame?
    /// What could not be sent at once.
    var output = ByteQueue()
    /// When the frame that has begun must be whole, in milliseconds; 0 while none has.
    var frameDeadline: Int64 = 0
    /// Whether that frame is counted among its user's.
    var isCountedHalf = false
    /// When it must hold less, of unsent bytes or of its caller's share; 0 while it need not.
    ///
    /// Until then it is not read any further.
    var stallDeadline: Int64 = 0
    /// Whether its caller holds more than its share, and this connection a part of that.
    var isOverShare = false
    /// When the next `unreadMark` bytes must have been sent; 0 while nothing waits.
    var unreadDeadline: Int64 = 0
    var unreadMark = 0
    /// When a caller who may ask nothing is closed; 0 for all others.
    var refusalDeadline: Int64 = 0
    /// What its last turn cost, in bytes received into `input` and bytes answered.
    ///
    /// Known of those that have more waiting.
    var turnBytes = 0
    /// What it leaves waiting, as it was noted last.
    var waiting = WaitingBytes.Parts()
    /// What its caller is charged for it.
    var charged = 0
    /// Whether the socket may hold more than was read.
    ///
    /// Edges are reported once, so this remembers.
    var mayRead = false
    /// Whether the other side has announced its end; reading goes on until it is reached.
    var endAnnounced = false
    /// Whether the end was read.
    var endReached = false
    /// Whether the other side is gone, so that nothing can be sent any more.
    var isGone = false
    /// Whether to close once everything is sent; nothing more is read.
    var isClosing = false
    /// Whether epoll reports when more can be sent.
    var awaitsRoom = false
    /// Whether it stands in the list of those that go on next turn.
    var isQueued = false
    /// Whether it stands in the list of those with something new to send.
    var isDirty = false

    init(
        descriptor: Int32,
        token: UInt64,
        door: Int,
        ceiling: Role,
        conversation: consuming Conversation
    ) {
        self.descriptor = descriptor
        self.token = token
        self.door = door
        self.ceiling = ceiling
        self.conversation = conversation
    }

    /// Whose it is.
    var uid: UInt32 { conversation.session.caller.uid }

    /// Forgets what has arrived; what is being checked is kept until then.
    mutating func dropInput() {
        var dropped = ByteQueue()
        swap(&dropped, &input)
        long?.keep(dropped)
        long = nil
    }

    /// Whether nothing is owed to the other side.
    var isSettled: Bool { conversation.unanswered == 0 && output.isEmpty }

    var hasDeadline: Bool {
        frameDeadline | stallDeadline | unreadDeadline | refusalDeadline != 0
    }

    /// Whether something waits, or was charged for.
    @inline(__always)
    var hasWaiting: Bool {
        input.capacity | output.capacity | conversation.unansweredBytes | waiting.sum != 0
    }

    /// What it leaves waiting now.
    var waitingNow: WaitingBytes.Parts {
        WaitingBytes.Parts(
            unread: output.capacity,
            halfRead: input.capacity,
            unanswered: conversation.unansweredBytes
        )
    }
}
