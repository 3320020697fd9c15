// Made by contrib/clients/generate.py from proto/openrpc.json.

/// Why a status changed.
///
/// A newer daemon may use words that this version does not name.
public struct ChangeCause: RawRepresentable, Decodable, Hashable, Sendable {
    /// The word on the wire.
    public let rawValue: String

    /// The word `rawValue`.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The account began, or was linked to another token.
    public static let registered = ChangeCause(rawValue: "registered")
    /// The store told of something.
    public static let notification = ChangeCause(rawValue: "notification")
    /// A purchase was verified for the user.
    public static let verified = ChangeCause(rawValue: "verified")
    /// Purchases were restored.
    public static let restored = ChangeCause(rawValue: "restored")
    /// A purchase went to another user, or came from one.
    public static let transferred = ChangeCause(rawValue: "transferred")
    /// The store was asked, and had something newer.
    public static let reconciled = ChangeCause(rawValue: "reconciled")
    /// An admin gave access.
    public static let granted = ChangeCause(rawValue: "granted")
    /// An admin took access back.
    public static let grantRevoked = ChangeCause(rawValue: "grant_revoked")
    /// Credits were given.
    public static let creditsGranted = ChangeCause(rawValue: "credits_granted")
    /// Credits were corrected.
    public static let creditsAdjusted = ChangeCause(rawValue: "credits_adjusted")
    /// Credits were spent.
    public static let consumed = ChangeCause(rawValue: "consumed")
    /// Credits were set aside.
    public static let reserved = ChangeCause(rawValue: "reserved")
    /// Credits that were set aside were spent.
    public static let committed = ChangeCause(rawValue: "committed")
    /// Credits that were set aside came back.
    public static let released = ChangeCause(rawValue: "released")
    /// A charge was put back.
    public static let reversed = ChangeCause(rawValue: "reversed")
    /// Time alone.
    public static let clock = ChangeCause(rawValue: "clock")
    /// Everything about the user was erased.
    public static let erased = ChangeCause(rawValue: "erased")
}
