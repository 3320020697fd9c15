import Entitlements
import JSON
import Ledger
import Wire

extension Call {
    /// `verifyReceipt`: a receipt of the time before StoreKit 2, verified here; nobody is asked.
    static let verifyReceipt = writing(
        "verifyReceipt",
        for: .app,
        taking: ["userId", "receiptData", "productId", "appAccountToken"]
    ) { (worker, params, _) throws(RPCFailure) in
        let policy = try worker.awake().policy
        let user = try params.user(under: policy)
        let text = try params.text("receiptData", bytesMax: MethodLimits.receiptTextBytesMax)
        let product = try params.optionalText("productId", bytesMax: MethodLimits.textBytesMax)
        let claimed = try worker.claims(params, of: user, under: policy)
        let service = worker.service
        let shown = ShownPurchases()
        return PendingWrite(
            of: .user(user),
            preparing: .work(.purchases) { (_) throws(RPCFailure) in
                let facts = try service.facts(ofReceipt: Array(text.utf8))
                shown.note(facts)
                return .link(
                    Purchase(user: user, facts: facts, claimed: claimed, isReceipt: true)
                )
            },
            reply: { (receipt, reader) throws(RPCFailure) in
                guard case .linked = receipt.outcome else { throw RPCFailure(receipt.outcome) }
                let view = try service.view(of: user, reader, whole: true)
                return ReceiptView(view, shown.keys, product: product).result
            }
        )
    }
}

/// What `verifyReceipt` says of a receipt: what its purchases are worth now, with all that is known
/// of them, whatever else the account has.
private struct ReceiptView {
    private let view: StatusView
    private let product: String?
    /// The best of its purchases, of the product asked for if one is.
    private let best: (slot: Slot, candidate: Candidate)?
    /// Whether some of its purchases are not this user's.
    private let holdsOthers: Bool

    init(_ view: StatusView, _ keys: Set<SubscriptionKey>, product: String?) {
        self.view = view
        self.product = product
        holdsOthers = !keys.isSubset(of: view.account?.subscriptions ?? [])
        guard let account = view.account else {
            best = nil
            return
        }
        let admits = view.policy.sandboxes(of: view.user)
        var best: (slot: Slot, candidate: Candidate)?
        for (index, slot) in view.answer.slots.enumerated() {
            let key = account.subscriptions[Int(slot.ordinal)]
            guard keys.contains(key), view.answer.isCurrent(index, at: view.now),
                slot.paidUntil != .distantPast, !slot.isOfPack(view.policy),
                product == nil || view.lookup(key)?.era(at: view.now)?.productID == product
            else { continue }
            let candidate = Candidate(slot, index, view.now, view.policy, admits)
            if best.map({ $0.candidate.isWorse(than: candidate) }) ?? true {
                best = (slot, candidate)
            }
        }
        self.best = best
    }

    var result: JSONObject {
        let isValid = best?.candidate.gives ?? false
        return [
            "isValid": .bool(isValid),
            "expiresAt": expiresAt.map { .string(TimeText.text($0.milliseconds)) } ?? .null,
            "tier": .string(isValid ? tier : "free"),
            "message": .string(message(isValid)),
            "status": .object(view.status),
        ]
    }

    private var expiresAt: Moment? {
        let end = best?.slot.paidUntil
        return end == .distantFuture ? nil : end
    }

    private var tier: String {
        best.map { view.policy.plans[$0.candidate.plan].tier } ?? "free"
    }

    private func message(_ isValid: Bool) -> String {
        if isValid { return "The purchase gives access." }
        if best != nil { return "The purchase gives no access now." }
        let subscription = product == nil ? "subscription" : "such subscription"
        return "The receipt holds no \(subscription)\(holdsOthers ? " of this user" : "")."
    }
}
