import Entitlements
import Ledger
import Wire

extension MethodWorker {
    /// `commitReservation` and `releaseReservation`.
    func ending(
        _ params: ParamsView,
        _ kind: Reservation.Ending.Kind,
        _ session: Session
    ) throws(RPCFailure) -> PendingWrite {
        let name = try params.text("reservation", bytesMax: 64)
        guard let id = ReservationName.id(name) else { throw RPCFailure(Outcome.holdUnknown) }
        var amount: Int64?
        if kind == .committed {
            amount = try params.count("amount", max: MethodLimits.amountMax)
        }
        let order = ReservationEnd(id: id, kind: kind, amount: amount)
        let holds = connectionHolds[session.id]
        return PendingWrite(of: .reservation(id), .endReservation(order)) {
            (receipt) throws(RPCFailure) in
            guard case .holdEnded(let kind, let remaining) = receipt.outcome else {
                throw RPCFailure(receipt.outcome)
            }
            holds?.remove(id)
            return ["outcome": .string(kind.word), "creditsRemaining": .integer(remaining)]
        }
    }
}
