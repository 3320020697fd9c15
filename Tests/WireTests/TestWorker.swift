import JSON
import Synchronization
import Wire

/// `ping` answers at once, `later` when the test says so, `echo` with its parameters.
final class TestWorker: FrameWorker {
    var tickets: [(id: [UInt8], ticket: ReplyTicket)] = []
    var calls: [String] = []

    func answer(
        _ request: RequestView,
        from session: Session,
        ticket: ReplyTicket,
        into reply: inout ReplyBuffer
    ) -> Disposition {
        calls.append(request.methodName)
        if request.isMethod("ping") {
            reply.beginResult(id: request.idBytes)
            reply.append("{}")
            reply.endResult()
        } else if request.isMethod("later") {
            tickets.append((request.id, ticket))
            return .later
        } else if request.isMethod("long") {
            reply.beginResult(id: request.idBytes)
            reply.appendString(String(repeating: "x", count: 600))
            reply.endResult()
        } else if request.isMethod("silent") {
            return .answered
        } else {
            let failure = RPCFailure(.methodNotFound, "No such method.")
            reply.appendError(failure, id: request.idBytes)
        }
        return .answered
    }

    func rest() {}

    /// The answer that a ticket of `later` gets.
    static func response(_ id: [UInt8], _ result: String = "\"late\"") -> [UInt8] {
        var reply = ReplyBuffer()
        id.withUnsafeBytes { reply.beginResult(id: $0) }
        reply.append(bytes: Array(result.utf8))
        reply.endResult()
        return reply.bytes
    }
}

/// Keeps what was posted.
final class TestOutlet: ReplyOutlet {
    private let posts = Mutex<[[Delivery]]>([])

    func post(_ deliveries: [Delivery]) { posts.withLock { $0.append(deliveries) } }

    func take() -> [[Delivery]] {
        posts.withLock { posts in
            defer { posts = [] }
            return posts
        }
    }
}

/// One connection without a socket.
struct Bench: ~Copyable {
    let worker = TestWorker()
    let outlet = TestOutlet()
    var driver: FrameDriver
    var conversation: Conversation
    var reply = ReplyBuffer()

    init(frameBytesMax: Int = WireLimits.frameBytesMax, isRefused: Bool = false) {
        driver = FrameDriver(worker: worker, outlet: outlet, frameBytesMax: frameBytesMax)
        let caller = Caller(uid: 1, gid: 2, pid: 3, role: .app)
        conversation = Conversation(
            session: Session(caller: caller),
            connection: 7,
            isRefused: isRefused
        )
    }

    /// The bodies of the reply frames to one request frame.
    mutating func ask(_ body: [UInt8], requestsMax: Int = .max) -> [String] {
        _ = body.withUnsafeBytes {
            driver.answer($0, of: &conversation, into: &reply, requestsMax: requestsMax)
        }
        return takeFrames()
    }

    mutating func ask(_ body: String, requestsMax: Int = .max) -> [String] {
        ask(Array(body.utf8), requestsMax: requestsMax)
    }

    /// Answers all that waits; the bodies of the frames that this completes.
    mutating func deliverAll() -> [String] {
        for (id, ticket) in worker.tickets { ticket.deliver(TestWorker.response(id)) }
        worker.tickets = []
        return takeDeliveries()
    }

    /// All bytes that come back when `bytes` arrive on the connection.
    mutating func replies(to bytes: [UInt8]) -> [UInt8] {
        let decoder = FrameDecoder()
        var start = 0
        bytes.withUnsafeBytes { bytes in
            while start < bytes.count {
                switch decoder.step(bytes, from: start) {
                case .needMore: start = bytes.count
                case .frame(let range):
                    let body = UnsafeRawBufferPointer(rebasing: bytes[range])
                    driver.answer(body, of: &conversation, into: &reply)
                    start = range.upperBound
                case .refused(let fault):
                    FrameDriver.appendFrame(fault.failure, into: &reply)
                    start = bytes.count
                }
            }
        }
        return reply.bytes
    }

    /// The bodies of the reply frames that deliveries have completed.
    mutating func takeDeliveries() -> [String] {
        for delivery in outlet.take().flatMap({ $0 }) {
            driver.take(delivery, for: &conversation, into: &reply)
        }
        return takeFrames()
    }

    private mutating func takeFrames() -> [String] {
        let decoder = FrameDecoder(frameBytesMax: 16 << 20)
        var frames: [String] = []
        var start = 0
        while case .frame(let range) = decoder.step(reply.written, from: start) {
            frames.append(String(decoding: reply.written[range], as: UTF8.self))
            start = range.upperBound
        }
        precondition(start == reply.count, "replies are whole frames")
        reply.removeAll()
        return frames
    }
}
