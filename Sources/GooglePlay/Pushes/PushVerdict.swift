/// The verdict on a push: whether its bearer token is Google's and meant for this daemon.
package enum PushVerdict: Sendable {
    /// The token is genuine.
    case genuine(AuthenticPush)
    /// The token names a key that is not in the set: fetch the set again once, then judge again.
    case unknownKey
    /// No key is available to judge the token; the push should be sent again.
    case undecided
    /// The token is not genuine; the detail is for the log, and contains nothing of the token.
    case refused(BearerFault, detail: String)
}

/// Why a bearer token is refused.
package enum BearerFault: String, Error, Hashable, Sendable, CaseIterable {
    /// No token, or none under the scheme Bearer.
    case missing
    /// Not a compact JWS of strict JSON.
    case malformed
    /// Another algorithm than RS256, or a header that would change what is signed.
    case algorithm
    /// The signature does not hold.
    case signature
    /// Not issued by Google's accounts service.
    case issuer
    /// Meant for another audience.
    case audience
    /// Not the service account of the subscription, or an address that is not verified.
    case account
    /// Expired.
    case expired
    /// Issued in the future, or valid for longer than Google's tokens are.
    case time
}
