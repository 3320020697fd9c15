import Entitlements
import Ledger

extension MethodService {
    /// What the clock says, in milliseconds since 1970.
    package var wallMilliseconds: Int64 { now().milliseconds }

    /// What stores whose tests are waited for call them.
    private static let testType = "TEST"

    /// Takes in what may be a notification of `store`; answers once it is on disk.
    package func record(
        _ delivery: StoreDelivery,
        from store: Store
    ) async -> NotificationReply {
        guard phase != .stopping, let storefront = storefront(of: store), storefront.hasApps else {
            return .unavailable("stopping, or no store is configured")
        }
        // A body that cannot be a notification takes neither a worker's time nor a place in the
        // queue. Of Google anything is taken that bears its token, or it would come for days.
        guard !storefront.webhook.wantsJSON || Self.mayBeObject(delivery.body),
            delivery.body.count <= storefront.webhook.bodyBytesMax
        else { return NotificationReply(outcome: .malformed) }
        let client = client(of: storefront.store)
        var judgement = await judge(delivery, by: storefront)
        if case .undecided = judgement, let client {
            // What it could not learn leaves the verdict as it is.
            try? await client.upkeep()
            judgement = await judge(delivery, by: storefront)
        }
        let reply: NotificationReply =
            switch judgement {
            case .answered(let reply): reply
            case .undecided(let detail): .unavailable(detail)
            case .announced(let notification, let hint):
                await complete(notification, hint, asking: client)
            }
        if reply.type == Self.testType, case .received(let reception) = reply.outcome,
            reception != .duplicate
        {
            testsHeard.note(store)
        }
        return reply
    }

    /// What became of a delivery in a lane of webhooks.
    private enum Judgement {
        /// It is answered; what it says is on disk.
        case answered(NotificationReply)
        /// The store must be asked what it is about.
        ///
        /// The caller does that: it runs where the delivery came in, and wakes no other thread.
        case announced(Notification, PurchaseHint)
        /// Something is lacking for a verdict.
        case undecided(String)
    }

    private func judge(
        _ delivery: StoreDelivery,
        by storefront: any Storefront
    ) async -> Judgement {
        let isLong = delivery.body.count > MethodLimits.notificationBytesUsual
        return await withCheckedContinuation { continuation in
            let lane = lanes[isLong ? .longWebhooks : .webhooks]
            let runs = lane.run(for: nil) { _ in
                self.take(storefront.verdict(on: delivery, at: self.now()), lane.submit) {
                    continuation.resume(returning: $0)
                }
            }
            guard !runs else { return }
            continuation.resume(returning: .answered(.unavailable("too many notifications wait")))
        }
    }

    private func take(
        _ verdict: NotificationVerdict,
        _ submit: (WriteOrder) -> Void,
        _ answer: @escaping @Sendable (Judgement) -> Void
    ) {
        switch verdict {
        case .malformed: answer(.answered(NotificationReply(outcome: .malformed)))
        case .undecided(let detail): answer(.undecided(detail))
        case .announced(let notification, let hint): answer(.announced(notification, hint))
        case .refused(.futureDate, let detail):
            answer(.answered(.unavailable("future_date: \(detail)")))
        case .refused(let fault, let detail):
            let detail = "\(fault.rawValue): \(detail)"
            answer(.answered(NotificationReply(outcome: .unauthorized, detail: detail)))
        case .unreadable(let type, let detail, let document):
            // It comes again and again if it is not taken; what it says stands in none of the
            // views.
            var reply = NotificationReply(outcome: .unreadable, type: type, isGenuine: true)
            reply.detail = detail
            reply.unread = document
            answer(.answered(reply))
        case .foreign(let type): answer(.answered(.received(.ignored, type: type)))
        case .genuine(let notification): record(notification, submit) { answer(.answered($0)) }
        }
    }

    private func record(
        _ notification: Notification,
        orElse other: Notification? = nil,
        _ submit: (WriteOrder) -> Void,
        _ answer: @escaping @Sendable (NotificationReply) -> Void
    ) {
        let tail = notification.facts.first?.transaction?.id.suffix(4) ?? ""
        let order = WriteOrder(.record(notification)) { result in
            switch result {
            case .failure(let failure):
                answer(.unavailable("\(failure)", isGenuine: true))
            case .success(let receipt):
                guard case .recorded(let reception) = receipt.outcome else {
                    if let other {
                        self.record(other, { self.ledger.submit([$0]) }, answer)
                        return
                    }
                    let detail =
                        "it is about an erased person's purchase: the store must answer first"
                    answer(.unavailable(detail, isGenuine: true))
                    return
                }
                self.follow(notification, reception)
                answer(.received(reception, type: notification.type, tail: String(tail)))
            }
        }
        submit(order)
    }

    /// Asks the store what a notification is about, and keeps both together.
    ///
    /// A purchase about which the store refuses to tell leaves a notification that says nothing: to
    /// repeat it would not help. Where the store does not answer, or nothing that can be read, what
    /// is to be asked is kept, and asked later (`announced`). The same holds where the store does
    /// not know the purchase: not all of its servers may have heard of it yet.
    private func complete(
        _ notification: Notification,
        _ hint: PurchaseHint,
        asking client: (any StoreClient)?
    ) async -> NotificationReply {
        guard let client else {
            return .unavailable("the store's API is not configured", isGenuine: true)
        }
        var told = notification
        do throws(StoreAPIFailure) {
            let purchase = try await client.purchase(
                hint,
                within: MethodLimits.announcementMilliseconds
            )
            let stated: [Fact] = if case .stated(let facts) = purchase { facts } else { [] }
            told = notification.stating(stated)
        } catch {
            let waiting = notification.awaiting(StoreAnnouncement(client.store, hint))
            switch error.kind {
            case .refused: break
            case .unknown: return await keep(waiting, orElse: notification)
            case .unauthorized, .forbidden, .limited, .unreachable, .malformed, .pagingExpired,
                .uncertain, .cancelled:
                told = waiting
            }
        }
        return await keep(told)
    }

    /// Keeps `notification`; where it must not wait, because the purchase is an erased person's,
    /// `other` is kept instead.
    private func keep(
        _ notification: Notification,
        orElse other: Notification? = nil
    ) async -> NotificationReply {
        await withCheckedContinuation { continuation in
            record(notification, orElse: other, { ledger.submit([$0]) }) {
                continuation.resume(returning: $0)
            }
        }
    }

    /// Follows which notifications wait for their store.
    func follow(_ notification: Notification, _ reception: Reception) {
        switch reception {
        case .accepted:
            let waiting = WaitingNotification(notification, received: now())
            announcements.add(waiting, at: ledger.figures.seq)
        case .duplicate where notification.announcement != nil: break
        case .applied, .stale, .duplicate, .ignored: announcements.remove(notification.id)
        }
    }

    /// Whether the first and the last byte that are no space are those of an object; what else is
    /// wrong a worker finds.
    private static func mayBeObject(_ body: [UInt8]) -> Bool {
        body.first { $0 > UInt8(ascii: " ") } == UInt8(ascii: "{")
            && body.last { $0 > UInt8(ascii: " ") } == UInt8(ascii: "}")
    }
}

extension NotificationReply {
    fileprivate static func unavailable(
        _ detail: String,
        isGenuine: Bool = false
    ) -> NotificationReply {
        NotificationReply(outcome: .unavailable, isGenuine: isGenuine, detail: detail)
    }

    fileprivate static func received(
        _ reception: Reception,
        type: String,
        tail: String = ""
    ) -> NotificationReply {
        NotificationReply(
            outcome: reception == .accepted ? .accepted : .received(reception),
            type: type,
            isGenuine: true,
            transactionTail: tail
        )
    }
}
