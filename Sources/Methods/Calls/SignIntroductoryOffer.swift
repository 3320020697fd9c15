import Entitlements
import JSON
import Ledger
import Wire

extension Call {
    /// `signIntroductoryOffer`: whether a customer gets an introductory offer, as the app's maker
    /// decides it.
    static let signIntroductoryOffer = errand("signIntroductoryOffer", for: .app, asking: .offers) {
        (worker, params, _, client) throws(RPCFailure) in
        let user = try params.user(under: try worker.awake().policy)
        let bundle = try params.app(of: client)
        let product = try params.offerText("productId")
        let isEligible = try params.flag("allowIntroductoryOffer") ?? true
        let named = try params.storeID("transactionId")
        let isDefault = client.apps.count == 1
        let service = worker.service
        return .work(.purchases) { (reader) throws(RPCFailure) in
            let view = isDefault ? try service.view(of: user, reader) : nil
            let known = view?.knownTransactionID(in: client.store)
            guard let transaction = named ?? known else {
                throw .invalid(
                    "transactionId",
                    "is missing, and no purchase of this user's is known: an appTransactionId"
                        + " will do"
                )
            }
            let wish = EligibilityWish(
                bundleID: bundle,
                productID: product,
                isEligible: isEligible,
                transactionID: transaction
            )
            let (nonce, now) = (Token.nonce(), service.now())
            guard let signed = client.signed(wish, nonce: nonce, at: now) else {
                throw RPCFailure(.internalError, "The store wants no offers signed.")
            }
            return [
                "bundleId": .string(bundle),
                "transactionId": .string(transaction),
                "jws": .string(signed),
            ]
        }
    }
}
