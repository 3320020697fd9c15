import JSON

/// Results as proto/openrpc.json describes them.
enum Samples {
    static let subscription: JSONValue = [
        "status": "subscribed", "productId": "com.example.yearly", "pendingProductId": nil,
        "store": "app_store", "environment": "Production", "originalTransactionId": "1000",
        "transactionId": "1001", "purchasedAt": "2026-02-15T10:00:00.000Z",
        "expiresAt": "2026-03-15T10:00:00.001Z", "gracePeriodExpiresAt": nil, "autoRenew": true,
        "isTrial": false, "cancelledAt": nil, "revokedAt": nil, "stale": false,
    ]

    static let limits: JSONValue = [
        "storageBytes": 107_374_182_400, "retentionDays": nil, "quality": "4k", "share": true,
        "speed": JSONNumber(1.5).map { .number($0) } ?? nil,
    ]

    static let status: JSONValue = [
        "userId": "alice", "state": "subscribed", "canRender": true, "isSubscriber": true,
        "hadSubscription": true, "creditsRemaining": 3, "plan": "premium", "tier": "paid",
        "limits": limits,
        "subscriptionMethod": "app_store_subscription",
        "expiresAt": "2026-03-15T10:00:00.001Z", "nextChangeAt": "2026-03-15T10:00:00.001Z",
        "paywall": "none", "duplicateSubscriptions": true, "subscription": subscription,
        "seq": 42,
    ]

    static let noAccount: JSONValue = [
        "userId": "nobody", "state": "no_account", "canRender": false, "isSubscriber": false,
        "hadSubscription": false, "creditsRemaining": 0, "plan": nil, "tier": "free",
        "limits": [:], "subscriptionMethod": nil, "expiresAt": nil, "nextChangeAt": nil,
        "paywall": "subscribe", "duplicateSubscriptions": false, "subscription": nil, "seq": 42,
    ]

    static let entitlement: JSONValue = [
        "isActive": true, "productId": "com.example.yearly",
        "expiresAt": "2026-03-15T10:00:00.001Z", "originalTransactionId": "1000",
        "environment": "Production",
    ]

    static func error(_ code: Int64, _ name: String, retryable: Bool = false) -> JSONValue {
        [
            "code": .integer(code), "message": "one sentence",
            "data": ["code": .string(name), "retryable": .bool(retryable)],
        ]
    }
}
