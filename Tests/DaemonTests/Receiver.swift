import Foundation
import JSON
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import Signatures
import Synchronization

/// A system that is told of changes: takes posts over HTTP, checks what they are signed with, and
/// keeps what they say.
final class Receiver: Sendable {
    static let key = [UInt8](repeating: 7, count: 32)
    static let secret = "whsec_" + Base64.text(key)

    /// What was posted and answered 2xx.
    struct Post: Sendable {
        let id: String
        let body: JSONValue

        var user: String { body["data"]?["userId"]?.string ?? "" }
        var seq: Int64 { body["data"]?["seq"]?.int64 ?? 0 }
        var cause: String { body["data"]?["cause"]?.string ?? "" }
        var status: JSONValue { body["data"]?["status"] ?? .null }
    }

    /// How it behaves, and what came.
    struct Book: Sendable {
        var posts: [Post] = []
        /// Posts that it refused.
        var refusals: [String] = []
        /// Posts that were not signed as they should be.
        var forged = 0
        /// What is answered.
        var status = 200
        /// Whose posts are answered 500.
        var refusedUsers: Set<String> = []
        var milliseconds = 0
        /// How long the bodies of its answers are.
        var answerBytes = 0
    }

    private let book: ReceiverBook
    private let channel: any Channel

    /// Listens on a port of loopback; speaks TLS where it has files for that.
    init(
        port: UInt16,
        _ book: ReceiverBook = ReceiverBook(),
        files: TLSFiles? = nil
    ) throws {
        self.book = book
        let context = try files.map { files in
            try NIOSSLContext(
                configuration: .makeServerConfiguration(
                    certificateChain: NIOSSLCertificate.fromPEMFile(files.certificate)
                        .map { .certificate($0) },
                    privateKey: .privateKey(NIOSSLPrivateKey(file: files.key, format: .pem))
                )
            )
        }
        channel = try ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    if let context {
                        let handler = NIOSSLServerHandler(context: context)
                        try channel.pipeline.syncOperations.addHandler(handler)
                    }
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                    try channel.pipeline.syncOperations.addHandler(ReceiverHandler(book))
                }
            }
            .bind(host: "127.0.0.1", port: Int(port)).wait()
    }

    deinit { try? channel.close().wait() }

    /// What came, those behind a post with the same id among it.
    var posts: [Post] { book.value.withLock(\.posts) }
    var refusals: [String] { book.value.withLock(\.refusals) }
    var forged: Int { book.value.withLock(\.forged) }

    func behave(_ change: (inout Book) -> Void) { book.value.withLock { change(&$0) } }

    /// The newest that it was told of a user.
    func status(of user: String) -> JSONValue? { posts.last { $0.user == user }?.status }
}

/// What a receiver keeps, also while it is away.
final class ReceiverBook: Sendable {
    let value = Mutex(Receiver.Book())
}

private final class ReceiverHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let book: ReceiverBook
    private var head: HTTPRequestHead?
    private var body: [UInt8] = []

    init(_ book: ReceiverBook) { self.book = book }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head): (self.head, body) = (head, [])
        case .body(let buffer): body += buffer.readableBytesView
        case .end:
            guard let head else { return }
            let (status, milliseconds) = answer(head)
            let bytes = book.value.withLock(\.answerBytes)
            let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
            context.eventLoop.scheduleTask(in: .milliseconds(Int64(milliseconds))) {
                let (handler, context) = bound.value
                handler.write(status, bytes, context)
            }
        }
    }

    private func answer(_ head: HTTPRequestHead) -> (status: Int, milliseconds: Int) {
        let id = head.headers.first(name: "webhook-id") ?? ""
        let time = head.headers.first(name: "webhook-timestamp") ?? ""
        let signed = Array("\(id).\(time).".utf8) + body
        let code = MessageAuthentication.sha256(of: signed, key: Receiver.key)
        let signatures = head.headers.first(name: "webhook-signature")?.split(separator: " ") ?? []
        let isFresh = abs((Int64(time) ?? 0) - Int64(Date().timeIntervalSince1970)) < 300
        let isGenuine = signatures.contains { $0 == "v1," + Base64.text(code) } && isFresh
        return book.value.withLock { book in
            guard isGenuine, let body = try? JSONValue.parse(body) else {
                book.forged += 1
                return (401, book.milliseconds)
            }
            let post = Receiver.Post(id: id, body: body)
            let isRefused = book.refusedUsers.contains(post.user)
            let status = isRefused ? 500 : book.status
            if status == 200 { book.posts.append(post) } else { book.refusals.append(id) }
            return (status, book.milliseconds)
        }
    }

    private func write(_ status: Int, _ bytes: Int, _ context: ChannelHandlerContext) {
        let head = HTTPResponseHead(
            version: .http1_1,
            status: HTTPResponseStatus(statusCode: status),
            headers: ["Content-Length": "\(bytes)"]
        )
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        let body = context.channel.allocator.buffer(repeating: 0x20, count: bytes)
        context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }
}
