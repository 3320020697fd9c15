import Wire

/// One connection, owned by the slab of its thread.
struct Connection: ~Copyable {
    let descriptor: Int32
    /// Index and generation; also the name of the connection for epoll and tickets.
    let token: UInt64
    /// The index of its socket in the configuration.
    let door: Int
    /// The highest role that its socket gives.
    let ceiling: Role
    var conversation: Conversation
    /// Received bytes that are not answered: an incomplete frame, or whole frames that wait for a
    /// turn.
    var input = ByteQueue()
    /// The frame at the beginning of `input`, while another thread checks it.
    var long: LongFrame?
    /// Bytes that could not be sent yet.
    var output = ByteQueue()
    /// The state of the connection.
    var state: ConnectionState
    /// The cost of its last turn, in bytes received into `input` and bytes answered.
    ///
    /// Kept only for connections that have more waiting.
    var turnBytes = 0
    /// Whether its last turn was expensive; true before the first turn.
    var isDear = true
    /// Its waiting bytes, as last noted.
    var waiting = WaitingBytes.Parts()
    /// The bytes that its caller is charged for it.
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

    /// The uid of its caller.
    var uid: UInt32 { conversation.session.caller.uid }

    /// Drops the received bytes.
    ///
    /// A frame that is being checked keeps its memory until the check ends.
    mutating func dropInput() {
        var dropped = ByteQueue()
        swap(&dropped, &input)
        long?.keep(dropped)
        long = nil
    }

    /// What `input` begins with.
    func rest(by decoder: FrameDecoder) -> ConnectionState.Rest {
        if long != nil { return .frameBeingChecked }
        if input.isEmpty { return .nothing }
        if case .needMore = decoder.step(input.bytes, from: 0) { return .partOfFrame }
        return .wholeFrame
    }

    /// Whether no answer and no unsent byte is left.
    var isSettled: Bool { conversation.unanswered == 0 && output.isEmpty }

    /// Whether bytes wait, or are charged to the caller.
    @inline(__always)
    var hasWaiting: Bool {
        input.capacity | output.capacity | conversation.unansweredBytes | waiting.sum != 0
    }

    /// Its waiting bytes now.
    var waitingNow: WaitingBytes.Parts {
        WaitingBytes.Parts(
            unread: output.capacity,
            halfRead: input.capacity,
            unanswered: conversation.unansweredBytes
        )
    }
}
