import Entitlements
import Ledger

extension MethodService {
    /// What the clock says, in milliseconds since 1970.
    package var wallMilliseconds: Int64 { now().milliseconds }

    /// Takes in the body of a notification of `store`; answers once it is on disk.
    package func record(_ body: [UInt8], from store: Store) async -> NotificationReply {
        guard phase != .stopping, let storefront = storefront(of: store), storefront.hasApps else {
            return .unavailable("stopping, or no store is configured")
        }
        // A body that cannot be a notification takes neither a worker's time nor a place in the
        // queue.
        guard Self.mayBeObject(body) else { return NotificationReply(outcome: .malformed) }
        return await withCheckedContinuation { continuation in
            let runs = lanes[.webhooks]
                .run(for: nil) { _ in
                    guard body.count <= MethodLimits.notificationBytesMax,
                        let payload = storefront.payload(ofNotification: body)
                    else {
                        continuation.resume(returning: NotificationReply(outcome: .malformed))
                        return
                    }
                    let verdict = storefront.verdict(onNotification: payload, at: self.now())
                    self.record(verdict, of: payload) { continuation.resume(returning: $0) }
                }
            if !runs { continuation.resume(returning: .unavailable("too many notifications wait")) }
        }
    }

    private func record(
        _ verdict: NotificationVerdict,
        of payload: [UInt8],
        _ answer: @escaping @Sendable (NotificationReply) -> Void
    ) {
        switch verdict {
        case .refused(.futureDate, let detail):
            answer(.unavailable("future_date: \(detail)"))
        case .refused(let fault, let detail):
            let detail = "\(fault.rawValue): \(detail)"
            answer(NotificationReply(outcome: .unauthorized, detail: detail))
        case .unreadable(let type, let detail):
            // It comes again and again if it is not taken; what it says stands in none of the
            // views.
            var reply = NotificationReply(outcome: .unreadable, type: type, isGenuine: true)
            reply.detail = detail
            reply.unread = payload
            answer(reply)
        case .foreign(let type): answer(.received(.ignored, type: type))
        case .genuine(let notification):
            let tail = notification.facts.first?.transaction?.id.suffix(4) ?? ""
            ledger.submit(.record(notification)) { result in
                switch result {
                case .failure(let failure):
                    answer(.unavailable("\(failure)", isGenuine: true))
                case .success(let receipt):
                    guard case .recorded(let reception) = receipt.outcome else {
                        answer(.unavailable("the ledger answered something else"))
                        return
                    }
                    answer(.received(reception, type: notification.type, tail: String(tail)))
                }
            }
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
            outcome: .received(reception),
            type: type,
            isGenuine: true,
            transactionTail: tail
        )
    }
}
