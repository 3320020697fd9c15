import Entitlements
import JSON
import Ledger
import Wire

extension Call {
    /// `mergeAccounts`: what an anonymous account has goes to the one that logged in, in one
    /// commit.
    static let mergeAccounts = writing(
        "mergeAccounts",
        for: .app,
        taking: ["fromUserId", "intoUserId", "idempotencyKey"]
    ) { (worker, params, _) throws(RPCFailure) in
        let service = worker.service
        let policy = try worker.awake().policy
        let from = try params.user("fromUserId", under: policy)
        let into = try params.user("intoUserId", under: policy)
        guard from != into else { throw .invalid("intoUserId", "is another user than fromUserId") }
        let order = MergeOrder(
            from: from,
            into: into,
            token: service.token(of: from, under: policy),
            key: try params.key(of: into),
            fingerprint: Digest256(of: ["mergeAccounts", .string(from.description)])
        )
        return PendingWrite(
            of: .users(from, into),
            preparing: .ready(.merge(order)),
            reply: { (receipt, reader) throws(RPCFailure) in
                guard case .merged(let seq, let replayed) = receipt.outcome else {
                    throw RPCFailure(receipt.outcome)
                }
                // Where it was replayed, the account may have gone into another one since.
                let holder = try fromLedger(reader.holder(of: into))
                let view = try service.view(of: holder, reader)
                return [
                    "status": .object(view.status), "replayed": .bool(replayed),
                    "seq": .integer(Int64(seq)),
                ]
            }
        )
    }
}
