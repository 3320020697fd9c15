// Made by contrib/clients/generate.py from proto/openrpc.json.

/// By what a user may use a feature.
///
/// A newer daemon may use words that this version does not name.
public struct AccessPath: RawRepresentable, Decodable, Hashable, Sendable {
    /// The word on the wire.
    public let rawValue: String

    /// The word `rawValue`.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A subscription that is paid.
    public static let subscription = AccessPath(rawValue: "subscription")
    /// A subscription in its grace period.
    public static let grace = AccessPath(rawValue: "grace")
    /// A grant by an admin.
    public static let grant = AccessPath(rawValue: "grant")
    /// Credits that cover the cost.
    public static let credits = AccessPath(rawValue: "credits")
    /// The plan `free`, which names the feature.
    public static let free = AccessPath(rawValue: "free")
}
