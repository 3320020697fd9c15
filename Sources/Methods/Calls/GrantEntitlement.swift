import Entitlements
import JSON
import Ledger
import Wire

extension Call {
    /// `grantEntitlement`: access to a plan, by an admin, under an idempotency key.
    static let grantEntitlement = writing(
        "grantEntitlement",
        for: .support,
        taking: ["userId", "plan", "idempotencyKey", "expiresAt", "startsAt", "store", "reason"]
    ) { (worker, params, _) throws(RPCFailure) in
        let order = try worker.order(params)
        let user = order.user
        let service = worker.service
        return PendingWrite(
            of: .user(user),
            preparing: .ready(.grant(order)),
            reply: { (receipt, reader) throws(RPCFailure) in
                guard case .granted(let id, let replayed) = receipt.outcome else {
                    throw RPCFailure(receipt.outcome)
                }
                let view = try service.view(of: user, reader)
                return [
                    "grant": .string(GrantName.text(id)),
                    "status": .object(view.status),
                    "replayed": .bool(replayed),
                    "seq": .integer(receipt.position(ofFirst: replayed ? id : nil)),
                ]
            }
        )
    }
}

extension MethodWorker {
    fileprivate func order(_ params: ParamsView) throws(RPCFailure) -> GrantOrder {
        let policy = try awake().policy
        let user = try params.user(under: policy)
        let plan = try params.text("plan", bytesMax: MethodLimits.textBytesMax)
        let key = try params.key(of: user)
        let until = try params.moment("expiresAt")
        let from = try params.moment("startsAt")
        if let until, let from, until <= from { throw .invalid("expiresAt", "is after startsAt") }
        let storeName = try params.optionalText("store", bytesMax: 64)
        let store = storeName.flatMap { Store(methodName: $0) }
        if storeName != nil, store == nil {
            throw .invalid("store", "is \(Store.names)")
        }
        let reason = try params.optionalText("reason", bytesMax: MethodLimits.textBytesMax) ?? ""
        // What the key stands for: the same arguments make the same text.
        let arguments: JSONValue = [
            "grantEntitlement", .string(plan), .integer(until?.milliseconds ?? .max),
            .integer(from?.milliseconds ?? .min), .string(store?.name ?? ""), .string(reason),
        ]
        return GrantOrder(
            user: user,
            plan: plan,
            key: key,
            fingerprint: Digest256(of: arguments),
            from: from,
            until: until,
            store: store,
            reason: reason
        )
    }
}
