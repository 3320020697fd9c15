import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization

/// A real HTTP server on loopback that keeps what is posted and answers what it was told to.
final class TinyServer: Sendable {
    struct Arrival: Sendable {
        var method: String
        var path: String
        var contentType: String?
        var body: [UInt8]
    }

    private struct State {
        var arrivals: [Arrival] = []
        var statuses: [Int]
        var answer: String
    }

    private let state: Mutex<State>
    private let channel: Mutex<(any Channel)?> = Mutex(nil)

    private init(_ statuses: [Int], _ answer: String) {
        state = Mutex(State(statuses: statuses, answer: answer))
    }

    /// Answers these statuses in order, then 200.
    static func start(
        answering statuses: [Int] = [],
        _ answer: String = #"{"success":true,"received":true,"result":"applied"}"#
    ) async throws -> TinyServer {
        let server = TinyServer(statuses, answer)
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.pipeline.configureHTTPServerPipeline()
                    .flatMapThrowing {
                        try channel.pipeline.syncOperations.addHandler(Handler(server))
                    }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        server.channel.withLock { $0 = channel }
        return server
    }

    func stop() async throws {
        let channel = channel.withLock { $0 }
        try await channel?.close()
    }

    var port: Int { channel.withLock { $0?.localAddress?.port ?? 0 } }

    var url: String { "http://127.0.0.1:\(port)/webhooks/apple" }

    var arrivals: [Arrival] { state.withLock { $0.arrivals } }

    fileprivate func answer(to arrival: Arrival) -> (Int, String) {
        state.withLock { state in
            state.arrivals.append(arrival)
            let status = state.statuses.isEmpty ? 200 : state.statuses.removeFirst()
            return (status, state.answer)
        }
    }

    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = HTTPServerResponsePart

        private let server: TinyServer
        private var arrival: Arrival?

        init(_ server: TinyServer) { self.server = server }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch unwrapInboundIn(data) {
            case .head(let head):
                arrival = Arrival(
                    method: head.method.rawValue,
                    path: head.uri,
                    contentType: head.headers.first(name: "Content-Type"),
                    body: []
                )
            case .body(let buffer): arrival?.body += Array(buffer.readableBytesView)
            case .end:
                guard let arrival else { return }
                let (status, body) = server.answer(to: arrival)
                var head = HTTPResponseHead(
                    version: .http1_1,
                    status: HTTPResponseStatus(statusCode: status)
                )
                head.headers.add(name: "Content-Length", value: "\(body.utf8.count)")
                context.write(wrapOutboundOut(.head(head)), promise: nil)
                context.write(
                    wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: body)))),
                    promise: nil
                )
                context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
            }
        }
    }
}
