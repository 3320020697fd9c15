import JSON
import Wire

/// The answer of a request that was not answered at once, when it comes.
struct LateAnswer: Sendable {
    let session: Session
    let ticket: ReplyTicket
    private let called: ServedCall
    private let id: [UInt8]

    init(
        _ called: ServedCall,
        _ request: RequestView,
        _ session: Session,
        _ ticket: ReplyTicket
    ) {
        self.called = called
        self.session = session
        self.ticket = ticket
        id = request.id
    }

    func deliver(_ make: () throws(RPCFailure) -> JSONObject) {
        ticket.deliver(
            response { (reply) throws(RPCFailure) in reply.appendObject(try make()) }
        )
    }

    func deliver(_ result: Result<JSONObject, RPCFailure>) {
        deliver { () throws(RPCFailure) in try result.get() }
    }

    /// Nobody waits any more: the request is over, and not counted as answered.
    func drop() { ticket.deliver([]) }

    /// The response object whose result `write` writes, counted as answered.
    func response(_ write: (inout ReplyBuffer) throws(RPCFailure) -> Void) -> [UInt8] {
        var reply = ReplyBuffer(capacity: MethodLimits.replyBytesUsual)
        do throws(RPCFailure) {
            id.withUnsafeBytes { reply.beginResult(id: $0) }
            try write(&reply)
            reply.endResult()
            called.count()
        } catch {
            reply.removeAll()
            id.withUnsafeBytes { reply.appendError(error, id: $0) }
            called.count(error)
        }
        return reply.bytes
    }
}
