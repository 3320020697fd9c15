import DaemonConfiguration
import HTTPServer
import Logging
import NIOCore
import NIOHTTP1
import Synchronization
import Telemetry
import Wire

/// The rules of the HTTPS door, put together.
struct APIService: HTTPService {
    let tokens: TokenList
    let desks: APIDesks
    let frameBytesMax: Int
    let answerMillisecondsMax: Int
    let waiting: APIWaiting
    let metrics: Metrics
    let logger: Logger
    let sampler = LogSampler()

    var cancelsUnawaited: Bool { true }

    /// First match wins: what holds for every head, another path, another method, no good token,
    /// an expectation or an encoding, an announced length.
    ///
    /// So a stranger learns nothing of the limits, and no byte of a stranger's body is read.
    func verdict(on head: HTTPRequestHead, from peer: IPAddress) -> HeadVerdict {
        if let refusal = HeadRules.refusal(of: head) { return .refuse(refusal) }
        let (path, query) = HeadRules.split(head.uri)
        guard let method = Self.methods[path] else { return .refuse(.notFound) }
        guard head.method == method else {
            return .refuse(.methodNotAllowed(allow: method.rawValue))
        }
        let isWatch = path == Self.watchPath
        // What goes on without a known length is sent in chunks, which HTTP/1.0 does not know.
        if isWatch, head.version.minor == 0 { return .refuse(.version) }
        let bytesMax = isWatch ? 0 : frameBytesMax
        let authorizations = head.headers["authorization"]
        guard authorizations.count <= 1 else { return .refuse(.malformed) }
        guard let holder = authorizations.first.flatMap({ tokens.holder(shownIn: $0) }) else {
            return .refuse(Self.unauthorized)
        }
        if let refusal = HeadRules.bodyRefusal(of: head.headers)
            ?? HeadRules.lengthRefusal(of: head.headers, bytesMax: bytesMax)
        {
            return .refuse(refusal)
        }
        var request = HTTPRequest(
            path: path,
            query: query,
            source: "\(peer)",
            keepsAlive: head.isKeepAlive && head.version.minor == 1,
            bodyBytesMax: bytesMax
        )
        if isWatch { request.keep(Self.lastEventID, of: head) }
        request.charge = Visit(of: holder, in: waiting.unanswered)
        let wantsContinue = head.version.minor == 1 && head.headers.contains(name: "expect")
        return .accept(request, wantsContinue: wantsContinue)
    }

    func reply(to request: HTTPRequest, on loop: any EventLoop) async -> HTTPReply {
        guard let visit = request.charge as? Visit else {
            preconditionFailure("a request was admitted with its visit")
        }
        let began = ContinuousClock.now
        let reply = await reply(to: request, of: visit, on: loop)
        // The task is cancelled when nobody waits any more: this reply is sent to nobody.
        guard !Task.isCancelled else { return reply }
        metrics.apiDuration.observe(ContinuousClock.now - began)
        metrics.apiReplies.series("\(reply.status)").increment()
        return reply
    }

    func noteRefusal(_ refusal: HTTPRefusal) {
        // It takes the place of a reply, which came too late to be observed.
        if case .tooLate = refusal {
            metrics.apiDuration.observe(answerMillisecondsMax * 1_000_000)
        }
        metrics.apiReplies.series("\(refusal.status)").increment()
        sampler.debug("API request refused", .status, "\(refusal.status)", to: logger)
    }

    func noteClose(_ reason: CloseReason) {
        metrics.apiClosed.series(reason.rawValue).increment()
        sampler.debug("API connection closed", .reason, reason.rawValue, to: logger)
    }

    private func reply(
        to request: HTTPRequest,
        of visit: Visit,
        on loop: any EventLoop
    ) async -> HTTPReply {
        // A reload may have come since the head was read.
        guard !visit.holder.isGone else { return Self.unauthorized.reply }
        if let pause = visit.holder.admit(1) { return Self.limited(pause) }
        return request.path == Self.watchPath
            ? await watch(request, of: visit.holder, on: loop)
            : await reply(to: request.body, of: visit, on: loop)
    }

    private func reply(
        to body: [UInt8],
        of visit: Visit,
        on loop: any EventLoop
    ) async -> HTTPReply {
        var ahead: AheadReader?
        if body.count > APILimits.bodyBytesOnLoopMax {
            let reader = AheadReader()
            await withTaskExecutorPreference(globalConcurrentExecutor) {
                await Self.check(body, reader)
            }
            ahead = reader
        }
        guard let desk = desks[loop] else { return HTTPRefusal.tooLate.reply }
        let number = desks.nextNumber()
        let end = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let exchange = Exchange(of: visit, number: number, continuation)
                desk.value.begin(exchange, body, checkedBy: ahead)
            }
        } onCancel: {
            loop.execute { desk.value.abandon(number) }
        }
        switch end {
        case .answered(let bytes): return answer(bytes, to: visit)
        case .limited(let pause): return Self.limited(pause)
        case .abandoned: return HTTPRefusal.tooLate.reply
        }
    }

    /// Off the event loop.
    private static func check(_ body: [UInt8], _ reader: AheadReader) async {
        body.withUnsafeBytes { reader.check($0) }
    }

    private func answer(_ bytes: [UInt8], to visit: Visit) -> HTTPReply {
        guard !bytes.isEmpty else { return HTTPReply(status: 204, body: []) }
        var reply = HTTPReply(status: 200, body: bytes)
        let charge = Visit(of: visit.holder, in: waiting.unread)
        charge.hold(bytes.count)
        reply.charge = charge
        return reply
    }

    private static let watchPath = "/watch"
    static let lastEventID = "last-event-id"
    private static let methods: [String: HTTPMethod] = ["/rpc": .POST, watchPath: .GET]

    private static let unauthorized = HTTPRefusal.unauthorized(challenge: "Bearer")

    private static func limited(_ pause: Duration) -> HTTPReply {
        var reply = HTTPReply(status: 429, error: "too_many_requests")
        // Whole seconds: whoever waits so long finds room.
        let seconds = max(1, Int((pause / .seconds(1)).rounded(.up)))
        reply.headers.add(name: "Retry-After", value: "\(seconds)")
        return reply
    }
}

/// What waits at the door, by kind.
struct APIWaiting: Sendable {
    /// Bodies whose reply is not made yet.
    let unanswered = WaitingFigure()
    /// Replies that the kernel has not taken yet.
    let unread = WaitingFigure()
}

/// The desks of all event loops.
final class APIDesks: Sendable {
    private let byLoop: Mutex<[ObjectIdentifier: NIOLoopBound<APIDesk>]> = Mutex([:])
    private let lastNumber = Atomic<UInt64>(0)

    /// A number for an exchange.
    func nextNumber() -> UInt64 { lastNumber.add(1, ordering: .relaxed).newValue }

    /// The desk of a loop; nil once the door is closed.
    subscript(loop: any EventLoop) -> NIOLoopBound<APIDesk>? {
        byLoop.withLock { $0[ObjectIdentifier(loop)] }
    }

    /// Makes a desk on each loop.
    func open(
        on group: any EventLoopGroup,
        _ service: any FrameService,
        frameBytesMax: Int
    ) async throws {
        for loop in group.makeIterator() {
            let desk =
                try await loop.submit {
                    let desk = APIDesk(on: loop, service, frameBytesMax: frameBytesMax)
                    return NIOLoopBound(desk, eventLoop: loop)
                }
                .get()
            byLoop.withLock { $0[ObjectIdentifier(loop)] = desk }
        }
    }

    /// Ends them, each on its loop.
    func close(on group: any EventLoopGroup) async {
        for loop in group.makeIterator() {
            let desk = byLoop.withLock { $0.removeValue(forKey: ObjectIdentifier(loop)) }
            try? await loop.submit { desk?.value.end() }.get()
        }
    }
}
