import Entitlements
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

    /// The route on which the notifications of a store come in.
    func route(to storefront: any Storefront) -> WebhookRoute {
        let webhook = storefront.webhook
        return WebhookRoute(paths: webhook.paths, challenge: webhook.challenge) { body, source in
            await reply(to: body, from: source, of: storefront.store)
        }
    }

    /// What to answer; a 200 is written once the notification is on disk.
    private func reply(
        to body: [UInt8],
        from source: String,
        of store: Store
    ) async -> WebhookReply {
        let reply = await service.record(body, from: store)
        let answer = WebhookReply(reply.outcome)
        let result = reply.outcome.word
        if answer.status == 200 { desk?.heardNotification() }
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

extension WebhookReply {
    /// What a store is told.
    fileprivate init(_ outcome: NotificationOutcome) {
        switch outcome {
        case .received(let reception): self = .received(reception.rawValue)
        case .unreadable: self = .received(Reception.ignored.rawValue)
        case .malformed: self = .malformed
        case .unauthorized: self = .unauthorized
        case .unavailable: self = .unavailable
        }
    }
}
