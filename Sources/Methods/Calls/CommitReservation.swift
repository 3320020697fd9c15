import Entitlements
import Wire

extension Call {
    /// `commitReservation`: spends what is held, or a part of it; the rest returns.
    static let commitReservation = writing(
        "commitReservation",
        for: .app,
        taking: ["reservation", "amount"]
    ) {
        (worker, params, session) throws(RPCFailure) in
        try worker.ending(params, .committed, session)
    }
}
