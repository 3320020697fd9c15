// HTTPServer is HTTP/1.1 and TLS for strangers: what is the same for every HTTP door.
//
// In reading order:
//   HTTPListener         below: a bound address and its connections; ConnectionTable: who may stay
//   HTTPService          what a listener serves: it judges heads and answers requests
//   HTTPReply            an answer; HTTPStream is one that goes on
//   HTTPConnection       deadlines and answers of one connection
//   HTTPConnectionState  what it decides: pure, without a socket
//   HeadRules            what holds for every request; HTTPRefusal says what was wrong
//   ByteTap              holds back and swallows bytes before the parser
//   TLSIdentity          certificate and key
//
// Its laws:
//   1. A stranger costs at most what HTTPLimits names: connections, bytes, seconds.
//   2. When places run out, the connection that has been without a whole request for longest is
//      closed first.
//   3. A request that two parsers could read differently is refused.
//   4. Answers go out in the order of the requests, one at a time.
//
// It never looks into a body, and knows no path.

import DaemonConfiguration
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import NetworkErrors
import Synchronization
import Telemetry

/// Why an address cannot be listened at, in words.
package struct ListenFailure: Error, CustomStringConvertible {
    package let description: String
}

/// A bound address and its connections; what it serves is an `HTTPService`.
package final class HTTPListener: Sendable {
    /// What is done with a new connection because of its address, before a byte is read.
    package enum Welcome: Sendable {
        case welcome
        /// A proxy, which many people share.
        case shared
        case unwelcome
    }

    private struct Turned: Error {}

    private let service: any HTTPService
    private let limits: HTTPLimits
    private let table: ConnectionTable
    private let tls: Mutex<NIOSSLContext?>
    private let welcome: @Sendable (IPAddress) -> Welcome
    private let open: Gauge
    private let accepted: Counter
    private let server = Mutex<(any Channel)?>(nil)

    /// A listener of `service`, which metrics call `name`; nothing is bound yet.
    ///
    /// `welcome` says what a connection's address alone leads to.
    package init(
        name: String,
        service: any HTTPService,
        limits: HTTPLimits,
        tls: PreparedTLS?,
        metrics: Metrics,
        welcome: @escaping @Sendable (IPAddress) -> Welcome
    ) {
        self.service = service
        self.limits = limits
        self.tls = Mutex(tls?.context)
        self.welcome = welcome
        table = ConnectionTable(
            connectionsMax: limits.connectionsMax,
            perSourceMax: limits.connectionsPerSourceMax
        )
        open = metrics.connections.series(name)
        accepted = metrics.accepted.series(name)
    }

    /// Binds and accepts.
    package func start(
        at address: ListenAddress,
        group: any EventLoopGroup
    ) async throws(ListenFailure) {
        do {
            let channel = try await bound(to: address, group)
            server.withLock { $0 = channel }
        } catch {
            throw ListenFailure(description: NetworkErrors.text(of: error))
        }
    }

    private func bound(
        to address: ListenAddress,
        _ group: any EventLoopGroup
    ) async throws -> any Channel {
        try await ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: HTTPServerLimits.backlogMax)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    // Waits a little where file descriptors have run out.
                    try channel.pipeline.syncOperations.addHandler(AcceptBackoffHandler())
                }
            }
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelOption(
                .socketOption(.so_rcvbuf),
                value: HTTPServerLimits.receiveBufferBytes
            )
            .childChannelInitializer { [self] channel in
                channel.eventLoop.makeCompletedFuture { try admit(channel) }
            }
            .bind(host: address.host, port: address.port)
            .get()
    }

    /// The port that the kernel gave, where 0 was asked for.
    package var boundPort: Int? { server.withLock { $0?.localAddress?.port } }

    /// Serves `identity` to connections that come from now on; without effect where this listener
    /// speaks plain HTTP.
    package func adopt(_ identity: PreparedTLS) {
        tls.withLock { if $0 != nil { $0 = identity.context } }
    }

    /// Accepts no more connections, lets requests that have begun end within `seconds`, then closes
    /// all.
    package func drain(seconds: Double) async {
        let channel = server.withLock { server in
            defer { server = nil }
            return server
        }
        try? await channel?.close().get()
        for channel in table.channels {
            channel.pipeline.fireUserInboundEventTriggered(HTTPConnection.Drain())
        }
        let end = ContinuousClock.now + .seconds(seconds)
        while table.count > 0, ContinuousClock.now < end {
            do {
                try await Task.sleep(for: .milliseconds(HTTPServerLimits.drainStepMilliseconds))
            } catch {
                // The task that waits for this was cancelled: no more waiting.
                break
            }
        }
        for channel in table.channels { channel.close(promise: nil) }
    }

    private func admit(_ channel: any Channel) throws {
        guard let text = channel.remoteAddress?.ipAddress, let peer = IPAddress(text) else {
            throw Turned()
        }
        accepted.increment()
        let welcome = welcome(peer)
        if case .unwelcome = welcome {
            service.noteClose(.source)
            throw Turned()
        }
        var isShared = false
        if case .shared = welcome { isShared = true }
        switch table.admit(channel, from: peer, isShared: isShared) {
        case .refused(let reason):
            service.noteClose(reason)
            throw Turned()
        case .admitted(let place, let evicted):
            if let evicted {
                service.noteClose(.evicted)
                Self.closeAtOnce(evicted)
            }
            open.add(1)
            channel.closeFuture.whenComplete { [open] _ in
                // In this order, so that the gauge is final once a drain sees that no place is
                // taken.
                open.add(-1)
                place.leave()
            }
            try setUp(channel, peer: peer, place: place)
        }
    }

    /// Closes without a word to the other side: TLS would wait for its answer.
    private static func closeAtOnce(_ channel: any Channel) {
        channel.eventLoop.execute {
            let pipeline = channel.pipeline.syncOperations
            guard let tls = try? pipeline.context(handlerType: NIOSSLServerHandler.self) else {
                channel.close(promise: nil)
                return
            }
            // From here outwards the next one is the socket.
            tls.close(promise: nil)
        }
    }

    private func setUp(
        _ channel: any Channel,
        peer: IPAddress,
        place: ConnectionTable.Place
    ) throws {
        let pipeline = channel.pipeline.syncOperations
        let context = tls.withLock { $0 }
        if let context {
            try pipeline.addHandler(NIOSSLServerHandler(context: context))
        }
        let tap = ByteTap()
        var bounds = NIOHTTPDecoderLimitConfiguration()
        bounds.maxHeaderFieldSize = limits.headerFieldBytesMax
        bounds.maxHeaderListSize = limits.headerBytesMax
        bounds.maxHeaderFieldCount = limits.headerFieldsMax
        let decoder = HTTPRequestDecoder(
            leftOverBytesStrategy: .dropBytes,
            limitConfiguration: bounds
        )
        try pipeline.addHandler(tap)
        try pipeline.addHandler(ByteToMessageHandler(decoder))
        try pipeline.addHandler(HTTPResponseEncoder())
        try pipeline.addHandler(
            HTTPConnection(
                service: service,
                limits: limits,
                peer: peer,
                tap: tap,
                place: place,
                isSecure: context != nil
            )
        )
    }
}
