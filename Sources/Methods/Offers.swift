import Entitlements
import JSON
import Ledger
import Wire

/// Which offer is to be signed, and for whom.
package struct OfferWish: Hashable, Sendable {
    /// The app.
    package let bundleID: String
    /// The subscription.
    package let productID: String
    /// The offer.
    package let offerID: String
    /// The account token or user name of the purchase; empty where it has none.
    package let customer: String
    /// Any transaction of the customer's.
    package let transactionID: String?
}

/// An offer, signed in both forms that StoreKit takes.
package struct SignedOffer: Hashable, Sendable {
    /// The key's name.
    package let keyID: String
    /// The older form: a signature alone.
    package let signature: String
    /// The newer form: a JWS.
    package let token: String

    /// Both forms.
    package init(keyID: String, signature: String, token: String) {
        self.keyID = keyID
        self.signature = signature
        self.token = token
    }
}

/// Which customer may, or may not, have an introductory offer.
package struct EligibilityWish: Hashable, Sendable {
    /// The app.
    package let bundleID: String
    /// The subscription.
    package let productID: String
    /// Whether the customer may.
    package let isEligible: Bool
    /// Any transaction of the customer's.
    package let transactionID: String
}

extension MethodWorker {
    /// `signOffer`: what StoreKit asks the server for before it gives a promotional offer.
    ///
    /// First match wins: no key; a parameter that is wrong; a token that is another user's.
    func signingOffer(_ params: ParamsView) throws(RPCFailure) -> LateRead {
        guard let client = service.storeClient else { throw .noStoreClient }
        let user = try params.user(under: try awake().policy)
        let bundle = try params.app(of: client)
        let product = try params.offerText("productId")
        let offer = try params.offerText("offerId")
        let customer = try OfferCustomer(params)
        let transaction = try params.storeID("transactionId")
        let isDefault = client.bundleIDs.count == 1
        let service = service
        return .work(.purchases) { (reader) throws(RPCFailure) in
            let view = try service.view(of: user, reader)
            let wish = OfferWish(
                bundleID: bundle,
                productID: product,
                offerID: offer,
                customer: try service.text(of: customer, view, reader),
                transactionID: transaction ?? (isDefault ? view.knownTransactionID : nil)
            )
            let (nonce, now) = (Token.nonce(), service.now())
            let signed = client.signed(wish, nonce: nonce, at: now)
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

    /// `signIntroductoryOffer`: whether a customer gets an introductory offer, as the app's maker
    /// decides it.
    func signingIntroductoryOffer(_ params: ParamsView) throws(RPCFailure) -> LateRead {
        guard let client = service.storeClient else { throw .noStoreClient }
        let user = try params.user(under: try awake().policy)
        let bundle = try params.app(of: client)
        let product = try params.offerText("productId")
        guard let isEligible = try params.flag("allowIntroductoryOffer") else {
            throw .invalid("allowIntroductoryOffer", "is missing")
        }
        let named = try params.storeID("transactionId")
        let isDefault = client.bundleIDs.count == 1
        let service = service
        return .work(.purchases) { (reader) throws(RPCFailure) in
            let known = isDefault ? try service.view(of: user, reader).knownTransactionID : nil
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
            return [
                "bundleId": .string(bundle),
                "transactionId": .string(transaction),
                "jws": .string(client.signed(wish, nonce: nonce, at: now)),
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
        let owner: UserID?
        do {
            owner = try reader.user(of: token)
        } catch {
            throw RPCFailure(error)
        }
        guard owner == nil || owner == view.user else { throw RPCFailure(.tokenTaken) }
        return "\(token)"
    }
}

extension StatusView {
    /// A transaction of the user's in the App Store; nil where none is known.
    fileprivate var knownTransactionID: String? {
        let shown = account?.key(shownBy: decision)
        let all = [shown].compactMap { $0 } + (account?.subscriptions ?? [])
        return all.first { $0.store == .appStore }?.originalID
    }
}

extension Token {
    /// A random UUID (RFC 9562, version 4), which no two signatures share.
    static func nonce() -> Token {
        let high = UInt64.random(in: .min ... .max) & ~0xf000 | 0x4000
        let low = UInt64.random(in: .min ... .max) & ~(0b11 << 62) | 0b10 << 62
        guard let nonce = Token(high: high, low: low) else {
            preconditionFailure("a UUID with a version is not all zero")
        }
        return nonce
    }
}

extension ParamsView {
    /// `bundleId`, one of the configured apps; the first where none is named.
    fileprivate func app(of client: any StoreClient) throws(RPCFailure) -> String {
        try namedApp(of: client) ?? client.bundleIDs[0]
    }

    /// The same; nil where none is named.
    func namedApp(of client: any StoreClient) throws(RPCFailure) -> String? {
        guard let name = try optionalText("bundleId", bytesMax: MethodLimits.textBytesMax) else {
            return nil
        }
        guard client.bundleIDs.contains(name) else {
            throw .invalid("bundleId", "is of no app that the configuration names")
        }
        return name
    }

    /// A product or an offer, by its id.
    fileprivate func offerText(_ name: StaticString) throws(RPCFailure) -> String {
        let text = try text(name, bytesMax: MethodLimits.offerTextBytesMax)
        guard Self.isOfferText(text) else { throw .invalid(name, Self.offerTextRule) }
        return text
    }

    /// The parts of what is signed are joined by U+2063: a part with one inside could pass for two.
    fileprivate static func isOfferText(_ text: String) -> Bool {
        (1...MethodLimits.offerTextBytesMax).contains(text.utf8.count)
            && text.unicodeScalars.allSatisfy { scalar in
                scalar != "\u{2063}" && scalar.properties.generalCategory != .control
            }
    }

    fileprivate static let offerTextRule =
        "is 1 to \(MethodLimits.offerTextBytesMax) bytes without control characters and U+2063"

    /// A number of the store's, if it is there: letters, digits, `-` and `_`.
    func storeID(_ name: StaticString) throws(RPCFailure) -> String? {
        guard let text = try optionalText(name, bytesMax: MethodLimits.storeIDBytesMax) else {
            return nil
        }
        let isPlain = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                true
            default: false
            }
        }
        guard isPlain else { throw .invalid(name, "is no number of the store's") }
        return text
    }
}
