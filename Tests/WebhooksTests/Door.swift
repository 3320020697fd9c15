import DaemonConfiguration
import Entitlements
import Foundation
import HTTPServer
import Logging
import Synchronization
import Telemetry
import Webhooks

/// A listener under test, with a receiver that remembers and repeats what it got.
final class Door: Sendable {
    let listener: WebhookListener
    let metrics: Metrics
    private let seen: Seen

    final class Seen: Sendable {
        let requests = Mutex<[(body: String, source: String)]>([])
    }

    private init(listener: WebhookListener, metrics: Metrics, seen: Seen) {
        self.listener = listener
        self.metrics = metrics
        self.seen = seen
    }

    var port: Int { listener.boundPort }

    var bodies: [String] { seen.requests.withLock { $0.map(\.body) } }

    var sources: [String] { seen.requests.withLock { $0.map(\.source) } }

    /// Runs `body` against a listener, then drains it.
    static func open(
        _ configuration: WebhookConfiguration = configured { _ in },
        routes: [StoreWebhook] = [Door.webhook("apple")],
        own: [AddressRange]? = nil,
        receiver: NotificationReceiver? = nil,
        _ body: (Door) async throws -> Void
    ) async throws {
        let metrics = Metrics(version: "test")
        let seen = Seen()
        let listener = try await WebhookListener.start(
            configuration: configuration,
            metrics: metrics,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
            routes: routes.enumerated()
                .map { number, webhook in
                    WebhookRoute(
                        webhook,
                        allowedSources: number == 0 ? nil : own
                    ) { delivery, source in
                        let text = String(decoding: delivery.body, as: UTF8.self)
                        seen.requests.withLock { $0.append((text, source)) }
                        if let receiver { return await receiver(delivery, source) }
                        return WebhookReply(status: 200, body: Array("<\(text)>".utf8))
                    }
                }
        )
        let door = Door(listener: listener, metrics: metrics, seen: seen)
        do {
            try await body(door)
        } catch {
            await listener.drain(seconds: 0)
            throw error
        }
        await listener.drain(seconds: 0)
    }

    /// What a store of this name wants.
    static func webhook(
        _ name: String,
        bodyBytesMax: Int = 128 << 10,
        fields: [String] = [],
        wantsJSON: Bool = true
    ) -> StoreWebhook {
        StoreWebhook(
            paths: StoreWebhook.paths(to: name),
            challenge: "JWS realm=\"\(name)\"",
            bodyBytesMax: bodyBytesMax,
            fields: fields,
            wantsJSON: wantsJSON
        )
    }

    func refusals(_ status: Int) -> Int {
        metrics.webhookRefusals.series("\(status)").value
    }

    func closed(_ reason: String) -> Int {
        metrics.webhookClosed.series(reason).value
    }
}

/// Plain HTTP on a port of the kernel's choice, with room for all that a test opens, then changed.
func configured(_ change: (inout WebhookConfiguration) -> Void) -> WebhookConfiguration {
    var configuration = WebhookConfiguration(
        listen: ListenAddress(host: "127.0.0.1", port: 0),
        transport: .plaintext
    )
    configuration.limits.connectionsPerSourceMax = 512
    change(&configuration)
    return configuration
}

/// Waits, on a thread of its own, for what is bound to come.
func wait(until holds: () -> Bool) {
    while !holds() { Thread.sleep(forTimeInterval: 0.002) }
}
