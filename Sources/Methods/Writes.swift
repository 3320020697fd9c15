import Entitlements
import JSON
import Ledger
import Telemetry
import Wire

/// A write on its way: what must be looked at first, what is asked of the ledger, what is answered.
struct PendingWrite: Sendable {
    /// Whom it concerns: those of one connection that concern the same keep their order.
    let concern: Concern
    /// Makes the command.
    let preparation: Preparation
    /// Makes the answer.
    let reply: Reply

    /// Whom a write concerns, as the request tells it.
    enum Concern: Sendable {
        case user(UserID)
        /// Two at once.
        case users(UserID, UserID)
        /// Whose a reservation is.
        case reservation(UInt64)
        case anybody
    }

    /// How the command is made.
    enum Preparation: Sendable {
        /// It is there.
        case ready(Command.Kind)
        /// In a lane, because it takes long: signatures.
        case work(LaneName, @Sendable () throws(RPCFailure) -> Command.Kind)
        /// By asking somebody else; it is told who asks.
        case ask(@Sendable (Session) async throws(RPCFailure) -> Command.Kind)
        /// By the ledger itself, which takes its time, and holds no thread of this room: it calls
        /// the first once the command is decided, or never will be, and the second with the answer.
        case hand(
            @Sendable (
                _ onDecided: @escaping @Sendable () -> Void,
                _ answer: @escaping @Sendable (Result<JSONObject, RPCFailure>) -> Void
            ) -> Void
        )
    }

    /// How the answer is made.
    enum Reply: Sendable {
        /// From the outcome alone, on the writer's thread; quick.
        case outcome(@Sendable (Receipt) throws(RPCFailure) -> FlatObject)
        /// In the lane of answers, with a reader that sees the outcome.
        case views(@Sendable (Receipt, LedgerReader) throws(RPCFailure) -> JSONObject)
        /// By whom the command was handed to.
        case handed
    }

    /// A write that is answered by its outcome.
    init(
        of concern: Concern,
        _ kind: Command.Kind,
        reply: @escaping @Sendable (Receipt) throws(RPCFailure) -> FlatObject
    ) {
        self.concern = concern
        preparation = .ready(kind)
        self.reply = .outcome(reply)
    }

    /// A write that is answered by its outcome, whatever its command is made from.
    init(
        of concern: Concern,
        preparing preparation: Preparation,
        answering reply: @escaping @Sendable (Receipt) throws(RPCFailure) -> FlatObject
    ) {
        self.concern = concern
        self.preparation = preparation
        self.reply = .outcome(reply)
    }

    /// A write that is answered by what the views say after it.
    init(
        of concern: Concern,
        preparing preparation: Preparation,
        reply: @escaping @Sendable (Receipt, LedgerReader) throws(RPCFailure) -> JSONObject
    ) {
        self.concern = concern
        self.preparation = preparation
        self.reply = .views(reply)
    }

    /// A write that is handed to the ledger, which answers it.
    init(
        of concern: Concern,
        handing hand:
            @escaping @Sendable (
                _ onDecided: @escaping @Sendable () -> Void,
                _ answer: @escaping @Sendable (Result<JSONObject, RPCFailure>) -> Void
            ) -> Void
    ) {
        self.concern = concern
        preparation = .hand(hand)
        reply = .handed
    }
}

extension MethodWorker {
    /// Sends `write` on its way, behind earlier ones of the connection that concern the same user;
    /// the ticket is delivered once it is on disk.
    func later(
        _ write: PendingWrite,
        _ method: Method,
        _ request: RequestView,
        _ session: Session,
        _ ticket: ReplyTicket
    ) throws(RPCFailure) -> Disposition {
        let answer = lateAnswer(method, request, session, ticket)
        let service = service
        let ordering = ordering(of: session)
        if case .ready(let kind) = write.preparation {
            if try waitsForNothing(write.concern, in: ordering) {
                orders.append(service.order(kind, write.reply, answer))
                return .later
            }
        }
        let scope = try scope(of: write.concern)
        sendOrders()
        let entered = ordering.enter(scope) { done in
            service.begin(write, answer, done)
        }
        guard entered else { throw .overloaded("Too many writes of this connection wait.") }
        return .later
    }

    private func ordering(of session: Session) -> WriteOrdering {
        if let ordering = session.attachment as? WriteOrdering { return ordering }
        let ordering = WriteOrdering()
        session.attachment = ordering
        return ordering
    }

    /// Mostly nothing of the connection is under way, and then nobody asks whom this concerns.
    private func waitsForNothing(
        _ concern: PendingWrite.Concern,
        in ordering: WriteOrdering
    ) throws(RPCFailure) -> Bool {
        if ordering.isEmpty { return true }
        return ordering.isFree(for: try scope(of: concern))
    }

    /// A reservation concerns its user; one that is not found may concern anybody.
    private func scope(
        of concern: PendingWrite.Concern
    ) throws(RPCFailure) -> WriteOrdering.Scope {
        switch concern {
        case .user(let user): return .users([user])
        case .users(let one, let other): return .users([one, other])
        case .anybody: return .anybody
        case .reservation(let id):
            let reader = try awake()
            do throws(LedgerFailure) {
                let row = try reader.row(Array(ReservationName.text(id).utf8), of: .reservations)
                guard case .reservation(_, let reservation) = row?.value else { return .anybody }
                return .users([reservation.user])
            } catch {
                throw RPCFailure(error)
            }
        }
    }
}

extension MethodService {
    /// Makes the command of `write` and queues it; calls `done` then, or where there will be none.
    fileprivate func begin(
        _ write: PendingWrite,
        _ answer: LateAnswer,
        _ done: @escaping @Sendable () -> Void
    ) {
        switch write.preparation {
        case .ready(let kind):
            submit(kind, write.reply, answer)
            done()
        case .work(let lane, let make):
            // Carried out though its session may have ended: it was sent whole.
            let runs = lanes[lane]
                .run(for: answer.session) { _ in
                    do throws(RPCFailure) {
                        self.submit(try make(), write.reply, answer)
                    } catch {
                        answer.deliver(.failure(error))
                    }
                    done()
                }
            guard !runs else { return }
            answer.deliver(.failure(.overloaded("Too much of this kind waits.")))
            done()
        case .hand(let hand): hand(done) { answer.deliver($0) }
        case .ask(let make):
            Task {
                do throws(RPCFailure) {
                    self.submit(try await make(answer.session), write.reply, answer)
                } catch {
                    answer.deliver(.failure(error))
                }
                done()
            }
        }
    }

    /// Queues one order, from whatever thread.
    fileprivate func submit(
        _ kind: Command.Kind,
        _ reply: PendingWrite.Reply,
        _ answer: LateAnswer
    ) {
        ledger.submit([order(kind, reply, answer)])
    }

    /// The order whose answer becomes that of the request.
    fileprivate func order(
        _ kind: Command.Kind,
        _ reply: PendingWrite.Reply,
        _ answer: LateAnswer
    ) -> WriteOrder {
        WriteOrder(kind, by: Author(answer.session.caller)) { result in
            switch result {
            case .failure(let failure): answer.deliver(.failure(RPCFailure(failure)))
            case .success(let receipt): self.answer(reply, receipt, answer)
            }
        }
    }

    private func answer(_ reply: PendingWrite.Reply, _ receipt: Receipt, _ answer: LateAnswer) {
        switch reply {
        case .outcome(let make):
            let response = answer.response { (reply) throws(RPCFailure) in
                reply.append(try make(receipt))
            }
            outbox.add(response, to: answer.ticket)
        case .views(let make):
            let runs = lanes[.answers]
                .run(for: answer.session) { reader in
                    answer.deliver { () throws(RPCFailure) in try make(receipt, reader) }
                }
            // It is on disk all the same; the caller repeats it with the same key.
            if !runs { answer.deliver(.failure(.overloaded("Too many answers wait."))) }
        case .handed: preconditionFailure("whoever took the command answers")
        }
    }
}

/// The answer of a write, when it comes.
struct LateAnswer: Sendable {
    let service: MethodService
    let method: Method
    let session: Session
    let id: [UInt8]
    let ticket: ReplyTicket

    func deliver(_ make: () throws(RPCFailure) -> JSONObject) {
        ticket.deliver(
            response { (reply) throws(RPCFailure) in reply.appendObject(try make()) }
        )
    }

    func deliver(_ result: Result<JSONObject, RPCFailure>) {
        deliver { () throws(RPCFailure) in try result.get() }
    }

    /// Nobody waits any more: the request is over, and not counted as answered.
    func drop() { ticket.deliver([]) }

    /// The response object whose result `write` writes, counted as answered.
    func response(_ write: (inout ReplyBuffer) throws(RPCFailure) -> Void) -> [UInt8] {
        var reply = ReplyBuffer(capacity: MethodLimits.replyBytesUsual)
        var code = "ok"
        do throws(RPCFailure) {
            id.withUnsafeBytes { reply.beginResult(id: $0) }
            try write(&reply)
            reply.endResult()
        } catch {
            code = error.name
            reply.removeAll()
            id.withUnsafeBytes { reply.appendError(error, id: $0) }
        }
        service.count(method, code)
        return reply.bytes
    }
}

extension MethodService {
    /// Counts an answer; nil is a method that there is not.
    func count(_ method: Method?, _ code: String) {
        if code == "ok", let method, let counter = answered[method] {
            counter.increment()
        } else {
            metrics.rpcRequests.series(method?.rawValue ?? "other", code).increment()
        }
    }
}
