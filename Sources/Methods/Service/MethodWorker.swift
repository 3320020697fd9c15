import Entitlements
import JSON
import Ledger
import Telemetry
import Wire

/// Answers the requests of one RPC thread.
///
/// Short reads are answered in place, long ones in a lane. Writes go to the ledger, those of one
/// connection about the same user in their order, and are answered when they are on disk.
final class MethodWorker: FrameWorker {
    let service: MethodService
    let reader: LedgerReader?
    /// Reused for every look-up, so that none allocates.
    ///
    /// One thread's, and lent to one request at a time: nothing that a check of each could find.
    @exclusivity(unchecked) var answer = Answer()
    /// By session: what returns when the connection ends.
    var connectionHolds: [UInt64: ConnectionHolds] = [:]
    /// Writes of this round, sent together: the writer is woken once and decides them in one group.
    var orders: [WriteOrder] = []

    init(_ service: MethodService) {
        self.service = service
        reader = try? LedgerReader(service.ledger)
    }

    func rest() {
        sendOrders()
        reader?.rest()
    }

    /// Hands the round's writes to the ledger.
    func sendOrders() {
        guard !orders.isEmpty else { return }
        service.ledger.submit(orders)
        orders.removeAll(keepingCapacity: true)
    }

    func answer(
        _ request: RequestView,
        from session: Session,
        ticket: ReplyTicket,
        into reply: inout ReplyBuffer
    ) -> Disposition {
        // Most requests by far; whatever else runs is found by its name.
        if let check = service.check, request.isMethod("canRender"),
            request.params.count < 2 || !request.params.names("minSeq")
        {
            return answerCheck(check, request, session, into: &reply)
        }
        guard let called = service.calls.first(where: { request.isMethod($0.call.name) }) else {
            let failure = RPCFailure(.methodNotFound, "There is no such method.")
            notice(failure)
            reply.appendError(failure, id: request.idBytes)
            return .answered
        }
        do throws(RPCFailure) {
            try admit(called.call, request, session)
            if called.call.isRead, let position = try missingPosition(request.params) {
                return try answer(after: position, called, request, session, ticket)
            }
            return try run(called, request, session, ticket, into: &reply)
        } catch {
            called.count(error)
            reply.appendError(error, id: request.idBytes)
            return .answered
        }
    }

    /// `canRender`, called directly: nothing is allocated.
    private func answerCheck(
        _ check: ServedCall,
        _ request: RequestView,
        _ session: Session,
        into reply: inout ReplyBuffer
    ) -> Disposition {
        do throws(RPCFailure) {
            try admit(check.call.role, session)
            try canRender(request, into: &reply)
            check.count()
        } catch {
            check.count(error)
            reply.appendError(error, id: request.idBytes)
        }
        return .answered
    }

    /// First match wins: starting, stopping, the role, an unknown parameter of a write.
    private func admit(
        _ call: Call,
        _ request: RequestView,
        _ session: Session
    ) throws(RPCFailure) {
        try admit(call.role, session, isAlways: call.isAlwaysAnswered)
        if let known = call.parameters, let name = request.params.firstName(notIn: known) {
            throw RPCFailure(
                .invalidParams,
                "There is no such parameter.",
                extra: [("field", .string(String(name.prefix(64))))]
            )
        }
    }

    private func admit(
        _ role: Role,
        _ session: Session,
        isAlways: Bool = false
    ) throws(RPCFailure) {
        if !isAlways {
            switch service.phase {
            case .serving: break
            case .starting: throw RPCFailure(.notReady, "The daemon is starting.")
            case .stopping: throw RPCFailure(.shuttingDown, "The daemon is stopping.")
            }
        }
        if session.caller.role < role {
            throw RPCFailure(
                .permissionDenied,
                "This caller is \(session.caller.role.name); the method is for \(role.name)."
            )
        }
    }

    private func run(
        _ called: ServedCall,
        _ request: RequestView,
        _ session: Session,
        _ ticket: ReplyTicket,
        into reply: inout ReplyBuffer
    ) throws(RPCFailure) -> Disposition {
        let params = request.params
        switch called.call.run {
        case .inPlace(let answer):
            try answer(self, request, &reply)
            called.count()
            return .answered
        case .question(let ask):
            let question = try ask(self, params)
            return try answer(question, called, request, session, ticket, into: &reply)
        case .read(let ask):
            let read = try ask(self, params, session)
            return later(read, LateAnswer(called, request, session, ticket))
        case .errand(let errand, let ask):
            let client = try service.client { $0.errands.contains(errand) }
            let read = try ask(self, params, session, client)
            return later(read, LateAnswer(called, request, session, ticket))
        case .write(let make):
            let write = try make(self, params, session)
            return try later(write, LateAnswer(called, request, session, ticket))
        case .watch(let begin):
            guard session.isLasting else {
                throw RPCFailure(.invalidRequest, "Watching needs a connection that lasts.")
            }
            try begin(self, params, LateAnswer(called, request, session, ticket))
            return .later
        }
    }

    /// The reader, awake; its policy is the one in force.
    func awake() throws(RPCFailure) -> LedgerReader {
        guard let reader else {
            throw RPCFailure(.internalError, "There are too many readers of the views.")
        }
        do {
            try reader.wake()
        } catch {
            throw RPCFailure(error)
        }
        return reader
    }

    func notice(_ refusal: RPCFailure) {
        service.metrics.rpcRequests.series("other", refusal.name).increment()
    }
}

extension ReplyBuffer {
    /// Appends the whole response to `request`.
    mutating func appendResult(_ result: JSONObject, of request: RequestView) {
        beginResult(id: request.idBytes)
        appendObject(result)
        endResult()
    }
}
