import Entitlements
import JSON
import Signatures

/// Makes the signatures that StoreKit requires from the app's server before it gives an offer.
///
/// Apple's pages: "Generating a signature for promotional offers" and "Generating JWS to sign App
/// Store requests". A nonce is used once; the moment is valid for 24 hours.
package struct OfferSigner: Sendable {
    private let signer: TokenSigner
    private let header: [UInt8]
    private let issuerID: String
    /// The key's name, which StoreKit requires.
    package let keyID: String

    /// Creates a signer with the in-app purchase key of this name and issuer.
    package init(_ signer: TokenSigner, keyID: String, issuerID: String) {
        self.signer = signer
        self.keyID = keyID
        self.issuerID = issuerID
        let header: JSONObject = ["alg": "ES256", "kid": .string(keyID), "typ": "JWT"]
        self.header = JSONValue.object(header).bytes
    }

    /// The signature that `SKPaymentDiscount` and StoreKit 2 up to iOS 26 take, in base64.
    package func signature(
        of promotion: OfferWish,
        nonce: Token,
        at now: Moment
    ) -> String {
        let parts = [
            promotion.bundleID, keyID, promotion.productID, promotion.offerID,
            promotion.customer.lowercased(), "\(nonce)", "\(now.milliseconds)",
        ]
        return signer.textSignature(over: Array(parts.joined(separator: "\u{2063}").utf8))
    }

    /// The same offer as a JWS, which StoreKit takes since WWDC 2025.
    package func token(of promotion: OfferWish, nonce: Token, at now: Moment) -> String {
        var claims: JSONObject = [
            "productId": .string(promotion.productID),
            "offerIdentifier": .string(promotion.offerID),
        ]
        claims["transactionId"] = promotion.transactionID.map { .string($0) }
        return token(claims, for: "promotional-offer", of: promotion.bundleID, nonce, now)
    }

    /// A JWS that states whether a customer gets the introductory offer; it overrides StoreKit's
    /// decision.
    package func eligibility(_ wish: EligibilityWish, nonce: Token, at now: Moment) -> String {
        let claims: JSONObject = [
            "productId": .string(wish.productID),
            "allowIntroductoryOffer": .bool(wish.isEligible),
            "transactionId": .string(wish.transactionID),
        ]
        return token(claims, for: "introductory-offer-eligibility", of: wish.bundleID, nonce, now)
    }

    private func token(
        _ claims: JSONObject,
        for audience: String,
        of bundleID: String,
        _ nonce: Token,
        _ now: Moment
    ) -> String {
        var claims = claims
        claims["bid"] = .string(bundleID)
        claims["iss"] = .string(issuerID)
        claims["aud"] = .string(audience)
        claims["iat"] = .integer(now.milliseconds / 1_000)
        claims["nonce"] = .string("\(nonce)")
        return signer.token(header: header, claims: JSONValue.object(claims).bytes)
    }
}
