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
    func route(to store: ConfiguredStore) -> WebhookRoute {
        let storefront = store.storefront
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
        let result = reply.outcome.word
        if reply.isGenuine, reply.outcome != .unavailable {
            reconcilers.first { $0.store == storefront.store }?.heardNotification()
        }
        metrics.notifications.series(reply.type, result).increment()
        if let document = reply.unread { unread.keep(document, at: service.wallMilliseconds) }
        var suppressed = 0
        if !reply.isGenuine {
            guard let count = sampler.admit(result) else { return answer }
            suppressed = count
        }
        var fields: [LogKey: String] = [
            .event: "notification", .type: reply.type, .result: result,
            .status: "\(answer.status)", .source: source,
        ]
        if !reply.transactionTail.isEmpty { fields[.transactionLast4] = reply.transactionTail }
        if !reply.detail.isEmpty { fields[.reason] = reply.detail }
        if suppressed > 0 { fields[.suppressed] = "\(suppressed)" }
        logger.info("Notification", fields: fields)
        return answer
    }
}
