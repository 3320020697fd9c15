// RemoteAPI is the door for callers that are not on this host: JSON-RPC over HTTPS, with tokens,
// and changes as server-sent events.
//
// In reading order:
//   APIListener  below: the listener, from start to drain
//   APIService   which requests are let in, and what is replied
//   TokenList    the tokens that are good now; TokenHolder is whoever shows one
//   RateBucket   how many requests a token may send
//   Visit        what waits because of one request, charged to its token
//   APIDesk      answers what comes in on one event loop; Exchange is one request or batch
//   WatchStream  one `GET /watch`: WatchQuery is what it asks for, ServerSentEvents what it tells
//
// Its laws:
//   1. No byte of a body is read without a good token in its head.
//   2. The methods are those of the sockets, by the same code; no token is an administrator.
//   3. What waits is charged to the token because of which it waits.
//   4. A worker never leaves its event loop. What takes time is done in the lanes of the methods.
//
// It never reads the configuration, never keeps a token but only its hash, and never calls the
// ledger.

import DaemonConfiguration
import HTTPServer
import Logging
import NIOCore
import NIOPosix
import Telemetry
import Threads
import Wire

/// How the HTTPS door is set up.
package struct APIConfiguration: Sendable {
    /// Where it listens.
    package var listen: ListenAddress
    /// TLS or plain HTTP.
    package var transport: Settings.Transport
    /// Who may ask.
    package var tokens: [AccessToken]
    /// How much each of them may ask.
    package var requestsPerSecond: Int
    /// The longest body and the longest reply.
    package var frameBytesMax: Int
    /// How many bytes a token, and all of them, may leave waiting.
    package var callerBytesMax = APILimits.callerBytesMax
    package var totalBytesMax = APILimits.totalBytesMax
    /// What strangers get.
    package var limits = HTTPLimits()

    /// What the configuration file says.
    package init(_ settings: Settings.API, frameBytesMax: Int) {
        listen = settings.listen
        transport = settings.transport
        tokens = settings.tokens
        requestsPerSecond = settings.requestsPerSecond
        self.frameBytesMax = frameBytesMax
        limits.answerMillisecondsMax = APILimits.answerMilliseconds
        limits.keepAliveMillisecondsMax = APILimits.keepAliveMilliseconds
        limits.connectionsPerSourceMax = APILimits.connectionsPerSourceMax
    }
}

/// The HTTPS door for callers.
package final class APIListener: Sendable {
    private let listener: HTTPListener
    private let tokens: TokenList
    private let desks: APIDesks
    private let waiting: APIWaiting
    private let group: MultiThreadedEventLoopGroup

    /// The port it is bound to.
    package let boundPort: Int
    /// Whether it speaks TLS.
    package let isSecure: Bool

    /// Binds, and answers by `service` until drained.
    ///
    /// Throws if the address or the TLS files cannot be used.
    package init(
        _ configuration: APIConfiguration,
        _ service: any FrameService,
        metrics: Metrics,
        logger: Logger
    ) async throws {
        let identity = try PreparedTLS(configuration.transport)
        if identity == nil {
            logger.info(
                "The HTTPS door speaks plain HTTP: a TLS proxy must stand in front of it",
                fields: [.address: "\(configuration.listen)"]
            )
        }
        let isSecure = identity != nil
        self.isSecure = isSecure
        waiting = APIWaiting()
        tokens = TokenList(
            configuration.tokens,
            budget: ByteBudget(
                callerBytesMax: configuration.callerBytesMax,
                totalBytesMax: configuration.totalBytesMax
            ),
            requestsPerSecond: configuration.requestsPerSecond
        )
        desks = APIDesks()
        var limits = configuration.limits
        limits.requestBytesMax = max(
            limits.requestBytesMax,
            configuration.frameBytesMax * HTTPServerLimits.chunkedBytesEach
        )
        let door = APIService(
            tokens: tokens,
            desks: desks,
            frameBytesMax: configuration.frameBytesMax,
            answerMillisecondsMax: limits.answerMillisecondsMax,
            waiting: waiting,
            metrics: metrics,
            logger: logger
        )
        // Without TLS whoever connects is a proxy, which many share.
        listener = HTTPListener(
            name: "api",
            service: door,
            limits: limits,
            tls: identity,
            metrics: metrics
        ) { _ in isSecure ? .welcome : .shared }
        // Of its own: callers and stores do not wait for each other.
        group = MultiThreadedEventLoopGroup(numberOfThreads: APILimits.threads)
        do {
            let frameBytesMax = configuration.frameBytesMax
            try await desks.open(on: group, service, frameBytesMax: frameBytesMax)
            try await listener.start(at: configuration.listen, group: group)
        } catch {
            await desks.close(on: group)
            try? await group.shutdownGracefully()
            throw error
        }
        boundPort = listener.boundPort ?? configuration.listen.port
    }

    /// Bytes that wait: bodies without a reply, and replies that are not read.
    package var waitingBytes: (unanswered: Int, unread: Int) {
        (waiting.unanswered.value, waiting.unread.value)
    }

    /// Serves `identity` to connections that come from now on.
    ///
    /// Has no effect where the listener speaks plain HTTP, because a proxy in front speaks TLS.
    package func adopt(_ identity: PreparedTLS) { listener.adopt(identity) }

    /// Takes these tokens instead of the present ones; the others are refused from now on.
    package func obey(_ tokens: [AccessToken]) { self.tokens.replace(by: tokens) }

    /// Accepts no more connections, lets requests that have begun end within `seconds`, then
    /// closes.
    package func drain(seconds: Double) async {
        await listener.drain(seconds: seconds)
        await desks.close(on: group)
        try? await group.shutdownGracefully()
    }
}
