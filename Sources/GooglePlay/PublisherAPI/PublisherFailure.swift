import Entitlements
import JSON

/// The meaning of error replies of the Android Publisher API (Google's page "Standardized error
/// codes").
enum PublisherFailure {
    /// The failure that `reply` states.
    static func failure(of reply: StoreReply) -> StoreAPIFailure {
        let error = (try? JSONValue.parse(reply.body, depthMax: PlayLimits.documentDepthMax))?[
            "error"
        ]
        let reason =
            PlayText.name(error?["errors"]?.array?.first?["reason"]?.string)
            ?? PlayText.name(error?["status"]?.string)
        return StoreAPIFailure(
            kind(reply.status, reason),
            code: Int64(reply.status),
            reason ?? "HTTP \(reply.status)",
            retryAfter: pause(reply)
        )
    }

    /// The failure that `reply` to a question about a purchase token states.
    ///
    /// For a token that it did not issue for this app Google answers 400 or 404, depending on how
    /// the token is written: the only part of such a question that a caller chooses is the token.
    static func failure(aboutToken reply: StoreReply) -> StoreAPIFailure {
        let said = failure(of: reply)
        guard reply.status == 400, said.kind == .refused else { return said }
        return StoreAPIFailure(.unknown, code: said.code, said.detail)
    }

    /// The kind of failure.
    ///
    /// An exceeded quota gives 429, and in some interfaces 403 with a reason.
    private static func kind(_ status: Int, _ reason: String?) -> StoreAPIFailure.Kind {
        switch (status, reason) {
        case (429, _), (403, "rateLimitExceeded"), (403, "userRateLimitExceeded"),
            (403, "quotaExceeded"), (403, "dailyLimitExceeded"), (403, "RESOURCE_EXHAUSTED"):
            .limited
        case (401, _), (403, _): .unauthorized
        case (404, _), (410, _): .unknown
        // `concurrentUpdate`: somebody else is changing the same purchase.
        case (408, _), (409, _), (500..., _): .unreachable
        default: .refused
        }
    }

    /// The pause in milliseconds if Retry-After names seconds; otherwise nil, and the daemon
    /// chooses a pause.
    private static func pause(_ reply: StoreReply) -> Int64? {
        guard let text = reply.field("retry-after"), text.utf8.count <= 6,
            let seconds = Int64(text), seconds >= 0
        else { return nil }
        return max(seconds, 1) * 1_000
    }
}
