import Entitlements
import JSON
import Ledger
import Telemetry
import Wire

/// A write on its way: what must be looked at first, what is asked of the ledger, what is answered.
struct PendingWrite: Sendable {
    /// Makes the command; runs on a worker where it takes long.
    let command: @Sendable () throws(RPCFailure) -> Command.Kind
    /// Whether making it takes long.
    let takesLong: Bool
    /// Makes the answer from the outcome, on a worker, with a reader that sees it.
    let reply: @Sendable (Receipt, LedgerReader) throws(RPCFailure) -> JSONObject
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
        let entered = lane(of: session)
            .enter { done in
                guard write.takesLong else {
                    service.submit(write, answer)
                    done()
                    return
                }
                let runs = service.workers.run { _ in
                    service.submit(write, answer)
                    done()
                }
                guard runs else {
                    answer.deliver(.failure(.overloaded("Too many documents wait.")))
                    done()
                    return
                }
            }
        guard entered else { throw .overloaded("Too many writes of this connection wait.") }
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
    /// Makes the command, queues it, and answers when the ledger has.
    fileprivate func submit(_ write: PendingWrite, _ answer: LateAnswer) {
        let kind: Command.Kind
        do {
            kind = try write.command()
        } catch {
            answer.deliver(.failure(error))
            return
        }
        ledger.submit(kind) { result in
            switch result {
            case .failure(let failure): answer.deliver(.failure(RPCFailure(failure)))
            case .success(let receipt):
                let runs = self.workers.run { reader in
                    do throws(RPCFailure) {
                        answer.deliver(.success(try write.reply(receipt, reader)))
                    } catch {
                        answer.deliver(.failure(error))
                    }
                }
                // It is on disk all the same; the caller repeats it with the same key.
                if !runs { answer.deliver(.failure(.overloaded("Too many answers wait."))) }
            }
        }
    }
}

/// The answer of a write, when it comes.
private struct LateAnswer: Sendable {
    let service: MethodService
    let method: Method
    let id: [UInt8]
    let ticket: ReplyTicket

    func deliver(_ result: Result<JSONObject, RPCFailure>) {
        var reply = ReplyBuffer()
        let code: String
        switch result {
        case .success(let object):
            code = "ok"
            id.withUnsafeBytes { reply.beginResult(id: $0) }
            reply.appendValue(.object(object))
            reply.endResult()
        case .failure(let failure):
            code = failure.name
            id.withUnsafeBytes { reply.appendError(failure, id: $0) }
        }
        service.metrics.rpcRequests.series(method.rawValue, code).increment()
        ticket.deliver(reply.bytes)
    }
}
