import Entitlements
import JSON
import Ledger
import Wire

extension MethodWorker {
    /// `verifyPurchase`: a purchase document, shown by an app server for one of its users.
    ///
    /// First match wins: the document does not verify; a claim differs from what is signed; the
    /// purchase, or its token, is another user's; linked.
    func verifying(_ params: ParamsView) throws(RPCFailure) -> PendingWrite {
        let policy = try awake().policy
        let user = try params.user(under: policy)
        let max = MethodLimits.documentBytesMax
        let document = try params.text("signedTransaction", bytesMax: max)
        let renewal = try params.optionalText("signedRenewalInfo", bytesMax: max)
        let claims = try PurchaseClaims(params)
        let service = service
        let own = service.token(of: user, under: policy)
        return PendingWrite(
            command: { () throws(RPCFailure) in
                guard let storefront = service.storefront else {
                    throw RPCFailure(DocumentFault.environment)
                }
                let verdict = storefront.verdict(
                    onPurchase: Array(document.utf8),
                    renewal: renewal.map { Array($0.utf8) },
                    at: service.now()
                )
                switch verdict {
                case .refused(let fault, _): throw RPCFailure(fault)
                case .genuine(let fact):
                    try claims.check(against: fact)
                    let claimed = [claims.token, own].compactMap { $0 }
                    return .link(Purchase(user: user, facts: [fact], claimed: claimed))
                }
            },
            takesLong: true,
            reply: { (receipt, reader) throws(RPCFailure) in
                guard case .linked(let applied) = receipt.outcome else { throw .ownedByAnother }
                let view = try service.view(of: user, reader)
                return [
                    "entitlement": .object(view.entitlement),
                    "status": .object(view.status),
                    "applied": .bool(applied),
                ]
            }
        )
    }
}

/// What the caller says of a purchase; it must be what is signed.
private struct PurchaseClaims: Sendable {
    let productID: String?
    let transactionID: String?
    let originalID: String?
    let token: Token?

    init(_ params: ParamsView) throws(RPCFailure) {
        let max = MethodLimits.textBytesMax
        productID = try params.optionalText("productId", bytesMax: max)
        transactionID = try params.optionalText("transactionId", bytesMax: max)
        originalID = try params.optionalText("originalTransactionId", bytesMax: max)
        token = try params.token("appAccountToken")
    }

    func check(against fact: Fact) throws(RPCFailure) {
        let signed = fact.transaction
        if let productID, productID != signed?.productID { throw .differs("productId") }
        if let transactionID, transactionID != signed?.id { throw .differs("transactionId") }
        if let originalID, originalID != fact.key.originalID {
            throw .differs("originalTransactionId")
        }
        if let token, token != signed?.token { throw .differs("appAccountToken") }
    }
}

extension RPCFailure {
    fileprivate static func differs(_ field: String) -> RPCFailure {
        RPCFailure(
            .claimMismatch,
            "What the caller claims differs from what is signed.",
            extra: [("field", .string(field))]
        )
    }
}

extension MethodService {
    /// The status of `user` as a reader of a worker sees it now.
    func view(of user: UserID, _ reader: LedgerReader) throws(RPCFailure) -> StatusView {
        do {
            return try StatusView(of: user, reader, at: now())
        } catch {
            throw RPCFailure(error)
        }
    }
}
