import Entitlements
import JSON
import Ledger
import Wire

extension Call {
    /// `verifyPurchase`: a purchase document, or what leads a store to a purchase, shown by an app
    /// server for one of its users.
    ///
    /// First match wins: the document does not verify; a claim differs from what is signed; the
    /// purchase cannot be the user's (`OwnershipConflict`); linked.
    static let verifyPurchase = writing(
        "verifyPurchase",
        for: .app,
        taking: ["userId", "signedTransaction"] + PurchaseHint.leads.map(\.parameter) + [
            "signedRenewalInfo", "productId", "transactionId", "originalTransactionId",
            "appAccountToken",
        ]
    ) { (worker, params, _) throws(RPCFailure) in
        let policy = try worker.awake().policy
        let user = try params.user(under: policy)
        try params.showOne(of: ["signedTransaction"] + PurchaseHint.leads.map(\.parameter))
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
            try claims.check(against: facts)
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
    private let lead: PurchaseHint?
    let transactionID: String?
    let originalID: String?
    let token: Token?

    init(_ params: ParamsView) throws(RPCFailure) {
        let max = MethodLimits.textBytesMax
        productID = try params.optionalText("productId", bytesMax: max)
        var lead: PurchaseHint?
        for kind in PurchaseHint.leads where lead == nil {
            let id = try params.optionalText(kind.parameter, bytesMax: max)
            lead = id.map { PurchaseHint(kind, $0) }
        }
        self.lead = lead
        transactionID = try params.optionalText("transactionId", bytesMax: max)
        originalID = try params.optionalText("originalTransactionId", bytesMax: max)
        token = try params.signedToken("appAccountToken")
    }

    /// What the store is asked about where no document is shown.
    ///
    /// What names a whole purchase leads to it, whatever else is claimed of that.
    var hint: PurchaseHint? { lead ?? transactionID.map { .transaction($0) } }

    /// A store may state more than the purchase that was asked about, such as the one that it was
    /// to replace: the first is meant.
    func check(against facts: [Fact]) throws(RPCFailure) {
        guard let fact = facts.first else { return }
        let signed = fact.transactions
        if let productID, !signed.contains(where: { $0.productID == productID }) {
            throw .differs("productId")
        }
        if let transactionID, !signed.contains(where: { $0.id == transactionID }) {
            throw .differs("transactionId")
        }
        // Callers know a purchase of Google's by its order.
        if let originalID, originalID != fact.key.originalID, originalID != fact.shownID {
            throw .differs("originalTransactionId")
        }
        // Purchases made outside the app, and those of family members, are signed without a token.
        if let token, let signed = fact.transaction?.token, token != signed {
            throw .differs("appAccountToken")
        }
    }
}

extension ParamsView {
    /// Refuses a second one of `names`: who shows two purchases may mean either.
    fileprivate func showOne(of names: [StaticString]) throws(RPCFailure) {
        let shown = names.filter { name in value(of: name).map { !$0.isNull } ?? false }
        guard shown.count > 1 else { return }
        throw .invalid(shown[1], "stands alone, without \(shown[0])")
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
