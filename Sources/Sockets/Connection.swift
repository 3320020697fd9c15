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
    /// What it is in the midst of.
    var state: ConnectionState
    /// What its last turn cost, in bytes received into `input` and bytes answered.
    ///
    /// Known of those that have more waiting.
    var turnBytes = 0
    /// Whether its last turn cost much; so it is taken to be before the first.
    var isDear = true
    /// What it leaves waiting, as it was noted last.
    var waiting = WaitingBytes.Parts()
    /// What its caller is charged for it.
    var charged = 0

    init(
        descriptor: Int32,
        token: UInt64,
        door: Int,
        ceiling: Role,
        conversation: consuming Conversation,
        state: ConnectionState
    ) {
        self.descriptor = descriptor
        self.token = token
        self.door = door
        self.ceiling = ceiling
        self.conversation = conversation
        self.state = state
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

    /// What stands at the beginning of `input`.
    func rest(by decoder: FrameDecoder) -> ConnectionState.Rest {
        if long != nil { return .frameBeingChecked }
        if input.isEmpty { return .nothing }
        if case .needMore = decoder.step(input.bytes, from: 0) { return .partOfFrame }
        return .wholeFrame
    }

    /// Whether nothing is owed to the other side.
    var isSettled: Bool { conversation.unanswered == 0 && output.isEmpty }

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
