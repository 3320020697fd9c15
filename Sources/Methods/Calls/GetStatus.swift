import Ledger
import Wire

extension Call {
    /// `getStatus`: now, or at a past moment, as the daemon knew it then.
    static let getStatus = Call(
        "getStatus",
        for: .reader,
        .question { (worker, params) throws(RPCFailure) in
            let past = try params.pastMoment("at", now: worker.service.now())
            guard let past else { return present }
            return AccountQuestion(isShort: false) {
                (service, user, reader, _) throws(RPCFailure) in
                try service.chronicle(of: user, reader) { (chronicle) throws(LedgerFailure) in
                    try chronicle.view(at: past).status
                }
            }
        }
    )

    private static let present = AccountQuestion {
        (service, user, reader, found) throws(RPCFailure) in
        try service.view(of: user, reader, knowing: found).status
    }
}
