import Wire

extension Call {
    /// `adjustCredits`: gives credits, or takes some, down to 0.
    static let adjustCredits = writing(
        "adjustCredits",
        for: .support,
        taking: ["userId", "amount", "idempotencyKey", "expiresAt", "source", "reason"]
    ) { (worker, params, _) throws(RPCFailure) in
        try worker.crediting(params, isAdjustment: true)
    }
}
