// Made by contrib/clients/generate.py from proto/openrpc.json.

import FoundationEssentials

/// Why a status is what it is.
public struct Explanation: Decodable, Equatable, Sendable {
    /// The moment that it holds for.
    public let at: Date
    /// The rule that decided, in one word.
    public let rule: String
    /// The same, as a sentence.
    public let because: String
    /// Counts the catalogs installed.
    public let catalogVersion: Int64
    /// The account at that moment.
    public let status: AccountStatus
    /// The journal position that the answer reflects.
    public let seq: Int64
    /// All of it as the daemon wrote it, with the facts, grants and credits that were used.
    public let json: String
}
