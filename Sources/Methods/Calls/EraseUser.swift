import Entitlements
import JSON
import Ledger
import Wire

extension Call {
    /// `eraseUser`: answered when no file of the data directory names the person any more, but that
    /// of an outbox that has still to tell of it.
    ///
    /// The ledger erases all who wait together; no thread of this room waits for it.
    static let eraseUser = writing("eraseUser", for: .admin, taking: ["userId"]) {
        (worker, params, session) throws(RPCFailure) in
        let user = try params.user(under: try worker.awake().policy)
        let secret = HashKey(
            UInt64.random(in: .min ... .max),
            UInt64.random(in: .min ... .max)
        )
        let ledger = worker.service.ledger
        let author = Author(session.caller)
        let desk = worker.service.outboxDesk
        return PendingWrite(
            of: .user(user),
            handing: { onDecided, answer in
                let order = ErasureOrder(user: user, secret: secret)
                ledger.erase(order, by: author, onDecided: onDecided) { result in
                    let reply: Result<JSONObject, RPCFailure> =
                        result.mapError { RPCFailure($0) }
                        .flatMap { receipt in
                            // The user who has it now is to be erased.
                            if case .conflict = receipt.outcome {
                                return .failure(RPCFailure(receipt.outcome))
                            }
                            return .success([
                                "erased": .bool(receipt.outcome == .erased(true)),
                                "seq": .integer(Int64(receipt.seq)),
                            ])
                        }
                    guard let desk, case .success = reply, let seq = try? result.get().seq else {
                        answer(reply)
                        return
                    }
                    // Also where nobody was found: who repeats a call may repeat a lost one.
                    Task {
                        await desk.erased(user, at: seq)
                        answer(reply)
                    }
                }
            }
        )
    }
}
