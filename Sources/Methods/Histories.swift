import Entitlements
import JSON
import Ledger
import Wire

/// The questions about the past, and about why.
extension MethodWorker {
    /// `explain`: the facts used, the rule that decided, the catalog.
    func explaining(_ params: ParamsView) throws(RPCFailure) -> LateRead {
        let service = service
        let at = try params.pastMoment("at", now: service.now())
        let user = try params.user(under: try awake().policy)
        return .work(.questions) { (reader) throws(RPCFailure) in
            guard let at else {
                return Explanation(try service.view(of: user, reader, whole: true)).object
            }
            return try service.chronicle(of: user, reader) { (chronicle) throws(LedgerFailure) in
                Explanation(try chronicle.view(at: at)).object
            }
        }
    }

    /// `getHistory`: a page of what changed for a user, oldest first.
    func history(_ params: ParamsView) throws(RPCFailure) -> LateRead {
        let user = try params.user(under: try awake().policy)
        let after = try params.position("afterSeq") ?? 0
        let limit = try params.count("limit", max: MethodLimits.historyEventsMax) ?? 100
        let service = service
        return .work(.questions) { (reader) throws(RPCFailure) in
            let (turns, oldest) = try service.settled(reader) { () throws(LedgerFailure) in
                try service.turns(of: user, reader, after: after, limit: Int(limit))
            }
            var page = HistoryPage(limit: Int(limit), bytesMax: service.settings.frameBytesMax)
            page.fill(turns, after: after)
            var result: JSONObject = ["events": .array(page.events)]
            if let oldest { result["oldest"] = RowView.exact(oldest) }
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

    /// Lends the chronicle of `user` to `body`.
    func chronicle<Value>(
        of user: UserID,
        _ reader: LedgerReader,
        _ body: (inout Chronicle) throws(LedgerFailure) -> Value
    ) throws(RPCFailure) -> Value {
        try settled(reader) { () throws(LedgerFailure) in
            var chronicle = try Chronicle(of: user, reader)
            return try body(&chronicle)
        }
    }

    /// Answers what `body` reads of the past.
    fileprivate func settled<Value>(
        _ reader: LedgerReader,
        _ body: () throws(LedgerFailure) -> Value
    ) throws(RPCFailure) -> Value {
        do throws(LedgerFailure) {
            try reader.wake()
            return try reader.settled(body)
        } catch {
            throw RPCFailure(error)
        }
    }
}

extension ParamsView {
    /// A moment that has passed, if it is there.
    func pastMoment(
        _ name: StaticString,
        now: Moment
    ) throws(RPCFailure) -> Moment? {
        guard let moment = try moment(name) else { return nil }
        guard moment <= now else { throw .invalid(name, "is not in the future") }
        return moment
    }

    /// A journal position, if it is there.
    func position(_ name: StaticString) throws(RPCFailure) -> UInt64? {
        switch integer(of: name) {
        case .absent: return nil
        case .value(let seq) where seq >= 0: return UInt64(seq)
        case .wrongType, .value: throw .invalid(name, "is a journal position, 0 or more")
        }
    }
}
