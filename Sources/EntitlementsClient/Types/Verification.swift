// Made by contrib/clients/generate.py from proto/openrpc.json.

/// What a purchase came to.
public struct Verification: Decodable, Equatable, Sendable {
    /// The access after it.
    public let entitlement: Entitlement
    /// The account after it.
    public let status: AccountStatus
    /// Whether a document was newer than what is kept.
    public let applied: Bool
}
