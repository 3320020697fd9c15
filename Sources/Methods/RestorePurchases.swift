import Entitlements
import JSON
import Ledger
import Wire

extension MethodWorker {
    /// `restorePurchases`: what a device knows of its user's purchases.
    ///
    /// One document that does not verify fails the call, and nothing is applied.
    func restoring(_ params: ParamsView) throws(RPCFailure) -> PendingWrite {
        let user = try params.user(under: try awake().policy)
        let documents = try params.documents("signedTransactions")
        let service = service
        return PendingWrite(
            preparing: .work { () throws(RPCFailure) in
                var facts: [Fact] = []
                for (index, document) in documents.enumerated() {
                    guard let storefront = service.storefront else {
                        throw NoStorefront.refusal(ofDocument: document, index: index)
                    }
                    let verdict = storefront.verdict(
                        onPurchase: document,
                        renewal: nil,
                        at: service.now()
                    )
                    switch verdict {
                    case .genuine(let fact): facts.append(fact)
                    case .refused(let fault, _): throw RPCFailure(fault, index: index)
                    }
                }
                return .restore(Restoration(user: user, facts: facts))
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
                        results.map { result in
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
        let service = service
        let own = service.token(of: user, under: policy)
        return PendingWrite(
            preparing: .work { () throws(RPCFailure) in
                let receipt = Array(text.utf8)
                guard let storefront = service.storefront else {
                    throw NoStorefront.refusal(ofReceipt: receipt)
                }
                switch storefront.verdict(onReceipt: receipt, at: service.now()) {
                case .refused(let fault, _): throw RPCFailure(fault)
                case .genuine(let receipt):
                    return .link(Purchase(user: user, facts: receipt.facts, claimed: [own]))
                }
            },
            reply: { (receipt, reader) throws(RPCFailure) in
                guard case .linked = receipt.outcome else { throw .ownedByAnother }
                return ReceiptView(try service.view(of: user, reader), product: product).result
            }
        )
    }
}

/// What `verifyReceipt` says of the account after it.
private struct ReceiptView {
    let view: StatusView
    let product: String?

    init(_ view: StatusView, product: String?) {
        self.view = view
        self.product = product
    }

    var result: JSONObject {
        let entitlement = view.entitlement
        let isNamed = product == nil || entitlement["productId"]?.string == product
        let isValid = view.decision.hasAccess && isNamed
        return [
            "isValid": .bool(isValid),
            "expiresAt": isNamed ? entitlement["expiresAt"] ?? .null : .null,
            "tier": view.status["tier"] ?? "free",
            "message": .string(message(isNamed, entitlement)),
            "status": .object(view.status),
        ]
    }

    private func message(_ isNamed: Bool, _ entitlement: JSONObject) -> String {
        if view.decision.hasAccess {
            return isNamed ? "The purchase gives access." : "Another product gives access."
        }
        return entitlement["productId"] == nil
            ? "The receipt holds no subscription." : "The subscription gives no access any more."
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
