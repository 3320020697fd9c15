import Entitlements
import JSON
import Ledger
import Synchronization
import Wire

extension Call {
    /// `eraseUser`: answered when neither journal nor tables name the person any more.
    ///
    /// What other files may keep is in docs/operating.md: an outbox that has still to tell of it,
    /// notifications that nobody could read.
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
                let telling = Telling()
                ledger.erase(
                    order,
                    by: author,
                    onDecided: { receipt in
                        onDecided()
                        guard let desk, case .erased(_, let formers)? = receipt?.outcome,
                            let seq = receipt?.seq
                        else { return }
                        // Before the files are rewritten, which the next process may have to
                        // finish: it does not know of whom. Also where nobody was found: who
                        // repeats a call may repeat a lost one.
                        telling.begin { await desk.erased([user] + formers, at: seq) }
                    }
                ) { result in
                    let receipt: Receipt
                    switch result {
                    case .success(let given): receipt = given
                    case .failure(let failure):
                        answer(.failure(RPCFailure(failure)))
                        return
                    }
                    guard case .erased(let isErased, _) = receipt.outcome else {
                        // The user who has it now is to be erased.
                        answer(.failure(RPCFailure(receipt.outcome)))
                        return
                    }
                    let reply: JSONObject = [
                        "erased": .bool(isErased), "seq": .integer(Int64(receipt.seq)),
                    ]
                    telling.finish { note in
                        switch note {
                        case .kept: answer(.success(reply))
                        case .unwritable: answer(.failure(RPCFailure(.storageFull)))
                        case .stopping: answer(.failure(RPCFailure(.shuttingDown)))
                        }
                    }
                }
            }
        )
    }
}

/// Has the outboxes note an erasure while the ledger goes on with it.
private final class Telling: Sendable {
    private let task = Mutex<Task<ErasureNote, Never>?>(nil)

    func begin(_ body: @escaping @Sendable () async -> ErasureNote) {
        task.withLock { $0 = Task { await body() } }
    }

    /// Calls `done` once it is noted, or cannot be; at once where there is nothing to note.
    func finish(_ done: @escaping @Sendable (ErasureNote) -> Void) {
        guard let task = task.withLock({ $0 }) else { return done(.kept) }
        Task { done(await task.value) }
    }
}
