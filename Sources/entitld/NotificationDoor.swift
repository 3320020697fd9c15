import Logging
import Methods
import Telemetry
import Webhooks

/// Brings a notification from the webhook listener to the methods, counts it, and logs one event.
///
/// What is not known to be a store's word is counted each time and logged a few times a minute.
struct NotificationDoor: Sendable {
    let service: MethodService
    let desk: StoreDesk?
    let metrics: Metrics
    let logger: Logger
    let unread: UnreadDocuments
    let sampler = LogSampler()

    /// What to answer; a 200 is written once the notification is on disk.
    func reply(to body: [UInt8], from source: String) async -> WebhookReply {
        let reply = await service.record(body)
        if reply.status == 200 { desk?.heardNotification() }
        metrics.notifications.series(reply.type, reply.result).increment()
        if let document = reply.unread { unread.keep(document, at: service.wallMilliseconds) }
        var suppressed = 0
        if !reply.isGenuine {
            guard let count = sampler.admit(reply.result) else { return webhookReply(reply) }
            suppressed = count
        }
        var fields: [LogKey: String] = [
            .event: "notification", .type: reply.type, .result: reply.result,
            .status: "\(reply.status)", .source: source,
        ]
        if !reply.transactionTail.isEmpty { fields[.transactionLast4] = reply.transactionTail }
        if !reply.detail.isEmpty { fields[.reason] = reply.detail }
        if suppressed > 0 { fields[.suppressed] = "\(suppressed)" }
        logger.info("Notification", fields: fields)
        return webhookReply(reply)
    }

    private func webhookReply(_ reply: NotificationReply) -> WebhookReply {
        WebhookReply(
            status: reply.status,
            body: Array(reply.body.utf8),
            retryAfterSeconds: reply.retryAfterSeconds
        )
    }
}
