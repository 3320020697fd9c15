import Wire

/// One request or batch on its way through the methods: a conversation that ends with its reply.
///
/// Belongs to the loop of its connection.
final class Exchange {
    /// How it ends.
    enum End: Sendable {
        /// The reply; empty where only notifications were sent.
        case answered([UInt8])
        /// Too many requests for now: how long to wait.
        case limited(Duration)
        /// Nobody waits any more, or the daemon stops.
        case abandoned
    }

    /// Whose it is; kept until the last answer has come, and with it the charge for the body.
    let visit: Visit
    var conversation: Conversation
    /// The body of a batch that the end of a turn has cut.
    var rest: [UInt8] = []
    private var answer: [UInt8] = []
    private var waiting: CheckedContinuation<End, Never>?

    init(of visit: Visit, number: UInt64, _ waiting: CheckedContinuation<End, Never>) {
        self.visit = visit
        self.waiting = waiting
        let session = Session(
            caller: visit.holder.caller,
            budget: visit.holder.share,
            isLasting: false
        )
        conversation = Conversation(session: session, connection: number)
    }

    /// Whether nothing more is to come.
    var isOver: Bool { !conversation.isCut && conversation.unanswered == 0 }

    /// Takes in a reply frame, if there is one: no request or batch has more than one.
    func take(_ reply: borrowing ReplyBuffer) {
        guard reply.count > WireLimits.headerBytes else { return }
        answer = Array(reply.written[WireLimits.headerBytes...])
    }

    /// Hands the answer to whoever waits.
    func end() { end(.answered(answer)) }

    /// Hands this to whoever waits.
    func end(_ end: End) {
        conversation.session.close()
        waiting?.resume(returning: end)
        waiting = nil
    }
}
