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
        let order = PurchaseMove(
            store: store,
            originalID: try params.text("originalTransactionId", bytesMax: max),
            to: user,
            reason: try params.text("reason", bytesMax: max)
        )
        let service = worker.service
        return PendingWrite(
            of: .anybody,
            preparing: .ready(.move(order)),
            reply: { (receipt, reader) throws(RPCFailure) in
                guard receipt.outcome == .moved else { throw RPCFailure(receipt.outcome) }
                let view = try service.view(of: user, reader)
                return ["status": .object(view.status), "seq": .integer(Int64(receipt.seq))]
            }
        )
    }
}
