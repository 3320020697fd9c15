import Entitlements
import JSON
import Ledger
import Wire

extension MethodWorker {
    /// `grantEntitlement`: access to a plan, by an admin, under an idempotency key.
    func granting(_ params: ParamsView) throws(RPCFailure) -> PendingWrite {
        let order = try order(params)
        let user = order.user
        let service = service
        return PendingWrite(
            of: .user(user),
            preparing: .ready(.grant(order)),
            reply: { (receipt, reader) throws(RPCFailure) in
                switch receipt.outcome {
                case .granted(let id, let replayed):
                    let view = try service.view(of: user, reader)
                    return [
                        "grant": .string(GrantName.text(id)),
                        "status": .object(view.status),
                        "replayed": .bool(replayed),
                        "seq": .integer(Int64(replayed ? id : receipt.seq)),
                    ]
                case .keyReused:
                    throw RPCFailure(
                        .idempotencyMismatch,
                        "The key was used with other arguments."
                    )
                case .planUnknown:
                    throw .invalid("plan", "is not a plan of the catalog that can be given")
                default: throw RPCFailure(receipt.outcome)
                }
            }
        )
    }

    /// `revokeGrant`.
    func revoking(_ params: ParamsView) throws(RPCFailure) -> PendingWrite {
        let user = try params.user(under: try awake().policy)
        let name = try params.text("grant", bytesMax: 64)
        guard let grant = GrantName.id(name) else { throw .unknownGrant }
        let max = MethodLimits.textBytesMax
        let reason = try params.optionalText("reason", bytesMax: max) ?? ""
        let revocation = GrantRevocation(user: user, grant: grant, reason: reason)
        let service = service
        return PendingWrite(
            of: .user(user),
            preparing: .ready(.revokeGrant(revocation)),
            reply: { (receipt, reader) throws(RPCFailure) in
                if case .conflict = receipt.outcome { throw RPCFailure(receipt.outcome) }
                guard receipt.outcome == .grantRevoked else { throw .unknownGrant }
                let view = try service.view(of: user, reader)
                return ["status": .object(view.status), "seq": .integer(Int64(receipt.seq))]
            }
        )
    }

    private func order(_ params: ParamsView) throws(RPCFailure) -> GrantOrder {
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
            throw .invalid("store", "is app_store, google_play or stripe")
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

/// How a grant is written: `g` and the journal position that gave it.
enum GrantName {
    static func text(_ id: UInt64) -> String { "g\(id)" }

    static func id(_ text: String) -> UInt64? {
        guard text.hasPrefix("g"), let id = UInt64(text.dropFirst()), self.text(id) == text
        else { return nil }
        return id
    }
}

extension Store {
    /// The store that a grant names, by its name or by what `subscriptionMethod` says.
    init?(methodName: String) {
        self.init(name: methodName == "app_store_subscription" ? "app_store" : methodName)
    }
}

extension RPCFailure {
    fileprivate static let unknownGrant = RPCFailure(.notFound, "The user has no such grant.")
}
