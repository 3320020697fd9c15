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
            "userId", "signedTransaction", "purchaseToken", "signedRenewalInfo", "productId",
            "transactionId", "originalTransactionId", "appAccountToken",
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
        let linking: @Sendable (PurchaseAnswer) throws(RPCFailure) -> Command.Kind = {
            (purchase) throws(RPCFailure) in
            let facts: [Fact]
            switch purchase {
            case .document(let document):
                let renewal = renewal.map { Array($0.utf8) }
                facts = [try service.fact(of: document, renewal: renewal)]
            case .stated(let stated):
                guard !stated.isEmpty else {
                    throw RPCFailure(StoreAPIFailure(.unknown, "nothing is stated"))
                }
                facts = stated
            }
            for fact in facts { try claims.check(against: fact) }
            return .link(Purchase(user: user, facts: facts, claimed: claimed))
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
    /// A document is verified as it is; what leads to a purchase alone is what its store is asked
    /// about.
    fileprivate func preparation(
        _ document: String?,
        _ claims: PurchaseClaims,
        _ linking: @escaping @Sendable (PurchaseAnswer) throws(RPCFailure) -> Command.Kind
    ) throws(RPCFailure) -> PendingWrite.Preparation {
        if let document {
            return .work(.purchases) { (_) throws(RPCFailure) in
                try linking(.document(Array(document.utf8)))
            }
        }
        guard let hint = claims.hint else { throw .invalid("signedTransaction", "is missing") }
        let service = service
        let client = try service.client { $0.hints.contains(hint.kind) }
        return .ask { (session) async throws(RPCFailure) in
            let purchase: PurchaseAnswer
            do throws(StoreAPIFailure) {
                purchase = try await client.purchase(
                    hint,
                    within: MethodLimits.purchaseMilliseconds
                )
            } catch {
                throw RPCFailure(error)
            }
            return try await service.work(in: .purchases, for: session) {
                (_) throws(RPCFailure) in try linking(purchase)
            }
        }
    }
}

/// What the caller says of a purchase; it must be what is signed.
private struct PurchaseClaims: Sendable {
    let productID: String?
    let purchaseToken: String?
    let transactionID: String?
    let originalID: String?
    let token: Token?

    init(_ params: ParamsView) throws(RPCFailure) {
        let max = MethodLimits.textBytesMax
        productID = try params.optionalText("productId", bytesMax: max)
        purchaseToken = try params.optionalText("purchaseToken", bytesMax: max)
        transactionID = try params.optionalText("transactionId", bytesMax: max)
        originalID = try params.optionalText("originalTransactionId", bytesMax: max)
        token = try params.signedToken("appAccountToken")
    }

    /// What the store is asked about where no document is shown.
    ///
    /// A purchase token leads to its purchase, whatever else is claimed of that.
    var hint: PurchaseHint? {
        purchaseToken.map { .purchaseToken($0) } ?? transactionID.map { .transaction($0) }
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
