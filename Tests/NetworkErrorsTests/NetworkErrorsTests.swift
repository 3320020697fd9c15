import AsyncHTTPClient
import NIOCore
import NIOPosix
import NetworkErrors
import Testing

/// Answers whatever comes with a line that is no TLS.
private final class Talk: ChannelInboundHandler, Sendable {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let line = context.channel.allocator.buffer(string: "HTTP/1.1 400 Bad Request\r\n\r\n")
        context.writeAndFlush(wrapOutboundOut(line), promise: nil)
    }
}

/// The errors of real connections, in words.
struct NetworkErrorsTests {
    private func words(asking url: String) async throws -> String {
        var configuration = HTTPClient.Configuration()
        configuration.connectionPool.retryConnectionEstablishment = false
        let client = HTTPClient(
            eventLoopGroupProvider: .singleton,
            configuration: configuration
        )
        var words = "answered"
        do {
            _ = try await client.get(url: url, deadline: .now() + .seconds(10)).get()
        } catch {
            words = NetworkErrors.text(of: error)
        }
        try await client.shutdown()
        return words
    }

    /// A listener that answers everybody with a line of its own, and its port.
    private func talker() async throws -> (channel: any Channel, port: Int) {
        let channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .childChannelInitializer { $0.pipeline.addHandler(Talk()) }
            .bind(host: "127.0.0.1", port: 0)
            .get()
        return (channel, try #require(channel.localAddress?.port))
    }

    @Test func `where nobody listens, and where the name is nobody's`() async throws {
        let (channel, port) = try await talker()
        try await channel.close().get()
        #expect(try await words(asking: "http://127.0.0.1:\(port)/") == "Connection refused")
        #expect(
            try await words(asking: "http://nobody.invalid/") == "no host is known by this name"
        )
    }

    @Test func `what does not speak TLS`() async throws {
        let (channel, port) = try await talker()
        let said = try await words(asking: "https://127.0.0.1:\(port)/")
        #expect(said == "what answers there does not speak TLS")
        try await channel.close().get()
    }

    @Test func `an address that is taken`() async throws {
        let (channel, port) = try await talker()
        var said = "bound"
        do {
            _ = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                .bind(host: "127.0.0.1", port: port)
                .get()
        } catch {
            said = NetworkErrors.text(of: error)
        }
        #expect(said == "Address already in use")
        try await channel.close().get()
    }

    @Test func `what is not known is called by its type`() {
        struct Strange: Error {}
        #expect(NetworkErrors.text(of: Strange()) == "Strange")
        #expect(NetworkErrors.text(of: HTTPClientError.readTimeout) == "no answer in time")
    }
}
