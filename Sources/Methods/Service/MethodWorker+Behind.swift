import Entitlements
import JSON
import Ledger
import Wire

// Reads that ask for a position of the journal (`minSeq`). A caller whose write was answered
// elsewhere waits here until the write is reflected, and is told if that takes too long.

extension MethodWorker {
    /// The position that a request asks for and that is not reflected yet; nil where there is
    /// nothing to wait for.
    func missingPosition(_ params: ParamsView) throws(RPCFailure) -> UInt64? {
        guard let wanted = try params.number("minSeq", in: 0...Int64.max).map({ UInt64($0) }) else {
            return nil
        }
        let reader = try awake()
        if reader.seq >= wanted { return nil }
        // The view of this round may be older than what the ledger has.
        reader.rest()
        return try awake().seq >= wanted ? nil : wanted
    }

    /// Answers a read once the ledger has come to `position`, or that it has not.
    ///
    /// What it asks is read out of the frame before, because that is gone by then.
    func answer(
        after position: UInt64,
        _ called: ServedCall,
        _ request: RequestView,
        _ session: Session,
        _ ticket: ReplyTicket
    ) throws(RPCFailure) -> Disposition {
        let read = try lateRead(called, request, session)
        let late = LateAnswer(called, request, session, ticket)
        let service = service
        Task {
            let start = ContinuousClock.now
            while service.ledger.figures.seq < position {
                guard ContinuousClock.now - start < MethodLimits.behindWait else {
                    let failure = RPCFailure(.behind, "This position is not reflected yet.")
                    return late.deliver(.failure(failure))
                }
                try? await Task.sleep(for: MethodLimits.behindStep)
            }
            service.later(read, late)
        }
        return .later
    }

    /// The same question as one that takes its time.
    private func lateRead(
        _ called: ServedCall,
        _ request: RequestView,
        _ session: Session
    ) throws(RPCFailure) -> LateRead {
        let params = request.params
        switch called.call.run {
        case .question(let ask):
            let question = try ask(self, params)
            if let late = question.late { return late }
            let user = try params.user(under: try awake().policy)
            let service = service
            return .work(.questions) { (reader) throws(RPCFailure) in
                try question.reply(service, user, reader, .longer)
            }
        case .read(let ask): return try ask(self, params, session)
        case .errand(let errand, let ask):
            let client = try service.client { $0.errands.contains(errand) }
            return try ask(self, params, session, client)
        case .inPlace: return try lateDecision(request)
        case .write, .watch:
            throw .invalid("minSeq", "is for reads")
        }
    }
}
