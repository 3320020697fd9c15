// Made by contrib/clients/generate.py from proto/openrpc.json.

/// What an account is, in one word, the first that matches: trial also when cancelled during the
/// trial; subscribed is any other access by subscription, grace or grant.
///
/// A newer daemon may use words that this version does not name.
public struct AccountState: RawRepresentable, Decodable, Hashable, Sendable {
    /// The word on the wire.
    public let rawValue: String

    /// The word `rawValue`.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Nothing was ever written about the user.
    public static let noAccount = AccountState(rawValue: "no_account")
    /// A free trial runs, cancelled or not.
    public static let trial = AccountState(rawValue: "trial")
    /// Any other access by subscription, grace period or grant.
    public static let subscribed = AccountState(rawValue: "subscribed")
    /// No such access, but credits.
    public static let freeWithCredits = AccountState(rawValue: "free_with_credits")
    /// Neither access nor credits.
    public static let freeNoCredits = AccountState(rawValue: "free_no_credits")
}
