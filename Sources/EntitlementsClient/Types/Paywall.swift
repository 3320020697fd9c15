// Made by contrib/clients/generate.py from proto/openrpc.json.

/// Which paywall to show: none with access by subscription, grace or grant, and to somebody who
/// pays for a product that no plan names.
///
/// A newer daemon may use words that this version does not name.
public struct Paywall: RawRepresentable, Decodable, Hashable, Sendable {
    /// The word on the wire.
    public let rawValue: String

    /// The word `rawValue`.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// None: the user has access.
    public static let none = Paywall(rawValue: "none")
    /// For somebody who subscribed before.
    public static let resubscribe = Paywall(rawValue: "resubscribe")
    /// With a trial.
    public static let startTrial = Paywall(rawValue: "start_trial")
    /// Without a trial.
    public static let subscribe = Paywall(rawValue: "subscribe")
}
