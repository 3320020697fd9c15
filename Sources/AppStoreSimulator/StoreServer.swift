import NIOCore
import NIOHTTP1
import NIOPosix

/// What answers requests in the place of a store's servers.
package protocol AnsweringStore: Sendable {
    /// The answer to a request.
    func answer(to request: APIRequest) async -> APIAnswer

    /// Waits for what is under way beside the answers; with `cancelling` it is given up.
    func settle(cancelling: Bool) async
}

/// Serves a store's API over HTTP/1.1, on loopback alone: what travels here is not encrypted.
package final class StoreServer: Sendable {
    private let api: any AnsweringStore
    private let channel: any Channel

    private init(_ api: any AnsweringStore, _ channel: any Channel) {
        self.api = api
        self.channel = channel
    }

    /// Why it does not listen.
    package struct Refusal: Error, CustomStringConvertible {
        /// One sentence.
        package let description: String
    }

    /// Listens on a port of loopback; port 0 is one that is free.
    package static func start(
        _ api: any AnsweringStore,
        host: String = "127.0.0.1",
        port: Int = 0
    ) async throws -> StoreServer {
        guard ["127.0.0.1", "::1", "localhost"].contains(host) else {
            throw Refusal(description: "\(host) is not loopback")
        }
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                    try channel.pipeline.syncOperations.addHandler(StoreConnection(api))
                }
            }
            .bind(host: host, port: port).get()
        return StoreServer(api, channel)
    }

    /// The port it listens on.
    package var port: Int { channel.localAddress?.port ?? 0 }

    /// What a daemon's configuration calls apple.api.baseURL.
    package var baseURL: String {
        let isV6 = channel.localAddress?.protocol == .inet6
        return "http://\(isV6 ? "[::1]" : "127.0.0.1"):\(port)"
    }

    /// Listens no more, and gives up test notifications under way; open connections end by
    /// themselves.
    package func stop() async throws {
        try await channel.close()
        await api.settle(cancelling: true)
    }

    /// Returns once it listens no more.
    package func wait() async throws { try await channel.closeFuture.get() }
}

/// One connection: collects a request, has it answered, and writes the answer.
private final class StoreConnection: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let api: any AnsweringStore
    private var head: HTTPRequestHead?
    private var body: [UInt8] = []
    private var isTooLong = false

    init(_ api: any AnsweringStore) { self.api = api }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            self.head = head
            body = []
            isTooLong = false
        case .body(let buffer):
            let count = body.count + buffer.readableBytes
            isTooLong = isTooLong || count > SimulatorLimits.requestBytesMax
            if !isTooLong { body += buffer.readableBytesView }
        case .end:
            guard let head else { return }
            answer(head, context)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    /// The pipeline holds the next request back until this one is answered.
    private func answer(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        guard !isTooLong else {
            write(APIAnswer(status: 413), keepsAlive: false, context)
            return
        }
        let request = APIRequest(
            head.method.rawValue,
            head.uri,
            authorization: head.headers.first(name: "Authorization"),
            body: body
        )
        let answer = context.eventLoop.makePromise(of: APIAnswer.self)
        answer.completeWithTask { [api] in await api.answer(to: request) }
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        let keepsAlive = head.isKeepAlive
        answer.futureResult.whenSuccess { answer in
            let (connection, context) = bound.value
            connection.write(answer, keepsAlive: keepsAlive, context)
        }
    }

    private func write(_ answer: APIAnswer, keepsAlive: Bool, _ context: ChannelHandlerContext) {
        guard answer.status > 0 else {
            context.close(promise: nil)
            return
        }
        var head = HTTPResponseHead(
            version: .http1_1,
            status: HTTPResponseStatus(statusCode: answer.status)
        )
        head.headers.add(name: "Content-Length", value: String(answer.body.count))
        if !answer.body.isEmpty {
            head.headers.add(name: "Content-Type", value: answer.contentType)
        }
        for (name, value) in answer.headers { head.headers.add(name: name, value: value) }
        if !keepsAlive { head.headers.add(name: "Connection", value: "close") }
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        let bytes = ByteBuffer(bytes: answer.body)
        context.write(wrapOutboundOut(.body(.byteBuffer(bytes))), promise: nil)
        let end = context.writeAndFlush(wrapOutboundOut(.end(nil)))
        guard !keepsAlive else { return }
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        end.whenComplete { _ in bound.value.close(promise: nil) }
    }
}
