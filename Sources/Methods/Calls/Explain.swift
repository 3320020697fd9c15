import Entitlements
import Ledger
import Wire

extension Call {
    /// `explain`: the facts used, the rule that decided, the catalog; now, or at a past moment.
    static let explain = reading("explain", for: .reader) {
        (worker, params, _) throws(RPCFailure) in
        let service = worker.service
        let at = try params.pastMoment("at", now: service.now())
        let user = try params.user(under: try worker.awake().policy)
        return .work(.questions) { (reader) throws(RPCFailure) in
            guard let at else {
                let view = try service.view(of: user, reader, whole: true)
                guard view.account == nil else { return Explanation(view).object }
                let merger = try service.settled(reader) { () throws(LedgerFailure) in
                    try reader.merger(of: user)
                }
                return Explanation(view, wentInto: merger?.into).object
            }
            return try service.chronicle(of: user, reader) {
                (chronicle) throws(LedgerFailure) in
                Explanation(try chronicle.view(at: at)).object
            }
        }
    }
}
