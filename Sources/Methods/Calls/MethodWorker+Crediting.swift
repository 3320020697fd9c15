import Entitlements
import JSON
import Ledger
import Wire

extension MethodWorker {
    /// `grantCredits`, and `adjustCredits`, which may also take.
    func crediting(_ params: ParamsView, isAdjustment: Bool) throws(RPCFailure) -> PendingWrite {
        let user = try params.user(under: try awake().policy)
        let amount = try params.signedAmount("amount", mayTake: isAdjustment)
        let until = try params.moment("expiresAt")
        let max = MethodLimits.textBytesMax
        let named = try params.optionalText("source", bytesMax: max)
        let source = named ?? (isAdjustment ? "adjustment" : "grant")
        // A merge keeps such credits once, as those of one person who registered twice.
        guard source != Bucket.freeSource || amount < 0 else {
            throw .invalid(
                "source",
                "is another word than free, which is the source at registration"
            )
        }
        let reason = try params.optionalText("reason", bytesMax: max) ?? ""
        let method: JSONValue = isAdjustment ? "adjustCredits" : "grantCredits"
        let order = CreditOrder(
            user: user,
            amount: amount,
            key: try params.key(of: user),
            fingerprint: Digest256(
                of: [
                    method, .integer(amount), .integer(until?.milliseconds ?? .max),
                    .string(source), .string(reason),
                ]
            ),
            until: until,
            source: source,
            reason: reason,
            isAdjustment: isAdjustment
        )
        return PendingWrite(of: .user(user), .credit(order)) { (receipt) throws(RPCFailure) in
            guard case .credited(let remaining, let replay) = receipt.outcome else {
                throw RPCFailure(receipt.outcome)
            }
            return [
                "creditsRemaining": .integer(remaining),
                "replayed": .bool(replay != nil),
                "seq": .integer(receipt.position(ofFirst: replay?.seq)),
            ]
        }
    }
}

extension ParamsView {
    /// An amount that must be there; below 0 only where it may take.
    fileprivate func signedAmount(
        _ name: StaticString,
        mayTake: Bool
    ) throws(RPCFailure) -> Int64 {
        let max = MethodLimits.amountMax
        if case .value(let amount) = integer(of: name), amount != 0 {
            if (1...max).contains(amount) { return amount }
            if mayTake, (-max ... -1).contains(amount) { return amount }
        }
        throw .invalid(
            name,
            mayTake
                ? "is a whole number from -\(max) to \(max), and not 0"
                : "is a whole number from 1 to \(max)"
        )
    }
}
