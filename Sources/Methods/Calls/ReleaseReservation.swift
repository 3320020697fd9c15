import Entitlements
import Wire

extension Call {
    /// `releaseReservation`: what is held returns.
    static let releaseReservation = writing(
        "releaseReservation",
        for: .app,
        taking: ["reservation"]
    ) {
        (worker, params, session) throws(RPCFailure) in
        try worker.ending(params, .released, session)
    }
}
