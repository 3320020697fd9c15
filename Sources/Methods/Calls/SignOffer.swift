import Entitlements
import JSON
import Ledger
import Wire

extension Call {
    /// `signOffer`: what StoreKit asks the server for before it gives a promotional offer.
    ///
    /// First match wins: no key; a parameter that is wrong; a token that is another user's.
    static let signOffer = errand("signOffer", for: .app, asking: .offers) {
        (worker, params, _, client) throws(RPCFailure) in
        let user = try params.user(under: try worker.awake().policy)
        let bundle = try params.app(of: client)
        let product = try params.offerText("productId")
        let offer = try params.offerText("offerId")
        let customer = try OfferCustomer(params)
        let transaction = try params.storeID("transactionId")
        let isDefault = client.apps.count == 1
        let service = worker.service
        return .work(.purchases) { (reader) throws(RPCFailure) in
            let view = try service.view(of: user, reader)
            let known = isDefault ? view.knownTransactionID(in: client.store) : nil
            let wish = OfferWish(
                bundleID: bundle,
                productID: product,
                offerID: offer,
                customer: try service.text(of: customer, view, reader),
                transactionID: transaction ?? known
            )
            let (nonce, now) = (Token.nonce(), service.now())
            guard let signed = client.signed(wish, nonce: nonce, at: now) else {
                throw RPCFailure(.internalError, "The store wants no offers signed.")
            }
            return [
                "bundleId": .string(bundle),
                "keyId": .string(signed.keyID),
                "nonce": .string("\(nonce)"),
                "timestamp": .integer(now.milliseconds),
                "applicationUsername": .string(wish.customer),
                "signature": .string(signed.signature),
                "jws": .string(signed.token),
            ]
        }
    }
}

/// For whom the purchase will be, as the app says it in StoreKit's purchase options.
private enum OfferCustomer: Sendable {
    /// By the account's token; nil for the one that registerAccount answers.
    case token(Token?)
    /// By a user name of the app's own; empty for a purchase without any.
    case name(String)

    init(_ params: ParamsView) throws(RPCFailure) {
        let token = try params.token("appAccountToken")
        switch params.string(of: "applicationUsername") {
        case .absent: self = .token(token)
        case .wrongType: throw .invalid("applicationUsername", "is not a string")
        case .value(let name):
            guard token == nil else {
                throw .invalid("applicationUsername", "cannot stand beside appAccountToken")
            }
            guard name.isEmpty || ParamsView.isOfferText(name) else {
                throw .invalid("applicationUsername", ParamsView.offerTextRule)
            }
            self = .name(name)
        }
    }
}

extension MethodService {
    /// What is signed of the customer.
    ///
    /// A token that nobody has is signed for whoever names it; another user's is not.
    fileprivate func text(
        of customer: OfferCustomer,
        _ view: StatusView,
        _ reader: LedgerReader
    ) throws(RPCFailure) -> String {
        let token: Token
        switch customer {
        case .name(let name): return name
        case .token(let named):
            let own = view.account?.tokens ?? []
            let derived = self.token(of: view.user, under: view.policy)
            // Of a user with one token that is not the derived one, that is the one in use.
            let usual = own.count == 1 && !own.contains(derived) ? own[0] : derived
            token = named ?? usual
        }
        let owner = try fromLedger(reader.user(of: token))
        guard owner == nil || owner == view.user else { throw RPCFailure(.tokenTaken) }
        return "\(token)"
    }
}
