// Made by contrib/clients/generate.py from proto/openrpc.json.

/// What became of the credits.
///
/// A newer daemon may use words that this version does not name.
public struct CreditOutcome: RawRepresentable, Decodable, Hashable, Sendable {
    /// The word on the wire.
    public let rawValue: String

    /// The word `rawValue`.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// They were spent.
    public static let consumed = CreditOutcome(rawValue: "consumed")
    /// There are too few; nothing was charged.
    public static let insufficient = CreditOutcome(rawValue: "insufficient")
    /// The user's plan does not count; nothing was charged.
    public static let unlimited = CreditOutcome(rawValue: "unlimited")
    /// They were set aside.
    public static let reserved = CreditOutcome(rawValue: "reserved")
    /// What was set aside came back.
    public static let released = CreditOutcome(rawValue: "released")
    /// What was set aside was spent.
    public static let committed = CreditOutcome(rawValue: "committed")
    /// The reservation had ended, and its credits came back.
    public static let expired = CreditOutcome(rawValue: "expired")
    /// The charge was put back.
    public static let reversed = CreditOutcome(rawValue: "reversed")
    /// There was no charge to put back.
    public static let nothing = CreditOutcome(rawValue: "nothing")
}
