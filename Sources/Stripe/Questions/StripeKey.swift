import Entitlements

/// A secret or restricted key of Stripe's API.
package struct StripeKey: Sendable {
    /// The key's text, with which requests are authorised.
    let text: String

    /// Why a text is no key for an environment.
    package enum Fault: Error, Hashable, Sendable {
        /// Nothing, several words, or too much.
        case unreadable
        /// A publishable key, or the secret of an endpoint.
        case ofAnotherKind
        /// A key of test mode for live mode, or the other way round.
        case ofAnotherMode

        /// In words, to follow the name of the file.
        package var sentence: String {
            switch self {
            case .unreadable: "holds no API key"
            case .ofAnotherKind: "holds no secret or restricted key (sk_… or rk_…)"
            case .ofAnotherMode: "holds a key of the other mode"
            }
        }
    }

    /// Reads the key in a file, for an environment.
    package init(file: [UInt8], of environment: StoreEnvironment) throws(Fault) {
        guard let secret = EndpointSecret(file: file) else { throw .unreadable }
        let text = String(decoding: secret.key, as: UTF8.self)
        guard text.hasPrefix("sk_") || text.hasPrefix("rk_") else { throw .ofAnotherKind }
        let other = environment == .production ? "test" : "live"
        if text.dropFirst(3).hasPrefix(other + "_") { throw .ofAnotherMode }
        self.text = text
    }
}
