import Wire

extension Call {
    /// `grantCredits`: gives credits.
    static let grantCredits = writing(
        "grantCredits",
        for: .support,
        taking: ["userId", "amount", "idempotencyKey", "expiresAt", "source", "reason"]
    ) { (worker, params, _) throws(RPCFailure) in
        try worker.crediting(params, isAdjustment: false)
    }
}
