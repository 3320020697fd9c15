import Entitlements
import JSON

/// Credits on the core, answered in the shapes of proto/openrpc.json.
extension CoreStage {
    /// Does what `deed` says to the credits of `user`.
    mutating func perform(_ deed: CreditDeed, of user: UserID, _ act: ScenarioAct) -> JSONValue {
        let name = { (key: String) in
            IdempotencyKey(user: user, digest: Digest256(fingerprintOf: Array(key.utf8)))
        }
        let fingerprint = Digest256(fingerprintOf: Array("\(deed)".utf8))
        switch deed {
        case .give(let amount, let key, let until, let source, let isAdjustment):
            let order = CreditOrder(
                user: user,
                amount: amount,
                key: name(key),
                fingerprint: fingerprint,
                until: until == .distantFuture ? nil : until,
                source: source ?? (isAdjustment ? "adjustment" : "grant"),
                reason: "",
                isAdjustment: isAdjustment
            )
            return reply(to: .credit(order), act)
        case .consume(let amount, let key):
            let charge = Charge(
                user: user,
                amount: amount,
                key: name(key),
                fingerprint: fingerprint
            )
            return reply(to: .charge(charge), act)
        case .reserve(let amount, let key, let seconds, let isLease):
            let charge = Charge(
                user: user,
                amount: amount,
                key: name(key),
                fingerprint: fingerprint
            )
            let order = ReservationOrder(
                charge: charge,
                milliseconds: seconds * 1000,
                isLease: isLease,
                id: Limits.positionMax + 1 + UInt64(ledger.journal.count)
            )
            let answer = reply(to: .reserve(order), act)
            if let id = answer["reservation"]?.int64 { reservations[name(key)] = UInt64(id) }
            return answer
        case .commit(let key, let amount):
            return end(name(key), .committed, amount, act)
        case .release(let key): return end(name(key), .released, nil, act)
        case .disconnect(let key): return end(name(key), .disconnected, nil, act)
        case .reverse(let key, let charge):
            let reversal = Reversal(
                user: user,
                key: name(key),
                fingerprint: fingerprint,
                charge: name(charge)
            )
            return reply(to: .reverse(reversal), act)
        }
    }

    private mutating func end(
        _ key: IdempotencyKey,
        _ kind: Reservation.Ending.Kind,
        _ amount: Int64?,
        _ act: ScenarioAct
    ) -> JSONValue {
        // A reservation that was never made has an id that none has.
        let end = ReservationEnd(id: reservations[key] ?? 0, kind: kind, amount: amount)
        return reply(to: .endReservation(end), act)
    }

    /// `getCredits`.
    func credits(of user: UserID, _ act: ScenarioAct) -> JSONValue {
        let purse = ledger.accounts[user]?.purse ?? Purse()
        let buckets = purse.open(at: act.at)
            .map { bucket -> JSONValue in
                [
                    "amount": .integer(bucket.amount), "expiresAt": .moment(bucket.until),
                    "source": .string(bucket.source),
                ]
            }
        return [
            "balance": .integer(purse.balance(at: act.at)),
            "held": .integer(purse.held(at: act.at)),
            "buckets": .array(buckets),
        ]
    }

    /// The answer that `outcome` is; nil where it is not about credits.
    static func reply(aboutCredits outcome: Outcome) -> JSONValue? {
        switch outcome {
        case .credited(let remaining, let replay):
            ["creditsRemaining": .integer(remaining), "replayed": .bool(replay != nil)]
        case .charged(let result, let remaining, let replay):
            [
                "outcome": .string(result.rawValue), "creditsRemaining": .integer(remaining),
                "replayed": .bool(replay != nil),
            ]
        case .reserved(let result, let id, let remaining, let replay):
            [
                "outcome": .string(result.rawValue),
                "reservation": id.map { .integer(Int64($0)) } ?? .null,
                "creditsRemaining": .integer(remaining), "replayed": .bool(replay != nil),
            ]
        case .holdEnded(let kind, let remaining):
            ["outcome": .string(word(for: kind)), "creditsRemaining": .integer(remaining)]
        case .reversed(let isReversed, let remaining, let replay):
            [
                "outcome": isReversed ? "reversed" : "nothing",
                "creditsRemaining": .integer(remaining), "replayed": .bool(replay != nil),
            ]
        case .holdUnknown, .chargeUnknown: error("not_found")
        case .holdSmaller: error("invalid_params")
        case .purseFull: error("invalid_params")
        default: nil
        }
    }

    private static func word(for kind: Reservation.Ending.Kind) -> String {
        switch kind {
        case .committed: "committed"
        case .released, .disconnected: "released"
        case .expired: "expired"
        }
    }
}
