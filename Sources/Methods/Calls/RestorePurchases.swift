import Entitlements
import JSON
import Ledger
import Wire

extension Call {
    /// `restorePurchases`: what a device knows of its user's purchases, as signed transactions or
    /// in an app receipt.
    ///
    /// `appAccountToken` names one token as the user's beside the derived one, whatever document
    /// carries it.
    ///
    /// One document that does not verify fails the call, and nothing is applied.
    static let restorePurchases = writing(
        "restorePurchases",
        for: .app,
        taking: ["userId", "signedTransactions", "receiptData", "appAccountToken"]
    ) { (worker, params, _) throws(RPCFailure) in
        let policy = try worker.awake().policy
        let user = try params.user(under: policy)
        let claimed = try worker.claims(params, of: user, under: policy)
        let receipt = try params.optionalText(
            "receiptData",
            bytesMax: MethodLimits.receiptTextBytesMax
        )
        guard receipt == nil || params.value(of: "signedTransactions") == nil else {
            throw .invalid("receiptData", "stands alone, without signedTransactions")
        }
        let documents = receipt == nil ? try params.documents("signedTransactions") : []
        let service = worker.service
        let shown = ShownPurchases()
        return PendingWrite(
            of: .user(user),
            preparing: .work(.purchases) { (_) throws(RPCFailure) in
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
}

extension MethodService {
    /// The facts that signed transactions state, if all of them are genuine.
    fileprivate func facts(of documents: [[UInt8]]) throws(RPCFailure) -> [Fact] {
        var facts: [Fact] = []
        for (index, document) in documents.enumerated() {
            facts.append(try fact(of: document, index: index))
        }
        return facts
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
