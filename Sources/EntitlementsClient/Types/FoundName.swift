// Made by contrib/clients/generate.py from proto/openrpc.json.

/// Something that is called as support has asked.
public struct FoundName: Decodable, Equatable, Sendable {
    /// Whose it is; nil for nobody yet.
    public let userID: String?
    /// What it is: `user`, `token`, `purchase` or `transaction`.
    public let what: String
    /// The store that sold it; nil for what is no purchase.
    public let store: String?
    /// What the store calls the purchase.
    public let originalTransactionID: String?
}
