/// The fixed values of labels.
///
/// Nothing that a stranger sends becomes a label.
package enum MetricLabels {
    /// `ok`, and the words of `data.code` in errors.
    package static let rpcCodes = [
        "ok",
        "parse_error", "invalid_request", "method_not_found", "invalid_params",
        "internal_error",
        "permission_denied", "not_ready", "shutting_down", "storage_full",
        "verification_failed", "ownership_conflict", "claim_mismatch",
        "idempotency_mismatch", "not_found", "overloaded", "behind",
    ]

    /// Apple's notification types; `other` stands for a genuine one that is unknown, `none` for
    /// a notification that was not shown to be genuine.
    package static let notificationTypes = [
        "SUBSCRIBED", "DID_RENEW", "DID_CHANGE_RENEWAL_PREF", "DID_CHANGE_RENEWAL_STATUS",
        "DID_FAIL_TO_RENEW", "GRACE_PERIOD_EXPIRED", "EXPIRED", "OFFER_REDEEMED",
        "PRICE_INCREASE", "PRICE_CHANGE", "REFUND", "REFUND_DECLINED", "REFUND_REVERSED",
        "CONSUMPTION_REQUEST", "RENEWAL_EXTENDED", "RENEWAL_EXTENSION", "REVOKE",
        "ONE_TIME_CHARGE", "TEST", "EXTERNAL_PURCHASE_TOKEN", "RESCIND_CONSENT",
        "METADATA_UPDATE", "MIGRATION",
        "other", "none",
    ]

    /// What became of a notification.
    package static let notificationResults = [
        "applied", "stale", "duplicate", "ignored", "accepted", "unreadable", "malformed",
        "unauthorized",
        "unavailable",
    ]

    /// Status codes that the listener answers by itself, before anybody looks at the body.
    package static let refusalStatuses = [
        "400", "404", "405", "408", "413", "415", "417", "431", "501", "503", "505",
    ]

    /// Status codes of the HTTPS door.
    package static let replyStatuses = [
        "200", "204", "400", "401", "403", "404", "405", "408", "413", "415", "417", "429", "431",
        "500", "501", "503", "505",
    ]

    /// Why a connection of the webhook listener, or of the HTTPS door, was closed without an
    /// answer.
    package static let closeReasons = [
        "source", "source_max", "connections_max", "evicted", "handshake", "silent",
        "write_timeout",
    ]

    /// What became of a pruning.
    package static let pruneResults = ["pruned", "nothing", "later", "no_space", "failed"]

    /// What became of what an outbox tells.
    package static let outboxResults = ["delivered", "failed", "parked", "skipped"]

    /// What may run out of space.
    package static let spaces = ["map", "disk"]

    /// What a scrub reads.
    package static let scrubPlaces = ["views", "base", "journal"]

    /// The doors.
    package static let listeners = ["app", "admin", "webhook", "metrics", "api"]

    /// Why a request was turned away under load.
    package static let shedReasons = [
        "write_queue", "connections", "outbound", "unread", "frame_timeout",
        "incomplete_frames", "caller_bytes", "total_bytes", "refused",
    ]

    /// The doors at which methods are called.
    package static let callers = ["app", "admin", "api"]

    /// What waits on them.
    package static let waitingKinds = ["unread", "half_read", "unanswered", "watched"]
    /// Why a store still waits to hear of a purchase.
    package static let unheard = ["untold", "unclaimed"]
    /// The lanes in which methods do what takes longer than a look-up.
    package static let lanes = [
        "webhooks", "webhooks_long", "purchases", "questions", "rows", "upkeep", "answers",
    ]

    /// What a signature turned out to be.
    package static let verdicts = ["genuine", "forged", "undecided"]

    /// How something that was tried ended.
    package static let results = ["ok", "failed"]

    /// The store's environments.
    package static let environments = ["Production", "Sandbox"]

    /// Why a request to the store's API came to nothing.
    package static let storeFailures = ["unreachable", "limited"]

    /// What a walk through the notification history goes through.
    package static let walkKinds = ["history", "failures"]

    /// What became of what the store's API answered.
    package static let reconciled = ["applied", "refused"]
}
