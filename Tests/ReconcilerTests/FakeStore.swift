import JSON
import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization

/// A real HTTP server on loopback that answers as its script says, and keeps what it was asked.
final class FakeStore: Sendable {
    /// What was asked.
    struct Arrival: Sendable {
        var method: String
        /// Without the query.
        var path: String
        /// Everything behind the question mark, as it came.
        var query: String
        var headers: HTTPHeaders
        var body: [UInt8]

        var json: JSONValue? { try? JSONValue.parse(body) }
    }

    /// What to say.
    enum Reply: Sendable {
        case answer(Int, [UInt8], headers: [String: String] = [:])
        /// Takes the request and says nothing.
        case silence
        /// Closes the connection.
        case hangUp
        /// Begins a body and never ends it.
        case half

        static func json(_ object: JSONObject) -> Reply {
            .answer(200, JSONValue.object(object).bytes)
        }

        static func error(_ status: Int, _ code: Int64, retryAfter: Int64? = nil) -> Reply {
            let body: JSONObject = ["errorCode": .integer(code), "errorMessage": "A fault."]
            let headers = retryAfter.map { ["Retry-After": "\($0)"] } ?? [:]
            return .answer(status, JSONValue.object(body).bytes, headers: headers)
        }
    }

    typealias Script = @Sendable (Arrival) -> Reply

    private let script: Script
    private let kept = Mutex<[Arrival]>([])
    private let channel: Mutex<(any Channel)?> = Mutex(nil)

    private init(_ script: @escaping Script) { self.script = script }

    /// A server, for as long as `body` takes.
    static func serving<Result>(
        _ script: @escaping Script,
        _ body: (FakeStore) async throws -> Result
    ) async throws -> Result {
        let store = FakeStore(script)
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.pipeline.configureHTTPServerPipeline()
                    .flatMapThrowing {
                        try channel.pipeline.syncOperations.addHandler(Handler(store))
                    }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        store.channel.withLock { $0 = channel }
        do {
            let result = try await body(store)
            try await channel.close()
            return result
        } catch {
            try await channel.close()
            throw error
        }
    }

    /// The same with these replies to whatever is asked.
    static func serving<Result>(
        _ replies: Replies,
        _ body: (FakeStore) async throws -> Result
    ) async throws -> Result {
        let script: Script = { _ in replies.next }
        return try await serving(script, body)
    }

    var url: String {
        let port = channel.withLock { $0?.localAddress?.port ?? 0 }
        return "http://127.0.0.1:\(port)"
    }

    /// Everything asked so far.
    var arrivals: [Arrival] { kept.withLock { $0 } }

    /// The paths asked for so far.
    var paths: [String] { arrivals.map(\.path) }

    fileprivate func reply(to arrival: Arrival) -> Reply {
        kept.withLock { $0.append(arrival) }
        return script(arrival)
    }

    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = HTTPServerResponsePart

        private let store: FakeStore
        private var arrival: Arrival?

        init(_ store: FakeStore) { self.store = store }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch unwrapInboundIn(data) {
            case .head(let head):
                let parts = head.uri.split(separator: "?", maxSplits: 1)
                arrival = Arrival(
                    method: head.method.rawValue,
                    path: String(parts.first ?? ""),
                    query: parts.count > 1 ? String(parts[1]) : "",
                    headers: head.headers,
                    body: []
                )
            case .body(let buffer): arrival?.body += Array(buffer.readableBytesView)
            case .end:
                guard let arrival else { return }
                answer(store.reply(to: arrival), context)
            }
        }

        private func answer(_ reply: Reply, _ context: ChannelHandlerContext) {
            switch reply {
            case .silence: break
            case .hangUp: context.close(promise: nil)
            case .half:
                head(200, ["Content-Length": "1000"], context)
                let bytes = ByteBuffer(string: "{")
                context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(bytes))), promise: nil)
            case .answer(let status, let body, var headers):
                headers["Content-Length"] = "\(body.count)"
                head(status, headers, context)
                let bytes = ByteBuffer(bytes: body)
                context.write(wrapOutboundOut(.body(.byteBuffer(bytes))), promise: nil)
                context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
            }
        }

        private func head(
            _ status: Int,
            _ headers: [String: String],
            _ context: ChannelHandlerContext
        ) {
            var head = HTTPResponseHead(version: .http1_1, status: .init(statusCode: status))
            for (name, value) in headers { head.headers.add(name: name, value: value) }
            context.write(wrapOutboundOut(.head(head)), promise: nil)
        }
    }
}

/// Replies that come one after the other; the last one stays.
final class Replies: Sendable {
    private let rest: Mutex<[FakeStore.Reply]>

    init(_ replies: FakeStore.Reply...) { rest = Mutex(replies) }

    var next: FakeStore.Reply {
        rest.withLock { $0.count > 1 ? $0.removeFirst() : $0.first ?? .silence }
    }
}
