import Entitlements
import JSON
import Signatures

/// Makes the token that each request to the App Store Server API carries
/// (docs/app-store-facts.md, "App Store Server API").
struct AppStoreTokens: Sendable {
    private let signer: TokenSigner
    private let header: [UInt8]
    private let issuerID: String

    init(_ signer: TokenSigner, keyID: String, issuerID: String) {
        self.signer = signer
        self.issuerID = issuerID
        let header: JSONObject = ["alg": "ES256", "kid": .string(keyID), "typ": "JWT"]
        self.header = JSONValue.object(header).bytes
    }

    /// The token of a request about an app, made at `now`; it is valid for five minutes.
    func token(for bundleID: String, at now: Moment) -> String {
        let issued = now.milliseconds / 1000
        let claims: JSONObject = [
            "iss": .string(issuerID),
            "iat": .integer(issued),
            "exp": .integer(issued + Limits.tokenSeconds),
            "aud": "appstoreconnect-v1",
            "bid": .string(bundleID),
        ]
        return signer.token(header: header, claims: JSONValue.object(claims).bytes)
    }
}
