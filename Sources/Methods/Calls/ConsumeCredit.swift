import Entitlements
import JSON
import Ledger
import Wire

extension Call {
    /// `consumeCredit`: spends credits, once for each idempotency key.
    static let consumeCredit = writing(
        "consumeCredit",
        for: .app,
        taking: ["userId", "idempotencyKey", "amount"]
    ) { (worker, params, _) throws(RPCFailure) in
        let user = try params.user(under: try worker.awake().policy)
        let amount = try params.amount("amount", otherwise: 1)
        let charge = Charge(
            user: user,
            amount: amount,
            key: try params.key(of: user),
            fingerprint: amount == 1 ? .chargeOfOne : .charge(of: amount)
        )
        return PendingWrite(of: .user(user), .charge(charge)) { (receipt) throws(RPCFailure) in
            guard case .charged(let result, let remaining, let replay) = receipt.outcome else {
                throw RPCFailure(receipt.outcome)
            }
            return [
                "outcome": .string(result.rawValue),
                "creditsRemaining": .integer(remaining),
                "replayed": .bool(replay != nil),
                "seq": .integer(receipt.position(ofFirst: replay?.seq)),
            ]
        }
    }
}

extension Digest256 {
    /// What the key of a charge stands for.
    fileprivate static func charge(of amount: Int64) -> Digest256 {
        Digest256(of: ["consumeCredit", .integer(amount)])
    }

    /// Of most charges.
    fileprivate static let chargeOfOne = charge(of: 1)
}
