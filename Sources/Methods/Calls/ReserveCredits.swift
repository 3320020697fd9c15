import Entitlements
import JSON
import Ledger
import Wire

extension Call {
    /// `reserveCredits`: sets credits aside for a job whose cost or success is not known yet.
    static let reserveCredits = writing(
        "reserveCredits",
        for: .app,
        taking: ["userId", "idempotencyKey", "amount", "ttlSeconds", "releaseOnDisconnect"]
    ) { (worker, params, session) throws(RPCFailure) in
        let user = try params.user(under: try worker.awake().policy)
        guard let amount = try params.count("amount", max: MethodLimits.amountMax) else {
            throw .invalid("amount", "is missing")
        }
        guard let seconds = try params.count("ttlSeconds", max: MethodLimits.holdSecondsMax) else {
            throw .invalid("ttlSeconds", "is missing")
        }
        let isLease = try params.flag("releaseOnDisconnect") ?? false
        guard session.isLasting || !isLease else {
            throw .invalid("releaseOnDisconnect", "needs a connection that lasts")
        }
        let charge = Charge(
            user: user,
            amount: amount,
            key: try params.key(of: user),
            fingerprint: Digest256(
                of: ["reserveCredits", .integer(amount), .integer(seconds), .bool(isLease)]
            )
        )
        let order = ReservationOrder(
            charge: charge,
            milliseconds: seconds * 1000,
            isLease: isLease,
            // The system's numbers, which no answer before tells anything of.
            id: Reservation.id(of: .random(in: .min ... .max))
        )
        let holds = isLease ? try worker.leases(of: session) : nil
        return PendingWrite(of: .user(user), .reserve(order)) { (receipt) throws(RPCFailure) in
            guard case .reserved(let result, let id, let remaining, let replay) = receipt.outcome
            else { throw RPCFailure(receipt.outcome) }
            if let holds, let id, result == .reserved, replay == nil { holds.add(id) }
            return [
                "outcome": .string(result.rawValue),
                "reservation": id.map { .string(ReservationName.text($0)) } ?? .null,
                "creditsRemaining": .integer(remaining),
                "replayed": .bool(replay != nil),
            ]
        }
    }
}

extension MethodWorker {
    fileprivate func leases(of session: Session) throws(RPCFailure) -> ConnectionHolds {
        if let holds = connectionHolds[session.id] {
            try forgetEnded(of: holds)
            return holds
        }
        let ledger = service.ledger
        let holds = ConnectionHolds { ledger.endLeases($0) }
        connectionHolds[session.id] = holds
        let id = session.id
        session.onClose = { [weak self] in
            holds.endAll()
            self?.connectionHolds[id] = nil
        }
        return holds
    }

    /// Forgets holds that ended without their connection: at most as many stay as are held, and as
    /// many again.
    private func forgetEnded(of holds: ConnectionHolds) throws(RPCFailure) {
        let asked = holds.nextToLookAt()
        guard !asked.isEmpty else { return }
        // A view of this moment, which shows those that were made since the round began.
        reader?.rest()
        let reader = try awake()
        var ended: Set<UInt64> = []
        do throws(LedgerFailure) {
            for id in asked {
                let key = Array(ReservationName.text(id).utf8)
                if try reader.row(key, of: .leases) == nil { ended.insert(id) }
            }
        } catch {
            throw RPCFailure(error)
        }
        holds.forget(ended, of: asked)
    }
}
