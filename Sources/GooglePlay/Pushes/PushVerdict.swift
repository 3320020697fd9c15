/// What is said of a push: whether the bearer token that came with it is Google's, for us.
package enum PushVerdict: Sendable {
    /// It is.
    case genuine(AuthenticPush)
    /// It names a key that is not in the set: fetch the set again, once, then judge again.
    case unknownKey
    /// There is no key to judge it by; the push should come again.
    case undecided
    /// It is not; the detail is for the log, and holds nothing of the token.
    case refused(BearerFault, detail: String)
}

/// Why a bearer token is not to be believed.
package enum BearerFault: String, Error, Hashable, Sendable, CaseIterable {
    /// No token, or none under the scheme Bearer.
    case missing
    /// Not a compact JWS of strict JSON.
    case malformed
    /// Another algorithm than RS256, or a header that would change what is signed.
    case algorithm
    /// The signature does not hold.
    case signature
    /// Somebody else's than Google's accounts service.
    case issuer
    /// Meant for somebody else.
    case audience
    /// Not the service account of the subscription, or an address that is not verified.
    case account
    /// Over.
    case expired
    /// Issued in the future, or for longer than tokens are.
    case time
}
