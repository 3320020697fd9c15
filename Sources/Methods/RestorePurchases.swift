import Entitlements
import JSON
import Ledger
import Synchronization
import Wire

extension MethodWorker {
    /// `restorePurchases`: what a device knows of its user's purchases, as signed transactions or
    /// in an app receipt.
    ///
    /// `appAccountToken` names one token as the user's beside the derived one, whatever document
    /// carries it.
    ///
    /// One document that does not verify fails the call, and nothing is applied.
    func restoring(_ params: ParamsView) throws(RPCFailure) -> PendingWrite {
        let policy = try awake().policy
        let user = try params.user(under: policy)
        let claimed = try claims(params, of: user, under: policy)
        let receipt = try params.optionalText(
            "receiptData",
            bytesMax: MethodLimits.receiptTextBytesMax
        )
        guard receipt == nil || params.value(of: "signedTransactions") == nil else {
            throw .invalid("receiptData", "stands alone, without signedTransactions")
        }
        let documents = receipt == nil ? try params.documents("signedTransactions") : []
        let service = service
        let shown = ShownPurchases()
        return PendingWrite(
            of: .user(user),
            preparing: .work(.purchases) { () throws(RPCFailure) in
                let facts =
                    if let receipt {
                        try service.facts(ofReceipt: Array(receipt.utf8))
                    } else {
                        try service.facts(of: documents)
                    }
                // Credits are given by what is shown, and are no subscription.
                shown.note(facts.filter { $0.transaction?.isConsumable != true })
                return .restore(Restoration(user: user, facts: facts, claimed: claimed))
            },
            reply: { (receipt, reader) throws(RPCFailure) in
                guard case .restored(let results) = receipt.outcome else {
                    throw RPCFailure(receipt.outcome)
                }
                let view = try service.view(of: user, reader)
                return [
                    "entitlement": .object(view.entitlement),
                    "status": .object(view.status),
                    "results": .array(
                        results.filter { shown.keys.contains($0.key) }
                            .map { result in
                                [
                                    "originalTransactionId": .string(result.key.originalID),
                                    "outcome": .string(result.outcome.rawValue),
                                ]
                            }
                    ),
                ]
            }
        )
    }

    /// `verifyReceipt`: a receipt of the time before StoreKit 2, verified here; nobody is asked.
    func receiving(_ params: ParamsView) throws(RPCFailure) -> PendingWrite {
        let policy = try awake().policy
        let user = try params.user(under: policy)
        let text = try params.text("receiptData", bytesMax: MethodLimits.receiptTextBytesMax)
        let product = try params.optionalText("productId", bytesMax: MethodLimits.textBytesMax)
        let claimed = try claims(params, of: user, under: policy)
        let service = service
        let shown = ShownPurchases()
        return PendingWrite(
            of: .user(user),
            preparing: .work(.purchases) { () throws(RPCFailure) in
                let facts = try service.facts(ofReceipt: Array(text.utf8))
                shown.note(facts)
                return .link(Purchase(user: user, facts: facts, claimed: claimed))
            },
            reply: { (receipt, reader) throws(RPCFailure) in
                guard case .linked = receipt.outcome else { throw RPCFailure(receipt.outcome) }
                let view = try service.view(of: user, reader, whole: true)
                return ReceiptView(view, shown.keys, product: product).result
            }
        )
    }

    /// The tokens that are the user's though nobody registered them: the one that the caller names,
    /// and the derived one.
    func claims(
        _ params: ParamsView,
        of user: UserID,
        under policy: Policy
    ) throws(RPCFailure) -> [Token] {
        let named = try params.signedToken("appAccountToken")
        return [named, service.token(of: user, under: policy)].compactMap { $0 }
    }
}

extension MethodService {
    /// The facts that signed transactions state, if all of them are genuine.
    fileprivate func facts(of documents: [[UInt8]]) throws(RPCFailure) -> [Fact] {
        var facts: [Fact] = []
        for (index, document) in documents.enumerated() {
            guard let storefront else {
                throw NoStorefront.refusal(ofDocument: document, index: index)
            }
            switch storefront.verdict(onPurchase: document, renewal: nil, at: now()) {
            case .genuine(let fact): facts.append(fact)
            case .refused(let fault, _): throw RPCFailure(fault, index: index)
            }
        }
        return facts
    }

    /// The facts that an app receipt states, if it is genuine.
    fileprivate func facts(ofReceipt text: [UInt8]) throws(RPCFailure) -> [Fact] {
        guard let storefront else { throw NoStorefront.refusal(ofReceipt: text) }
        switch storefront.verdict(onReceipt: text, at: now()) {
        case .genuine(let receipt): return receipt.facts
        case .refused(let fault, _): throw RPCFailure(fault)
        }
    }
}

/// The purchases that documents show, carried from where they are read to where they are answered.
private final class ShownPurchases: Sendable {
    private let noted = Mutex<Set<SubscriptionKey>>([])

    var keys: Set<SubscriptionKey> { noted.withLock { $0 } }

    func note(_ facts: [Fact]) { noted.withLock { $0 = Set(facts.map(\.key)) } }
}

/// What `verifyReceipt` says of a receipt: what its purchases are worth now, with all that is known
/// of them, whatever else the account has.
private struct ReceiptView {
    private let view: StatusView
    private let product: String?
    /// The best of its purchases, of the product asked for if one is.
    private let best: (slot: Slot, candidate: Candidate)?

    init(_ view: StatusView, _ keys: Set<SubscriptionKey>, product: String?) {
        self.view = view
        self.product = product
        guard let account = view.account else {
            best = nil
            return
        }
        let admits = view.policy.admitsSandbox(view.user)
        var best: (slot: Slot, candidate: Candidate)?
        for (index, slot) in view.answer.slots.enumerated() {
            let key = account.subscriptions[Int(slot.ordinal)]
            guard keys.contains(key), view.answer.isCurrent(index, at: view.now),
                slot.paidUntil != .distantPast,
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
        return product == nil
            ? "The receipt holds no subscription." : "The receipt holds no such subscription."
    }
}

extension ParamsView {
    /// 1 to 100 signed documents.
    fileprivate func documents(_ name: StaticString) throws(RPCFailure) -> [[UInt8]] {
        let max = MethodLimits.documentsMax
        guard let array = value(of: name)?.array, (1...max).contains(array.count) else {
            throw .invalid(name, "is a list of 1 to \(max) signed transactions")
        }
        var documents: [[UInt8]] = []
        for element in array {
            guard let text = element.string,
                (1...MethodLimits.documentBytesMax).contains(text.utf8.count)
            else { throw .invalid(name, "is a list of signed transactions") }
            documents.append(Array(text.utf8))
        }
        return documents
    }
}
