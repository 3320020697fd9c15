import HTTPServer
import JSON
import NIOCore
import Wire

/// One `GET /watch`: a conversation that lasts, told as server-sent events.
///
/// Belongs to the loop of its connection.
final class WatchStream {
    /// What a call of `watch` leads to.
    enum Beginning: Sendable {
        /// The events follow.
        case begun(NIOLoopBound<HTTPStream>)
        /// The error of the method, as its reply says it.
        case refused(ErrorCode?, reply: [UInt8])
        /// Nobody waits any more, or the daemon stops.
        case over
    }

    let number: UInt64
    var conversation: Conversation
    private let holder: TokenHolder
    private let unread: WaitingFigure
    private let isFromNow: Bool
    private let stream = HTTPStream()
    private var waiting: CheckedContinuation<Beginning, Never>?
    /// For what the kernel has not taken yet.
    private var charge: Visit?

    init(
        of holder: TokenHolder,
        number: UInt64,
        isFromNow: Bool,
        unread: WaitingFigure,
        _ waiting: CheckedContinuation<Beginning, Never>
    ) {
        (self.holder, self.number, self.isFromNow) = (holder, number, isFromNow)
        (self.unread, self.waiting) = (unread, waiting)
        let session = Session(caller: holder.caller, budget: holder.share)
        conversation = Conversation(session: session, connection: number)
    }

    /// Takes in the reply to the call, if there is one; answers whether the watch has begun or
    /// goes on.
    func take(_ reply: borrowing ReplyBuffer, on loop: any EventLoop) -> Bool {
        guard reply.count > WireLimits.headerBytes else { return true }
        let bytes = Array(reply.written[WireLimits.headerBytes...])
        let answer = try? JSONValue.parse(bytes)
        guard let seq = answer?["result"]?["seq"]?.int64 else {
            let code = answer?["error"]?["code"]?.int64
            resume(.refused(code.flatMap { ErrorCode(rawValue: Int($0)) }, reply: bytes))
            return false
        }
        stream.onTaken = { [weak self] in self?.taken() }
        // So that whoever has been told nothing yet can resume, too.
        if isFromNow { stream.write(ServerSentEvents.heartbeat(seq)) }
        resume(.begun(NIOLoopBound(stream, eventLoop: loop)))
        return true
    }

    /// Has `body` called once when nobody reads any more.
    func whenOver(_ body: @escaping () -> Void) { stream.onEnd = body }

    /// Sends whole frames of notifications.
    func push(_ frames: [UInt8]) {
        conversation.session.holdsPush = true
        let text = ServerSentEvents.text(of: frames)
        let charge = Visit(of: holder, in: unread)
        charge.hold(text.count)
        self.charge = charge
        stream.write(text)
    }

    /// Ends the reply.
    func end() {
        holder.forget(number)
        conversation.session.close()
        charge = nil
        resume(.over)
        stream.end()
    }

    private func taken() {
        charge = nil
        conversation.session.noteUnsent(0)
    }

    private func resume(_ beginning: Beginning) {
        waiting?.resume(returning: beginning)
        waiting = nil
    }
}
