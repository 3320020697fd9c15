import Entitlements
import JSON
import Ledger
import Wire

extension Call {
    /// `getHistory`: a page of what changed for a user, oldest first.
    static let getHistory = reading("getHistory", for: .reader) {
        (worker, params, _) throws(RPCFailure) in
        let user = try params.user(under: try worker.awake().policy)
        let after = try params.position("afterSeq") ?? 0
        let limit = try params.count("limit", max: MethodLimits.historyEventsMax) ?? 100
        let service = worker.service
        return .work(.questions) { (reader) throws(RPCFailure) in
            let (turns, oldest) = try service.settled(reader) { () throws(LedgerFailure) in
                try service.turns(of: user, reader, after: after, limit: Int(limit))
            }
            var page = HistoryPage(limit: Int(limit), bytesMax: service.settings.frameBytesMax)
            page.fill(turns, after: after)
            var result: JSONObject = ["events": .array(page.events)]
            if let oldest { result["oldest"] = .exact(oldest) }
            return result
        }
    }
}

extension MethodService {
    /// What changed for `user`, and for the accounts that went into theirs until they did, in the
    /// order of the journal.
    ///
    /// Nothing of an account that went into another: it is told with that one.
    fileprivate func turns(
        of user: UserID,
        _ reader: LedgerReader,
        after place: UInt64,
        limit: Int
    ) throws(LedgerFailure) -> (turns: [Chronicle.Turn], oldest: Moment?) {
        guard try reader.merger(of: user) == nil else { return ([], nil) }
        var turns: [Chronicle.Turn] = []
        var oldest: Moment?
        for name in [user] + (try reader.account(of: user)?.formers ?? []) {
            var chronicle = try Chronicle(of: name, reader)
            turns += try chronicle.turns(until: now(), after: place, limit: limit)
                .filter { $0.step?.ends(name) != true }
            oldest = oldest ?? chronicle.oldest
        }
        return (turns.sorted { $0.seq < $1.seq }, oldest)
    }
}
