import Entitlements
import JSON

/// Reads what all replies of the App Store Server API have in common: errors and pauses
/// (docs/app-store-facts.md, "App Store Server API").
enum AppStoreReplies {
    /// The JSON object in a reply; an empty body is an empty one.
    static func object(in reply: StoreReply) throws(StoreAPIFailure) -> JSONValue {
        guard let object = value(of: reply) else {
            throw StoreAPIFailure(
                .malformed,
                code: Int64(reply.status),
                "an answer that is no JSON object"
            )
        }
        return object
    }

    /// Apple's number of the error in a reply.
    static func code(in reply: StoreReply) -> Int64? { value(of: reply)?["errorCode"]?.int64 }

    /// The failure that a reply states.
    static func failure(in reply: StoreReply, at now: Moment) -> StoreAPIFailure {
        let body = value(of: reply)
        let code = body?["errorCode"]?.int64
        let detail = body?["errorMessage"]?.string.map(cut) ?? "HTTP \(reply.status)"
        let kind = reply.status >= 500 ? .unreachable : kind(of: code, status: reply.status)
        return StoreAPIFailure(
            kind,
            code: code ?? Int64(reply.status),
            detail,
            retryAfter: kind == .limited ? pause(reply.field("Retry-After"), at: now) : nil
        )
    }

    /// The failure for an answer in which `member` is missing or has another type.
    static func shapeless(_ member: String) -> StoreAPIFailure {
        StoreAPIFailure(.malformed, "an answer without a right \(member)")
    }

    /// The kind of failure that Apple's `code` means, or, for a code that does not decide, the HTTP
    /// status.
    private static func kind(of code: Int64?, status: Int) -> StoreAPIFailure.Kind {
        switch code {
        case 4_290_000: return .limited
        case 5_000_000, 5_000_001, 4_040_002, 4_040_004, 4_040_006: return .unreachable
        case 4_000_014, 4_000_017: return .pagingExpired
        case 4_040_001, 4_040_003, 4_040_005, 4_040_010: return .unknown
        default: break
        }
        switch status {
        case 429: return .limited
        case 408: return .unreachable
        case 401: return .unauthorized
        case 403: return code == nil ? .unauthorized : .refused
        default: return .refused
        }
    }

    /// The pause that `Retry-After` asks for, in ms.
    ///
    /// Apple writes a moment in UNIX milliseconds ("Identifying rate limits" in its pages on the
    /// App Store Server API). Proxies write seconds to wait. The two can be told apart: as seconds,
    /// a moment would be a pause of more than 30 years.
    private static func pause(_ header: String?, at now: Moment) -> Int64? {
        guard let header, let number = Int64(header), number >= 0 else { return nil }
        return number < 1_000_000_000 ? number * 1_000 : number - now.milliseconds
    }

    private static func value(of reply: StoreReply) -> JSONValue? {
        if reply.body.isEmpty { return .object([:]) }
        guard let value = try? JSONValue.parse(reply.body), value.object != nil else {
            return nil
        }
        return value
    }

    /// The store's text, shortened and cleaned so that it cannot forge a log line.
    private static func cut(_ text: String) -> String {
        let bytes = text.utf8.prefix(200).map { (0x20...0x7e).contains($0) ? $0 : 0x3f }
        return String(decoding: bytes, as: UTF8.self)
    }
}
