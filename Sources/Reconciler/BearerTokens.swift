import Entitlements
import JSON
import Signatures

/// Makes the token that each request carries (docs/app-store-facts.md, "App Store Server API").
struct BearerTokens: Sendable {
    private let signer: TokenSigner
    private let header: [UInt8]
    private let issuerID: String
    private let bundleID: String

    init(_ signer: TokenSigner, keyID: String, issuerID: String, bundleID: String) {
        self.signer = signer
        self.issuerID = issuerID
        self.bundleID = bundleID
        let header: JSONObject = ["alg": "ES256", "kid": .string(keyID), "typ": "JWT"]
        self.header = JSONValue.object(header).bytes
    }

    /// The token of a request made at `now`; it counts for five minutes.
    func token(at now: Moment) -> String {
        let issued = now.milliseconds / 1000
        let claims: JSONObject = [
            "iss": .string(issuerID),
            "iat": .integer(issued),
            "exp": .integer(issued + ReconcilerLimits.tokenSeconds),
            "aud": "appstoreconnect-v1",
            "bid": .string(bundleID),
        ]
        return signer.token(header: header, claims: JSONValue.object(claims).bytes)
    }
}
