// Made by contrib/clients/generate.py from proto/openrpc.json.

/// What StoreKit takes with a promotional offer, in both of Apple's forms.
public struct SignedOffer: Decodable, Equatable, Sendable {
    /// The app that it is signed for.
    public let bundleID: String
    /// The key: keyID of StoreKit.
    public let keyID: String
    /// The nonce: a UUID in small letters.
    public let nonce: String
    /// The moment in milliseconds since 1970, as StoreKit takes it.
    public let timestamp: Int64
    /// What was signed as the customer: the token, the user name, or nothing.
    public let applicationUsername: String
    /// The older form: a signature in base64.
    public let signature: String
    /// The newer form: a compact JWS.
    public let jws: String
}
