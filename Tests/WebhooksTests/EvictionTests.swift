import DaemonConfiguration
import Foundation
import NIOCore
import NIOPosix
import NIOSSL
import NIOTLS
import Telemetry
import TestSupport
import Testing

@testable import HTTPServer
@testable import Webhooks

/// A TLS client that, once connected, sends some bytes and then neither reads nor answers: the
/// close_notify of the other side is never returned.
private final class SilentClient: ChannelInboundHandler, Sendable {
    typealias InboundIn = ByteBuffer

    private let bytes: [UInt8]
    private let connected: EventLoopPromise<Void>

    private init(_ bytes: [UInt8], _ connected: EventLoopPromise<Void>) {
        self.bytes = bytes
        self.connected = connected
    }

    /// Connects; returns behind the handshake, with the bytes sent.
    static func connect(_ port: Int, _ text: String) async throws -> any Channel {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.certificateVerification = .none
        let context = try NIOSSLContext(configuration: configuration)
        let group = MultiThreadedEventLoopGroup.singleton
        let connected = group.next().makePromise(of: Void.self)
        let channel = try await ClientBootstrap(group: group)
            .channelOption(.allowRemoteHalfClosure, value: true)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.addHandler(
                        NIOSSLClientHandler(context: context, serverHostname: nil)
                    )
                    try pipeline.addHandler(SilentClient(Array(text.utf8), connected))
                }
            }
            .connect(host: "127.0.0.1", port: port).get()
        try await connected.futureResult.get()
        return channel
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard case .handshakeCompleted? = event as? TLSUserEvent else { return }
        let buffer = context.channel.allocator.buffer(bytes: bytes)
        let connected = connected
        let channel = context.channel
        context.writeAndFlush(NIOAny(buffer))
            .whenComplete { _ in
                channel.setOption(.autoRead, value: false).cascade(to: connected)
            }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {}
}

@Suite(.serialized, .timeLimit(.minutes(5))) struct EvictionTests {
    private func open(
        _ change: (inout WebhookConfiguration) -> Void,
        serve body: (Door) async throws -> Void
    ) async throws {
        let authority = try Authority()
        let pair = try authority.mint("evictions")
        try await Door.open(
            configured {
                $0.transport = .tls(
                    certificatePath: pair.certificatePath,
                    privateKeyPath: pair.privateKeyPath
                )
                change(&$0)
            },
            body
        )
    }

    @Test func `who is evicted gives its descriptor back, whether it answers or not`()
        async throws
    {
        let most = 4
        try await open {
            $0.limits.connectionsMax = most
        } serve: { door in
            let open = door.metrics.connections.series("webhook")
            var silent: [any Channel] = []
            for number in 1...40 {
                silent.append(try await SilentClient.connect(door.port, "POST /"))
                // Descriptors that are open, in whatever state.
                #expect(open.value <= most + HTTPServerLimits.evictionsMax)
                while open.value > most { try await Task.sleep(for: .milliseconds(2)) }
                #expect(door.closed("evicted") == max(0, number - most))
            }
            let answer = try await onThread { [port = door.port] in
                try openssl(
                    ["s_client", "-connect", "127.0.0.1:\(port)", "-ign_eof"],
                    input: post()
                )
            }
            #expect(answer.contains("200 OK"))
            for client in silent { client.close(promise: nil) }
        }
    }

    @Test func `a peer that was answered and does not end is closed, before one that is silent`()
        async throws
    {
        try await open {
            $0.limits.restMillisecondsMax = 100
            $0.limits.headMillisecondsMax = 3_500
        } serve: { door in
            let open = door.metrics.connections.series("webhook")
            let answered = try await SilentClient.connect(door.port, post())
            let waiting = try await SilentClient.connect(door.port, "")
            while door.bodies.isEmpty { try await Task.sleep(for: .milliseconds(2)) }
            while open.value == 2 { try await Task.sleep(for: .milliseconds(5)) }
            // The first one, for the silence of the other is not over.
            #expect(open.value == 1 && door.closed("silent") == 0)
            answered.close(promise: nil)
            waiting.close(promise: nil)
        }
    }

    @Test func `more evictions at once than may be under way are refused`() async throws {
        let table = ConnectionTable(
            connectionsMax: HTTPServerLimits.evictionsMax,
            perSourceMax: 1_000
        )
        let source = try #require(IPAddress("192.0.2.1"))
        var places: [ConnectionTable.Place] = []
        func admit() throws -> Bool? {
            let channel = try channel()
            switch table.admit(channel, from: source, isShared: false) {
            case .admitted(let place, let evicted):
                places.append(place)
                return evicted != nil
            case .refused(let reason):
                #expect(reason == .connectionsMax)
                return nil
            }
        }
        for _ in 0..<HTTPServerLimits.evictionsMax { #expect(try admit() == false) }
        for _ in 0..<HTTPServerLimits.evictionsMax { #expect(try admit() == true) }
        #expect(try admit() == nil)
        #expect(table.count == 2 * HTTPServerLimits.evictionsMax)
        // One descriptor is closed at last.
        places[0].leave()
        #expect(try admit() == true)
        for place in places { place.leave() }
        #expect(table.count == 0)
        #expect(try admit() == false)
    }

    @Test(arguments: [
        (["2001:db8:0:1::1", "2001:db8:0:1:ffff::2"], true),
        (["2001:db8:0:1::1", "2001:db8:0:2::1"], false),
        (["192.0.2.1", "::ffff:192.0.2.1"], true),
        (["192.0.2.1", "192.0.2.2"], false),
        (["::ffff:192.0.2.1", "::ffff:192.0.2.2"], false),
    ])
    func `addresses of one /64 share what one source may have`(
        texts: [String],
        isOne: Bool
    ) throws {
        let table = ConnectionTable(connectionsMax: 10, perSourceMax: 1)
        let sources = try texts.map { try #require(IPAddress($0)) }
        guard
            case .admitted(let first, nil) = table.admit(
                try channel(),
                from: sources[0],
                isShared: false
            )
        else {
            Issue.record("the first one was not let in")
            return
        }
        // Answered, so that nobody can take its place.
        first.setIncomplete(false)
        let second = table.admit(try channel(), from: sources[1], isShared: false)
        if case .refused(let reason) = second {
            #expect(isOne && reason == .sourceMax)
        } else {
            #expect(!isOne)
        }
    }

    /// A channel that is nobody's connection.
    private func channel() throws -> any Channel {
        let group = MultiThreadedEventLoopGroup.singleton
        let bootstrap = DatagramBootstrap(group: group)
        let channel = try bootstrap.bind(host: "127.0.0.1", port: 0).wait()
        channel.close(promise: nil)
        return channel
    }
}
