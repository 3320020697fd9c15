import Entitlements
import JSON
import Ledger
import Wire

extension Call {
    /// `movePurchase`: support gives a purchase to another user.
    ///
    /// It concerns whoever has the purchase, too, and the request does not say who that is.
    static let movePurchase = writing(
        "movePurchase",
        for: .support,
        taking: ["store", "originalTransactionId", "toUserId", "reason"]
    ) { (worker, params, _) throws(RPCFailure) in
        let user = try params.user("toUserId", under: try worker.awake().policy)
        let max = MethodLimits.textBytesMax
        guard let store = Store(name: try params.text("store", bytesMax: 64)) else {
            throw .invalid("store", "is \(Store.names)")
        }
        let name = try params.text("originalTransactionId", bytesMax: max)
        let reason = try params.text("reason", bytesMax: max)
        let service = worker.service
        return PendingWrite(
            of: .anybody,
            preparing: .work(.rows) { (reader) throws(RPCFailure) in
                let id = try reader.originalID(called: name, in: store)
                return .move(PurchaseMove(store: store, originalID: id, to: user, reason: reason))
            },
            reply: { (receipt, reader) throws(RPCFailure) in
                guard receipt.outcome == .moved else { throw RPCFailure(receipt.outcome) }
                let view = try service.view(of: user, reader)
                return ["status": .object(view.status), "seq": .integer(Int64(receipt.seq))]
            }
        )
    }
}

extension LedgerReader {
    /// What a purchase is kept by that support calls `name`, as an answer has shown it; `name`
    /// itself where nothing is called so.
    fileprivate func originalID(called name: String, in store: Store) throws(RPCFailure) -> String {
        do throws(LedgerFailure) {
            for environment in [StoreEnvironment.production, .sandbox] {
                let key = SubscriptionKey(
                    store: store,
                    environment: environment,
                    originalID: name
                )
                if try subscription(of: key) != nil { return name }
            }
            let found = try purchases(called: name, limit: MethodLimits.foundMax)
            let shown = found.first { $0.key.store == store && $0.shownID == name }
            return shown?.key.originalID ?? name
        } catch {
            throw RPCFailure(error)
        }
    }
}
