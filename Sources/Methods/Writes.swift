import Entitlements
import JSON
import Ledger
import Telemetry
import Wire

/// A write on its way: what must be looked at first, what is asked of the ledger, what is answered.
struct PendingWrite: Sendable {
    /// Makes the command.
    let preparation: Preparation
    /// Makes the answer.
    let reply: Reply

    /// How the command is made.
    enum Preparation: Sendable {
        /// It is there.
        case ready(Command.Kind)
        /// On a worker, because it takes long: signatures.
        case work(@Sendable () throws(RPCFailure) -> Command.Kind)
        /// By asking somebody else.
        case ask(@Sendable () async throws(RPCFailure) -> Command.Kind)
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
        /// On a worker, with a reader that sees the outcome.
        case views(@Sendable (Receipt, LedgerReader) throws(RPCFailure) -> JSONObject)
        /// By whom the command was handed to.
        case handed
    }

    /// A write that is answered by its outcome.
    init(
        _ kind: Command.Kind,
        reply: @escaping @Sendable (Receipt) throws(RPCFailure) -> FlatObject
    ) {
        preparation = .ready(kind)
        self.reply = .outcome(reply)
    }

    /// A write that is answered by what the views say after it.
    init(
        preparing preparation: Preparation,
        reply: @escaping @Sendable (Receipt, LedgerReader) throws(RPCFailure) -> JSONObject
    ) {
        self.preparation = preparation
        self.reply = .views(reply)
    }

    /// A write that is handed to the ledger, which answers it.
    init(
        handing hand:
            @escaping @Sendable (
                _ onDecided: @escaping @Sendable () -> Void,
                _ answer: @escaping @Sendable (Result<JSONObject, RPCFailure>) -> Void
            ) -> Void
    ) {
        preparation = .hand(hand)
        reply = .handed
    }
}

extension MethodWorker {
    /// Sends `write` down the connection's lane; the ticket is delivered once it is on disk.
    func later(
        _ write: PendingWrite,
        _ method: Method,
        _ request: RequestView,
        _ session: Session,
        _ ticket: ReplyTicket
    ) throws(RPCFailure) -> Disposition {
        let answer = LateAnswer(service: service, method: method, id: request.id, ticket: ticket)
        let service = service
        let lane = lane(of: session)
        if case .ready(let kind) = write.preparation, lane.isFree {
            orders.append(service.order(kind, write.reply, answer))
            return .later
        }
        sendOrders()
        let entered =
            lane.enter { done in
                switch write.preparation {
                case .ready(let kind):
                    service.submit(kind, write.reply, answer)
                    done()
                case .work(let make):
                    let runs = service.workers.run { _ in
                        do throws(RPCFailure) {
                            service.submit(try make(), write.reply, answer)
                        } catch {
                            answer.deliver(.failure(error))
                        }
                        done()
                    }
                    guard !runs else { return }
                    answer.deliver(.failure(.overloaded("Too many documents wait.")))
                    done()
                case .hand(let hand): hand(done) { answer.deliver($0) }
                case .ask(let make):
                    Task {
                        do throws(RPCFailure) {
                            service.submit(try await make(), write.reply, answer)
                        } catch {
                            answer.deliver(.failure(error))
                        }
                        done()
                    }
                }
            }
        guard entered else { throw .overloaded("Too many writes of this connection wait.") }
        return .later
    }

    /// Answers a question whose answer takes its time; it holds nothing back.
    func later(
        _ read: @escaping LateRead,
        _ method: Method,
        _ request: RequestView,
        _ ticket: ReplyTicket
    ) -> Disposition {
        let answer = LateAnswer(service: service, method: method, id: request.id, ticket: ticket)
        Task {
            do throws(RPCFailure) {
                answer.deliver(.success(try await read()))
            } catch {
                answer.deliver(.failure(error))
            }
        }
        return .later
    }

    private func lane(of session: Session) -> WriteLane {
        if let lane = session.attachment as? WriteLane { return lane }
        let lane = WriteLane()
        session.attachment = lane
        return lane
    }
}

extension MethodService {
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
        WriteOrder(kind) { result in
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
            let runs = workers.run { reader in
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
