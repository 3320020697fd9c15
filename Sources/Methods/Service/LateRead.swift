import JSON
import Ledger
import Wire

/// A question whose answer takes its time.
enum LateRead: Sendable {
    /// Looked up in a lane, with a reader that sees all that was answered before; not done where
    /// the session has ended meanwhile.
    case work(LaneName, @Sendable (LedgerReader) throws(RPCFailure) -> JSONObject)
    /// Carried out in a lane though the session may have ended; `end` is called in any case.
    case task(
        LaneName,
        @Sendable (LedgerReader) throws(RPCFailure) -> JSONObject,
        end: @Sendable () -> Void
    )
    /// By asking somebody else.
    case ask(@Sendable () async throws(RPCFailure) -> JSONObject)
}

extension MethodWorker {
    /// Answers a question whose answer takes its time; it holds nothing back.
    func later(_ read: LateRead, _ answer: LateAnswer) -> Disposition {
        service.later(read, answer)
        return .later
    }
}

extension MethodService {
    /// Answers a question whose answer takes its time, from any thread.
    func later(_ read: LateRead, _ answer: LateAnswer) {
        let isTaken: Bool
        switch read {
        case .work(let lane, let body):
            let drop: Lane.Drop = { answer.drop() }
            let work: Lane.Work = { reader in
                answer.deliver { () throws(RPCFailure) in try body(reader) }
            }
            isTaken = lanes[lane].run(for: answer.session, orDrop: drop, work)
        case .task(let lane, let body, let end):
            isTaken = lanes[lane]
                .run(for: answer.session) { reader in
                    answer.deliver { () throws(RPCFailure) in
                        // Before the answer: whoever has it may ask for the next.
                        defer { end() }
                        return try body(reader)
                    }
                }
            if !isTaken { end() }
        case .ask(let body):
            isTaken = true
            Task {
                do throws(RPCFailure) {
                    answer.deliver(.success(try await body()))
                } catch {
                    answer.deliver(.failure(error))
                }
            }
        }
        if !isTaken { answer.deliver(.failure(.overloaded("Too much of this kind waits."))) }
    }

    /// Runs `body` in a lane, with a reader that sees all that was answered so far.
    func work<Value: Sendable>(
        in lane: LaneName,
        for session: Session?,
        _ body: @escaping @Sendable (LedgerReader) throws(RPCFailure) -> Value
    ) async throws(RPCFailure) -> Value {
        let result: Result<Value, RPCFailure> = await withCheckedContinuation { continuation in
            let runs = lanes[lane]
                .run(for: session) { reader in
                    do throws(RPCFailure) {
                        continuation.resume(returning: .success(try body(reader)))
                    } catch {
                        continuation.resume(returning: .failure(error))
                    }
                }
            if !runs {
                let failure = RPCFailure.overloaded("Too much of this kind waits.")
                continuation.resume(returning: .failure(failure))
            }
        }
        return try result.get()
    }
}
