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
                    let receipt: Receipt
                    switch result {
                    case .success(let given): receipt = given
                    case .failure(let failure):
                        answer(.failure(RPCFailure(failure)))
                        return
                    }
                    guard case .erased(let isErased, let formers) = receipt.outcome else {
                        // The user who has it now is to be erased.
                        answer(.failure(RPCFailure(receipt.outcome)))
                        return
                    }
                    let reply: JSONObject = [
                        "erased": .bool(isErased), "seq": .integer(Int64(receipt.seq)),
                    ]
                    guard let desk else {
                        answer(.success(reply))
                        return
                    }
                    // Also where nobody was found: who repeats a call may repeat a lost one.
                    Task {
                        let isNoted = await desk.erased([user] + formers, at: receipt.seq)
                        answer(isNoted ? .success(reply) : .failure(RPCFailure(.shuttingDown)))
                    }
                }
            }
        )
    }
}
