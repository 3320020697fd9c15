import Entitlements
import JSON
import Signatures

/// Judges the bearer token of a Pub/Sub push.
///
/// Google's page "Authentication for push subscriptions" says what must hold: the signature, the
/// issuer, the audience, and that the token is of the service account that the subscription names.
/// Without the last check, any Pub/Sub subscription could send here. A token is valid for an hour
/// and comes with many messages, so a repeated token is no sign of an attack.
package struct PushAuthority: Hashable, Sendable {
    /// The audience that the subscription's settings name; compared byte for byte.
    package let audience: String
    /// The service account that the settings name.
    package let account: String

    /// Creates an authority for tokens with this audience and account.
    package init(audience: String, account: String) {
        self.audience = audience
        self.account = account
    }

    /// The verdict on a push that came with this Authorization header at `now`.
    ///
    /// Checks run from cheap to costly. No claim is read before the signature is verified.
    package func verdict(
        onPush body: [UInt8],
        authorization: [UInt8]?,
        keys: KeySet?,
        at now: Moment
    ) -> PushVerdict {
        do throws(Refusal) {
            let token = try BearerToken(authorization: authorization)
            guard let keys else { return .undecided }
            guard let key = keys[token.keyName] else { return .unknownKey }
            guard key.verifies(token.signature, over: token.signed) else {
                throw Refusal(.signature, "the signature does not hold")
            }
            try check(try token.claims(), at: now)
            return .genuine(AuthenticPush(body))
        } catch {
            return .refused(error.fault, detail: error.detail)
        }
    }

    /// Checks the claims; the first fault decides: issuer, audience, account, times.
    private func check(_ claims: JSONObject, at now: Moment) throws(Refusal) {
        guard let issuer = claims["iss"]?.string, Self.issuers.contains(where: issuer.isSame)
        else { throw Refusal(.issuer, "the issuer is not Google") }
        guard claims["aud"]?.string?.isSame(as: audience) == true else {
            throw Refusal(.audience, "another audience than google.push.audience")
        }
        guard claims["email"]?.string?.isSame(as: account) == true else {
            throw Refusal(.account, "another account than google.push.serviceAccountEmail")
        }
        guard claims["email_verified"]?.bool == true else {
            throw Refusal(.account, "the account's address is not verified")
        }
        let seconds = now.milliseconds / 1_000
        let times = 0...Self.secondsMax
        guard let issued = claims["iat"]?.int64, let ends = claims["exp"]?.int64,
            times.contains(issued), times.contains(ends)
        else { throw Refusal(.malformed, "iat or exp is no time") }
        guard ends > issued, ends - issued <= PlayLimits.tokenLifetimeSeconds else {
            throw Refusal(.time, "the token counts for too long, or for no time")
        }
        guard issued <= seconds + PlayLimits.skewSeconds else {
            throw Refusal(.time, "issued in the future")
        }
        if let start = claims["nbf"] {
            guard let start = start.int64, start <= seconds + PlayLimits.skewSeconds else {
                throw Refusal(.time, "not yet")
            }
        }
        guard seconds < ends + PlayLimits.skewSeconds else { throw Refusal(.expired, "over") }
    }

    /// Google's libraries accept both.
    private static let issuers = ["https://accounts.google.com", "accounts.google.com"]

    /// The end of the year 9999.
    private static let secondsMax: Int64 = 253_402_300_799
}

/// A push with a bearer token of Google's that is meant for this daemon.
///
/// Only `PushAuthority` creates one.
package struct AuthenticPush: Hashable, Sendable {
    /// The body, as it was received.
    package let body: [UInt8]

    fileprivate init(_ body: [UInt8]) { self.body = body }
}

/// Why a token is refused, with a sentence for the log.
struct Refusal: Error {
    let fault: BearerFault
    let detail: String

    init(_ fault: BearerFault, _ detail: String) {
        self.fault = fault
        self.detail = detail
    }
}

extension String {
    /// Whether both have the same bytes; `==` compares Unicode equivalence instead.
    func isSame(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}
