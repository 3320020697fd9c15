// Made by contrib/clients/generate.py from proto/openrpc.json.

/// What StoreKit takes to know whether a customer gets an introductory offer.
public struct SignedEligibility: Decodable, Equatable, Sendable {
    /// The app that it is signed for.
    public let bundleID: String
    /// The transaction that it names.
    public let transactionID: String
    /// A compact JWS.
    public let jws: String
}
