import DaemonConfiguration
import NIOCore
import NIOHTTP1
import NIOTLS

/// One connection of an HTTP listener: deadlines, answers, the end.
///
/// What it decides is in `HTTPConnectionState`. Confined to its event loop.
final class HTTPConnection: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    /// Sent down every pipeline when the listener drains.
    struct Drain: Sendable {}

    private let service: any HTTPService
    private let limits: HTTPLimits
    private let peer: IPAddress
    private let tap: ByteTap
    private let place: ConnectionTable.Place
    private var state: HTTPConnectionState
    private var isHandshaking: Bool
    private var isClosing = false
    private var inputIsClosed = false
    private var waitBegan = NIODeadline.now()
    private var readDeadline: Scheduled<Void>?
    private var workDeadline: Scheduled<Void>?
    private var workNumber = 0
    private var work: Task<Void, Never>?
    /// What the reply that goes out now is charged for.
    private var replyCharge: (any HTTPCharge)?
    /// The reply that goes on now, and how many pieces of it the kernel has not taken.
    private var stream: HTTPStream?
    private var piecesUnsent = 0
    /// Whether a request was answered on this connection.
    private var isKept = false
    private var requestBytes = 0
    private var context: ChannelHandlerContext?

    init(
        service: any HTTPService,
        limits: HTTPLimits,
        peer: IPAddress,
        tap: ByteTap,
        place: ConnectionTable.Place,
        isSecure: Bool
    ) {
        self.service = service
        self.limits = limits
        self.peer = peer
        self.tap = tap
        self.place = place
        isHandshaking = isSecure
        state = HTTPConnectionState(pipelinedMax: limits.pipelinedMax)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        tap.onBytes = { [weak self] count in self?.bytesArrived(count) }
        tap.onSurfeit = { [weak self] in self?.context?.close(promise: nil) }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
    }

    func channelActive(context: ChannelHandlerContext) {
        waitBegan = .now()
        if isHandshaking {
            arm(afterMilliseconds: limits.handshakeMillisecondsMax) { connection in
                connection.service.noteClose(.handshake)
                connection.context?.close(promise: nil)
            }
        } else {
            advance()
        }
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        readDeadline?.cancel()
        workDeadline?.cancel()
        isClosing = true
        replyCharge = nil
        closeStream()
        abandonWork()
        context.fireChannelInactive()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .handshakeCompleted? = event as? TLSUserEvent {
            isHandshaking = false
            waitBegan = .now()
            advance()
        } else if case .inputClosed? = event as? ChannelEvent {
            inputIsClosed = true
            if isClosing || isHandshaking {
                context.close(promise: nil)
            } else {
                state.inputClosed()
                stream?.end()
                advance()
            }
        } else if event is Drain {
            state.drain()
            stream?.end()
            if !isHandshaking { advance() }
        }
        context.fireUserInboundEventTriggered(event)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isClosing else { return }
        switch unwrapInboundIn(data) {
        case .head(let head):
            headArrived(head)
        case .body(let buffer):
            state.bodyArrived(buffer.readableBytesView)
            advance()
        case .end:
            requestBytes = 0
            state.endArrived()
            advance()
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch error {
        case let error as HTTPParserError:
            guard !isClosing else { return }
            state.parserFailed(HTTPConnection.refusal(for: error))
            advance()
        case is ByteToMessageDecoderError:
            // What comes after the parser gave up.
            return
        default:
            if isHandshaking { service.noteClose(.handshake) }
            isHandshaking = false
            isClosing = true
            context.close(promise: nil)
        }
    }

    /// Counts bytes that the parser drops silently, such as chunk extensions.
    private func bytesArrived(_ count: Int) {
        guard !isClosing else { return }
        if state.bytesArrived(), isKept, limits.keepAliveMillisecondsMax != nil {
            // The wait between two requests is over, and the time of this one begins.
            waitBegan = .now()
            if !state.hasWork { armReading() }
        }
        requestBytes += count
        if requestBytes > limits.requestBytesMax {
            state.parserFailed(.bodyTooLong)
            advance()
        }
    }

    private func headArrived(_ head: HTTPRequestHead) {
        let verdict = service.verdict(on: head, from: peer)
        switch state.headArrived(verdict, isHead: head.method == .HEAD) {
        case .read:
            break
        case .invite:
            let invitation = HTTPResponseHead(version: .http1_1, status: .continue)
            context?.writeAndFlush(wrapOutboundOut(.head(invitation)), promise: nil)
        case .ignore:
            break
        case .close(let reason):
            service.noteClose(reason)
            isClosing = true
            context?.close(promise: nil)
            return
        }
        advance()
    }

    private func advance() {
        guard !isClosing else { return }
        switch state.next() {
        case .busy:
            return
        case .wait:
            place.setIncomplete(true)
            tap.release()
            armReading()
        case .answer(let request):
            stopReading()
            answer(request)
        case .refuse(let refusal):
            stopReading()
            service.noteRefusal(refusal)
            send(refusal.reply)
        case .finish:
            finish()
        }
    }

    private func answer(_ request: HTTPRequest) {
        guard let context else { return }
        workNumber += 1
        let number = workNumber
        let eventLoop = context.eventLoop
        let connection = NIOLoopBound(self, eventLoop: eventLoop)
        workDeadline = eventLoop.scheduleTask(
            in: .milliseconds(Int64(limits.answerMillisecondsMax))
        ) {
            connection.value.answerIsLate(number)
        }
        let service = service
        work = Task(executorPreference: LoopExecutor(eventLoop)) {
            let reply = await service.reply(to: request, on: eventLoop)
            eventLoop.execute { connection.value.replyArrived(reply, number) }
        }
    }

    private func replyArrived(_ reply: HTTPReply, _ number: Int) {
        guard number == workNumber, !isClosing else {
            reply.stream?.value.close()
            return
        }
        workNumber += 1
        send(reply)
    }

    private func answerIsLate(_ number: Int) {
        guard number == workNumber, !isClosing else { return }
        workNumber += 1
        abandonWork()
        service.noteRefusal(.tooLate)
        send(HTTPRefusal.tooLate.reply)
    }

    /// Nobody waits for the answer any more.
    private func abandonWork() {
        if service.cancelsUnawaited { work?.cancel() }
        work = nil
    }

    private func send(_ reply: HTTPReply) {
        guard let context else { return }
        if let stream = reply.stream?.value { return begin(stream, reply) }
        replyCharge = reply.charge
        armWriting()
        let eventLoop = context.eventLoop
        let connection = NIOLoopBound(self, eventLoop: eventLoop)
        let body = context.channel.allocator.buffer(bytes: reply.body)
        let promise = eventLoop.makePromise(of: Void.self)
        promise.futureResult.whenComplete { _ in connection.value.sent() }
        context.write(wrapOutboundOut(.head(reply.head(closing: state.closesNext))), promise: nil)
        // RFC 9110, section 9.3.2: no content follows the head of such a reply.
        if !state.answersHead {
            context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
        }
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: promise)
    }

    private func armWriting() {
        guard let context else { return }
        workDeadline?.cancel()
        let connection = NIOLoopBound(self, eventLoop: context.eventLoop)
        workDeadline = context.eventLoop.scheduleTask(
            in: .milliseconds(Int64(limits.writeMillisecondsMax))
        ) {
            connection.value.service.noteClose(.writeTimeout)
            connection.value.context?.close(promise: nil)
        }
    }

    private func sent() {
        replyCharge = nil
        work = nil
        guard !isClosing else { return }
        workDeadline?.cancel()
        state.answered()
        waitBegan = .now()
        isKept = true
        advance()
    }

    private func begin(_ stream: HTTPStream, _ reply: HTTPReply) {
        workDeadline?.cancel()
        work = nil
        self.stream = stream
        let head = reply.head(closing: state.closesNext)
        context?.writeAndFlush(wrapOutboundOut(.head(head)), promise: nil)
        stream.open(on: self)
        // Whoever sends no more, or a daemon that stops, waits for no event.
        if inputIsClosed || state.isDraining { stream.end() }
    }

    /// Sends a piece of a reply that goes on.
    func write(_ bytes: [UInt8]) {
        guard let context, !isClosing else { return }
        armWriting()
        piecesUnsent += 1
        let promise = context.eventLoop.makePromise(of: Void.self)
        let connection = NIOLoopBound(self, eventLoop: context.eventLoop)
        promise.futureResult.whenSuccess { connection.value.pieceSent() }
        let buffer = context.channel.allocator.buffer(bytes: bytes)
        context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(buffer))), promise: promise)
    }

    private func pieceSent() {
        piecesUnsent -= 1
        guard piecesUnsent == 0, let stream else { return }
        workDeadline?.cancel()
        stream.onTaken?()
    }

    /// A reply that went on is over.
    func endStream() {
        stream = nil
        guard let context, !isClosing else { return }
        armWriting()
        let connection = NIOLoopBound(self, eventLoop: context.eventLoop)
        let promise = context.eventLoop.makePromise(of: Void.self)
        promise.futureResult.whenComplete { _ in connection.value.sent() }
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: promise)
    }

    private func closeStream() {
        let stream = stream
        self.stream = nil
        stream?.close()
    }

    /// Closes so that the answer arrives: our side first, then the rest is read for a while.
    ///
    /// A socket closed with unread bytes would reset the connection and could take the answer
    /// along.
    private func finish() {
        guard let context else { return }
        isClosing = true
        readDeadline?.cancel()
        workDeadline?.cancel()
        place.setIncomplete(true)
        guard !inputIsClosed else {
            context.close(promise: nil)
            return
        }
        tap.swallow(bytesMax: limits.restBytesMax)
        context.close(mode: .output, promise: nil)
        let connection = NIOLoopBound(self, eventLoop: context.eventLoop)
        workDeadline = context.eventLoop.scheduleTask(
            in: .milliseconds(Int64(limits.restMillisecondsMax))
        ) {
            connection.value.context?.close(promise: nil)
        }
    }

    private func stopReading() {
        readDeadline?.cancel()
        readDeadline = nil
        place.setIncomplete(false)
        tap.hold()
    }

    /// The deadline counts from the moment at which the wait began, even if bytes have come since.
    private func armReading() {
        var allowed =
            state.isReadingBody ? limits.requestMillisecondsMax : limits.headMillisecondsMax
        if isKept, state.isIdle, let kept = limits.keepAliveMillisecondsMax { allowed = kept }
        let end = waitBegan + .milliseconds(Int64(allowed))
        arm(afterMilliseconds: Int((end - .now()).nanoseconds / 1_000_000)) { connection in
            if !connection.state.timeIsUp() {
                connection.service.noteClose(.silent)
            }
            connection.advance()
        }
    }

    private func arm(
        afterMilliseconds milliseconds: Int,
        _ action: @escaping @Sendable (HTTPConnection) -> Void
    ) {
        guard let context else { return }
        readDeadline?.cancel()
        let connection = NIOLoopBound(self, eventLoop: context.eventLoop)
        readDeadline = context.eventLoop.scheduleTask(
            in: .milliseconds(Int64(max(0, milliseconds)))
        ) {
            action(connection.value)
        }
    }

    private static func refusal(for error: HTTPParserError) -> HTTPRefusal {
        switch error {
        case .headerOverflow: .headersTooLong
        case .invalidVersion: .version
        default: .malformed
        }
    }
}
