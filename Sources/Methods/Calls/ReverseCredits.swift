import Entitlements
import JSON
import Ledger
import Wire

extension Call {
    /// `reverseCredits`: puts back what a charge took, into the buckets that it came from.
    static let reverseCredits = writing(
        "reverseCredits",
        for: .app,
        taking: ["userId", "idempotencyKey", "consumeKey"]
    ) { (worker, params, _) throws(RPCFailure) in
        let user = try params.user(under: try worker.awake().policy)
        let name = try params.text("consumeKey", bytesMax: MethodLimits.keyBytesMax)
        let order = Reversal(
            user: user,
            key: try params.key(of: user),
            fingerprint: Digest256(of: ["reverseCredits", .string(name)]),
            charge: IdempotencyKey(user, name)
        )
        return PendingWrite(of: .user(user), .reverse(order)) { (receipt) throws(RPCFailure) in
            guard case .reversed(let isReversed, let remaining, let replay) = receipt.outcome else {
                throw RPCFailure(receipt.outcome)
            }
            return [
                "outcome": .string(isReversed ? "reversed" : "nothing"),
                "creditsRemaining": .integer(remaining),
                "replayed": .bool(replay != nil),
            ]
        }
    }
}
