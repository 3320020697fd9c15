import Entitlements
import JSON
import Ledger
import Signatures
import Wire

/// Credits: asked about, given, spent, put back. Reservations stand in Reservations.swift.
extension MethodWorker {
    /// `consumeCredit`.
    func charging(_ params: ParamsView) throws(RPCFailure) -> PendingWrite {
        let user = try params.user(under: try awake().policy)
        let amount = try params.amount("amount", otherwise: 1)
        let charge = Charge(
            user: user,
            amount: amount,
            key: try params.key(of: user),
            fingerprint: amount == 1 ? Self.chargeOfOne : Self.charge(of: amount)
        )
        return PendingWrite(of: .user(user), .charge(charge)) { (receipt) throws(RPCFailure) in
            guard case .charged(let result, let remaining, let replay) = receipt.outcome else {
                throw RPCFailure(receipt.outcome)
            }
            return [
                "outcome": .string(result.rawValue),
                "creditsRemaining": .integer(remaining),
                "replayed": .bool(replay != nil),
                "seq": .integer(Int64(replay?.seq ?? receipt.seq)),
            ]
        }
    }

    /// What the key of a charge stands for.
    private static func charge(of amount: Int64) -> Digest256 {
        Digest256(of: ["consumeCredit", .integer(amount)])
    }

    /// Of most charges.
    private static let chargeOfOne = charge(of: 1)

    /// `reverseCredits`.
    func reversing(_ params: ParamsView) throws(RPCFailure) -> PendingWrite {
        let user = try params.user(under: try awake().policy)
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

    /// `grantCredits`, and `adjustCredits`, which may also take.
    func crediting(_ params: ParamsView, isAdjustment: Bool) throws(RPCFailure) -> PendingWrite {
        let user = try params.user(under: try awake().policy)
        let amount = try params.signedAmount("amount", mayTake: isAdjustment)
        let until = try params.moment("expiresAt")
        let max = MethodLimits.textBytesMax
        let named = try params.optionalText("source", bytesMax: max)
        let source = named ?? (isAdjustment ? "adjustment" : "grant")
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
                "seq": .integer(Int64(replay?.seq ?? receipt.seq)),
            ]
        }
    }
}

extension MethodService {
    /// `getCredits`.
    func credits(
        of user: UserID,
        _ reader: LedgerReader,
        knowing found: MeasuredAccount
    ) throws(RPCFailure) -> JSONObject {
        let now = now()
        let account: Account?
        do {
            account = try reader.account(of: user, knowing: found)
        } catch {
            throw RPCFailure(error)
        }
        let purse = account?.purse ?? Purse()
        return [
            "balance": .integer(purse.balance(at: now)),
            "held": .integer(purse.held(at: now)),
            "buckets": .array(
                purse.open(at: now)
                    .map { bucket in
                        [
                            "amount": .integer(bucket.amount),
                            "expiresAt": RowView.time(bucket.until),
                            "source": .string(bucket.source),
                        ]
                    }
            ),
        ]
    }
}

extension ParamsView {
    /// `idempotencyKey`, in the scope of `user`.
    func key(of user: UserID) throws(RPCFailure) -> IdempotencyKey {
        let name = try text("idempotencyKey", bytesMax: MethodLimits.keyBytesMax)
        return IdempotencyKey(user, name)
    }

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

extension IdempotencyKey {
    /// The key that a caller wrote `name`.
    init(_ user: UserID, _ name: String) {
        self.init(user: user, digest: Digest256(bytes: Digest.sha256(name)))
    }
}

extension Digest256 {
    /// What a key stands for: the same method and arguments make the same text.
    init(of arguments: JSONValue) {
        self.init(bytes: Digest.sha256(arguments.bytes))
    }
}
