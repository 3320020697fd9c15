// Webhooks is the door for stores, and for whoever reads the metrics; HTTPServer does what every
// HTTP door does.
//
// In reading order:
//   WebhookListener  below: where notifications come in; MetricsListener serves metrics
//   WebhookRoutes    which paths lead to which store
//   SourcePolicy     which addresses may send
//   BodyBudget       how many bytes of bodies may wait
//
// Its laws:
//   1. A notification is answered 200 only after it is on disk.
//   2. Who may not send is closed without a word.
//   3. The metrics are never on the webhook's port.
//
// It never looks into a body, verifies a signature, or calls the ledger.

import DaemonConfiguration
import Entitlements
import HTTPServer
import Logging
import NIOCore
import NIOHTTP1
import NIOPosix
import Telemetry
import Threads

/// Takes in what may be a notification and says what to answer.
///
/// It runs on an event loop: what takes time is done elsewhere and awaited. `source` is the
/// sender's address, for the log.
package typealias NotificationReceiver =
    @Sendable (_ delivery: StoreDelivery, _ source: String) async -> WebhookReply

/// How the webhook listener is set up.
package struct WebhookConfiguration: Sendable {
    /// Where it listens.
    package var listen: ListenAddress
    /// TLS or plain HTTP.
    package var transport: Settings.Transport
    /// Who may send; empty: everybody.
    package var allowedSources: [AddressRange] = []
    /// Whose X-Forwarded-For is believed.
    package var trustedProxies: [AddressRange] = []
    /// What the path must end with.
    package var pathSecret: Secret<[UInt8]>?
    /// What strangers get.
    package var limits = HTTPLimits()
    /// How many bytes of bodies may wait.
    package var waitingBytesMax = WebhookLimits.waitingBytesMax

    /// A listener for everybody, without a secret.
    package init(listen: ListenAddress, transport: Settings.Transport) {
        self.listen = listen
        self.transport = transport
    }

    /// What the configuration file says.
    package init(_ settings: Settings.Webhook) {
        listen = settings.listen
        transport = settings.transport
        allowedSources = settings.allowedSources
        trustedProxies = settings.trustedProxies
        pathSecret = settings.pathSecret
    }
}

/// The HTTPS door for notifications.
package final class WebhookListener: Sendable {
    private let listener: HTTPListener
    private let sources: SourcePolicy

    /// The port it is bound to.
    package let boundPort: Int
    /// Whether it speaks TLS.
    package let isSecure: Bool

    private init(
        listener: HTTPListener,
        sources: SourcePolicy,
        boundPort: Int,
        isSecure: Bool
    ) {
        self.listener = listener
        self.sources = sources
        self.boundPort = boundPort
        self.isSecure = isSecure
    }

    /// Binds, and serves `routes` until drained.
    ///
    /// Throws if the address or the TLS files cannot be used.
    package static func start(
        configuration: WebhookConfiguration,
        metrics: Metrics,
        logger: Logger,
        group: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton,
        routes: [WebhookRoute]
    ) async throws -> WebhookListener {
        let sources = SourcePolicy(
            allowed: configuration.allowedSources,
            own: routes.map(\.allowedSources),
            proxies: configuration.trustedProxies
        )
        let identity = try PreparedTLS(configuration.transport)
        if identity == nil {
            logger.info(
                "The webhook listener speaks plain HTTP: a TLS proxy must stand in front of it",
                fields: [.address: "\(configuration.listen)"]
            )
        }
        let service = WebhookService(
            routes: WebhookRoutes(routes, pathSecret: configuration.pathSecret),
            sources: sources,
            budget: BodyBudget(bytesMax: configuration.waitingBytesMax),
            metrics: metrics,
            logger: logger
        )
        var limits = configuration.limits
        limits.requestBytesMax = routes.reduce(limits.requestBytesMax) { longest, route in
            max(longest, route.bodyBytesMax * HTTPServerLimits.chunkedBytesEach)
        }
        let listener = HTTPListener(
            name: "webhook",
            service: service,
            limits: limits,
            tls: identity,
            metrics: metrics
        ) { sources.welcome($0) }
        // As long as those of the lane that these threads pass notifications on to.
        for loop in group.makeIterator() { loop.execute { NamedThread.takeShortTurns() } }
        try await listener.start(at: configuration.listen, group: group)
        return WebhookListener(
            listener: listener,
            sources: sources,
            boundPort: listener.boundPort ?? configuration.listen.port,
            isSecure: identity != nil
        )
    }

    /// Serves `identity` to connections that come from now on.
    ///
    /// Has no effect where the listener speaks plain HTTP, because a proxy in front speaks TLS.
    package func adopt(_ identity: PreparedTLS) {
        listener.adopt(identity)
    }

    /// Replaces the allowed sources and the trusted proxies; `own` has the sources of each route,
    /// in the order of the routes.
    package func reload(
        allowedSources: [AddressRange],
        own: [RouteSources],
        trustedProxies: [AddressRange]
    ) {
        sources.replace(allowed: allowedSources, own: own, proxies: trustedProxies)
    }

    /// Accepts no more connections, lets requests that have begun end within `seconds`, then
    /// closes.
    package func drain(seconds: Double) async {
        await listener.drain(seconds: seconds)
    }
}

/// The rules of the webhook, put together.
private struct WebhookService: HTTPService {
    let routes: WebhookRoutes
    let sources: SourcePolicy
    let budget: BodyBudget
    let metrics: Metrics
    let logger: Logger
    let sampler = LogSampler()

    func verdict(on head: HTTPRequestHead, from peer: IPAddress) -> HeadVerdict {
        let (path, query) = HeadRules.split(head.uri)
        let place = routes.place(of: path)
        let forwarded = head.headers["x-forwarded-for"]
        guard let source = sources.source(of: peer, forwardedFor: forwarded, to: place) else {
            return .close(.source)
        }
        if let refusal = HeadRules.refusal(of: head) ?? routes.refusal(of: head) {
            return .refuse(refusal)
        }
        guard let route = routes.route(of: path) else { return .refuse(.notFound) }
        if case .nobody(let note) = route.taker {
            note("\(source)")
            return .refuse(.unavailable)
        }
        let webhook = route.webhook
        var request = HTTPRequest(
            path: path,
            query: query,
            source: "\(source)",
            keepsAlive: head.isKeepAlive && head.version.minor == 1,
            bodyBytesMax: webhook.bodyBytesMax
        )
        for name in webhook.fields { request.keep(name, of: head) }
        request.charge = BodyCharge(to: budget)
        let wantsContinue = head.version.minor == 1 && head.headers.contains(name: "expect")
        return .accept(request, wantsContinue: wantsContinue)
    }

    func reply(to request: HTTPRequest, on loop: any EventLoop) async -> HTTPReply {
        guard let route = routes.route(of: request.path), case .receiver(let receive) = route.taker
        else { return HTTPRefusal.notFound.reply }
        let began = ContinuousClock.now
        let delivery = StoreDelivery(body: request.body, fields: request.fields)
        let answer = await receive(delivery, request.source)
        metrics.webhookDuration.observe(ContinuousClock.now - began)
        var reply = HTTPReply(status: answer.status, body: answer.body)
        if answer.status == 401 {
            reply.headers.add(name: "WWW-Authenticate", value: route.webhook.challenge)
        }
        if answer.status == 503 {
            let seconds = answer.retryAfterSeconds ?? HTTPServerLimits.retryAfterSeconds
            reply.headers.add(name: "Retry-After", value: "\(seconds)")
        }
        return reply
    }

    func noteRefusal(_ refusal: HTTPRefusal) {
        metrics.webhookRefusals.series("\(refusal.status)").increment()
        sampler.debug("Webhook request refused", .status, "\(refusal.status)", to: logger)
    }

    func noteClose(_ reason: CloseReason) {
        metrics.webhookClosed.series(reason.rawValue).increment()
        sampler.debug("Webhook connection closed", .reason, reason.rawValue, to: logger)
    }
}
