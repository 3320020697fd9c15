import Entitlements
import Logging
import Methods
import Reconciler
import Telemetry
import Webhooks

/// Brings a notification from the webhook listener to the methods, counts it, and logs one event.
///
/// What is not known to be a store's word is counted each time and logged a few times a minute.
struct NotificationDoor: Sendable {
    let service: MethodService
    let reconcilers: [Reconciler]
    let metrics: Metrics
    let logger: Logger
    let unread: UnreadDocuments
    let sampler = LogSampler()

    /// The route on which the notifications of a store come in.
    ///
    /// A store that is not configured is asked to come again before a body is read: strangers would
    /// fill memory with bodies that nobody wants.
    func route(to store: ConfiguredStore) -> WebhookRoute {
        let storefront = store.storefront
        guard storefront.hasApps else {
            return WebhookRoute(closed: storefront.webhook) { source in
                let detail = "no store is configured"
                note(NotificationReply(outcome: .unavailable, detail: detail), 503, from: source)
            }
        }
        return WebhookRoute(
            storefront.webhook,
            allowedSources: store.allowedSources
        ) { delivery, source in
            await reply(to: delivery, from: source, of: storefront)
        }
    }

    /// What to answer; a 200 is written once the notification is on disk.
    private func reply(
        to delivery: StoreDelivery,
        from source: String,
        of storefront: any Storefront
    ) async -> WebhookReply {
        let reply = await service.record(delivery, from: storefront.store)
        let answer = storefront.reply(to: reply.outcome)
        if reply.isGenuine, reply.outcome != .unavailable {
            reconcilers.first { $0.store == storefront.store }?.heardNotification()
        }
        if let document = reply.unread { unread.keep(document, at: service.wallMilliseconds) }
        note(reply, answer.status, from: source)
        return answer
    }

    private func note(_ reply: NotificationReply, _ status: Int, from source: String) {
        let result = reply.outcome.word
        metrics.notifications.series(reply.type, result).increment()
        var suppressed = 0
        if !reply.isGenuine {
            guard let count = sampler.admit(result) else { return }
            suppressed = count
        }
        var fields: [LogKey: String] = [
            .event: "notification", .type: reply.type, .result: result,
            .status: "\(status)", .source: source,
        ]
        if !reply.transactionTail.isEmpty { fields[.transactionLast4] = reply.transactionTail }
        if !reply.detail.isEmpty { fields[.reason] = reply.detail }
        if suppressed > 0 { fields[.suppressed] = "\(suppressed)" }
        logger.info("Notification", fields: fields)
    }
}
