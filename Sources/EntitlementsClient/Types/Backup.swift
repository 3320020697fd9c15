// Made by contrib/clients/generate.py from proto/openrpc.json.

/// A backup that the daemon made.
public struct Backup: Decodable, Equatable, Sendable {
    /// Where it is, on the daemon's host.
    public let path: String
    /// The bytes of its files.
    public let bytes: Int64
    /// SHA-256 of data.mdb, then the journal's segments in their order, then base/data.mdb where
    /// there is one, in hexadecimal digits; `entitld verify` makes the same.
    public let digest: String
    /// The journal position that it holds.
    public let seq: Int64
}
