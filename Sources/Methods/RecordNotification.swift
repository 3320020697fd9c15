import Entitlements
import JSON
import Ledger
import Signatures

/// What a notification's sender is told, and what the log may say of it.
package struct NotificationReply: Sendable {
    /// The HTTP status.
    package let status: Int
    /// The body, as JSON.
    package let body: String
    /// When to come again, where a retry is wanted.
    package let retryAfterSeconds: Int?
    /// The store's word for what happened; `none` where the notification is not genuine.
    package let type: String
    /// What became of it, for metrics and the log.
    package let result: String
    /// Whether it was shown to be a store's word.
    package let isGenuine: Bool
    /// The last four characters of the transaction id.
    package let transactionTail: String
    /// Why it was refused, for the log.
    package let detail: String
    /// The document, where it is genuine and nothing could be made of it: somebody should look.
    package let unread: [UInt8]?

    fileprivate init(
        _ status: Int,
        _ body: String,
        result: String,
        isGenuine: Bool = false,
        type: String = "none",
        tail: String = "",
        detail: String = "",
        retryAfter: Int? = nil,
        unread: [UInt8]? = nil
    ) {
        self.status = status
        self.body = body
        self.result = result
        self.isGenuine = isGenuine
        self.type = type
        transactionTail = tail
        self.detail = detail
        retryAfterSeconds = retryAfter
        self.unread = unread
    }
}

extension MethodService {
    /// What the clock says, in milliseconds since 1970.
    package var wallMilliseconds: Int64 { now().milliseconds }

    /// Takes in the body of a notification; answers once it is on disk.
    package func record(_ body: [UInt8]) async -> NotificationReply {
        guard let storefront, phase != .stopping else {
            return .unavailable("stopping, or no store is configured")
        }
        // What is surely none takes no worker's time, nor a place before the store's word.
        guard Self.mayBeObject(body) else { return .malformed }
        return await withCheckedContinuation { continuation in
            let runs = lanes[.webhooks]
                .run(for: nil) { _ in
                    guard let payload = Self.signedPayload(in: body) else {
                        continuation.resume(returning: .malformed)
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
            answer(.unauthorized("\(fault.rawValue): \(detail)"))
        case .unreadable(let type, let detail): answer(.unread(payload, type, detail))
        case .foreign(let type): answer(.received(.ignored, type: type, tail: ""))
        case .genuine(let notification):
            let tail = notification.facts.first?.transaction?.id.suffix(4) ?? ""
            ledger.submit(.record(notification)) { result in
                switch result {
                case .failure(let failure):
                    answer(.unavailable("\(failure)", isGenuine: true))
                case .success(let receipt):
                    guard case .recorded(let reception) = receipt.outcome else {
                        preconditionFailure("a notification is answered with its reception")
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

    /// The three segments of `signedPayload`, or nil where the body is not what Apple sends.
    private static func signedPayload(in body: [UInt8]) -> [UInt8]? {
        guard body.count <= MethodLimits.notificationBytesMax,
            let value = try? JSONValue.parse(body),
            let text = value.object?["signedPayload"]?.string
        else { return nil }
        let bytes = Array(text.utf8)
        return Segments.dots(in: bytes).count == 2 ? bytes : nil
    }
}

extension NotificationReply {
    fileprivate static let malformed = NotificationReply(
        400,
        #"{"error":"malformed"}"#,
        result: "malformed"
    )

    fileprivate static func unauthorized(_ detail: String) -> NotificationReply {
        NotificationReply(
            401,
            #"{"error":"unauthorized"}"#,
            result: "unauthorized",
            detail: detail
        )
    }

    fileprivate static func unavailable(
        _ detail: String,
        isGenuine: Bool = false
    ) -> NotificationReply {
        NotificationReply(
            503,
            #"{"error":"unavailable"}"#,
            result: "unavailable",
            isGenuine: isGenuine,
            detail: detail,
            retryAfter: MethodLimits.retryAfterSeconds
        )
    }

    /// It comes again and again if it is not taken; what it says stands in none of the views.
    fileprivate static func unread(
        _ payload: [UInt8],
        _ type: String,
        _ detail: String
    ) -> NotificationReply {
        NotificationReply(
            200,
            #"{"success":true,"received":true,"result":"\#(Reception.ignored.rawValue)"}"#,
            result: "unreadable",
            isGenuine: true,
            type: type,
            detail: detail,
            unread: payload
        )
    }

    fileprivate static func received(
        _ reception: Reception,
        type: String,
        tail: String
    ) -> NotificationReply {
        NotificationReply(
            200,
            #"{"success":true,"received":true,"result":"\#(reception.rawValue)"}"#,
            result: reception.rawValue,
            isGenuine: true,
            type: type,
            tail: tail
        )
    }
}
