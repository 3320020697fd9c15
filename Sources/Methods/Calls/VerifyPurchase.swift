import Entitlements
import JSON
import Ledger
import Wire

extension Call {
    /// `verifyPurchase`: a purchase document, shown by an app server for one of its users.
    ///
    /// First match wins: the document does not verify; a claim differs from what is signed; the
    /// purchase cannot be the user's (`OwnershipConflict`); linked.
    static let verifyPurchase = writing(
        "verifyPurchase",
        for: .app,
        taking: [
            "userId", "signedTransaction", "signedRenewalInfo", "productId", "transactionId",
            "originalTransactionId", "appAccountToken",
        ]
    ) { (worker, params, _) throws(RPCFailure) in
        let policy = try worker.awake().policy
        let user = try params.user(under: policy)
        let max = MethodLimits.documentBytesMax
        let document = try params.optionalText("signedTransaction", bytesMax: max)
        let renewal = try params.optionalText("signedRenewalInfo", bytesMax: max)
        let claims = try PurchaseClaims(params)
        let claimed = try worker.claims(params, of: user, under: policy)
        let service = worker.service
        let linking: @Sendable ([UInt8]) throws(RPCFailure) -> Command.Kind = {
            (document) throws(RPCFailure) in
            let fact = try service.fact(of: document, renewal: renewal.map { Array($0.utf8) })
            try claims.check(against: fact)
            return .link(Purchase(user: user, facts: [fact], claimed: claimed))
        }
        return PendingWrite(
            of: .user(user),
            preparing: try worker.preparation(document, claims, linking),
            reply: { (receipt, reader) throws(RPCFailure) in
                guard case .linked(let applied) = receipt.outcome else {
                    throw RPCFailure(receipt.outcome)
                }
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

extension MethodWorker {
    /// A document is verified as it is; a transaction's id alone is what the store is asked about.
    fileprivate func preparation(
        _ document: String?,
        _ claims: PurchaseClaims,
        _ linking: @escaping @Sendable ([UInt8]) throws(RPCFailure) -> Command.Kind
    ) throws(RPCFailure) -> PendingWrite.Preparation {
        if let document {
            return .work(.purchases) { () throws(RPCFailure) in try linking(Array(document.utf8)) }
        }
        guard let id = claims.transactionID else {
            throw .invalid("signedTransaction", "is missing")
        }
        guard let client = service.storeClient else { throw .noStoreClient }
        let service = service
        return .ask { (session) async throws(RPCFailure) in
            let document: [UInt8]
            do throws(StoreClientFailure) {
                document = try await client.transaction(id: id)
            } catch {
                throw RPCFailure(error)
            }
            return try await service.work(in: .purchases, for: session) {
                (_) throws(RPCFailure) in try linking(document)
            }
        }
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
        token = try params.signedToken("appAccountToken")
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
