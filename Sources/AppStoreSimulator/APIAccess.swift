import CertificateAuthority
import JSON

/// Who may ask the store's API: the one key that App Store Connect would have given out, and the
/// rules for the tokens that it signs.
package struct APIAccess: Sendable {
    /// The id of the team that the key is of: a UUID.
    package let issuerID: String
    /// The key's id.
    package let keyID: String
    /// The app that may be asked about.
    package let bundleID: String
    /// The key.
    package let key: ES256Key

    /// Why a token is not accepted.
    package enum Refusal: String, Error, Sendable {
        case absent = "no bearer token"
        case malformed = "not three segments of JSON"
        case header = "the header is not ES256 with this key's id"
        case signature = "the signature is not this key's"
        case issuer = "iss is not the issuer's id"
        case audience = "aud is not appstoreconnect-v1"
        case bundle = "bid is not the app's bundle id"
        case times = "exp is absent, or more than 60 minutes after iat, or after now without iat"
        case expired = "exp is over"
        case future = "iat is to come"
    }

    /// Accepts the value of an Authorization header at `now`, in ms since 1970, or says why not.
    package func check(_ authorization: String?, at now: Int64) throws(Refusal) {
        guard let authorization, authorization.lowercased().hasPrefix("bearer ") else {
            throw .absent
        }
        let token = String(authorization.dropFirst("bearer ".count))
        let segments = token.split(separator: ".", omittingEmptySubsequences: false)
        guard token.utf8.count <= SimulatorLimits.tokenBytesMax, segments.count == 3,
            let header = Self.object(segments[0]), let claims = Self.object(segments[1]),
            let signature = Base64.urlBytes(String(segments[2]))
        else { throw .malformed }
        guard header["alg"]?.string == "ES256", header["kid"]?.string == keyID,
            header["typ"] == nil || header["typ"]?.string == "JWT"
        else { throw .header }
        let input = Array("\(segments[0]).\(segments[1])".utf8)
        guard key.accepts(signature, over: input) else { throw .signature }
        guard claims["iss"]?.string == issuerID else { throw .issuer }
        guard claims["aud"]?.string == Self.audience else { throw .audience }
        guard claims["bid"]?.string == bundleID else { throw .bundle }
        guard let expires = claims["exp"]?.int64 else { throw .times }
        guard let claimed = claims["iat"] else { return try checkEnd(expires, at: now / 1_000) }
        guard let issued = claimed.int64, issued >= 0,
            (0...Self.lifeSecondsMax).contains(expires &- issued)
        else { throw .times }
        guard now / 1_000 < expires else { throw .expired }
        guard issued <= now / 1_000 + Self.skewSecondsMax else { throw .future }
    }

    /// The end of a token that does not say when it was issued, as Apple's library for Python makes
    /// them; moments in seconds.
    private func checkEnd(_ expires: Int64, at now: Int64) throws(Refusal) {
        guard expires >= 0, expires &- now <= Self.lifeSecondsMax + Self.skewSecondsMax else {
            throw .times
        }
        guard now < expires else { throw .expired }
    }

    /// A token of this key, good for five minutes, as the value of an Authorization header.
    package func authorization(at now: Int64 = StoreTime.now()) throws(AuthorityFailure) -> String {
        try authorization(
            header: ["alg": "ES256", "kid": .string(keyID), "typ": "JWT"],
            claims: [
                "iss": .string(issuerID), "iat": .integer(now / 1_000),
                "exp": .integer(now / 1_000 + 300), "aud": .string(Self.audience),
                "bid": .string(bundleID),
            ]
        )
    }

    /// Any token that this key signs.
    package func authorization(
        header: JSONObject,
        claims: JSONObject
    ) throws(AuthorityFailure) -> String {
        let segments = [header, claims].map { Base64.urlText(JSONValue.object($0).bytes) }
        let input = segments.joined(separator: ".")
        return "Bearer \(input).\(Base64.urlText(try key.signature(over: Array(input.utf8))))"
    }

    private static let audience = "appstoreconnect-v1"
    private static let lifeSecondsMax: Int64 = 3_600
    /// For clocks that differ.
    private static let skewSecondsMax: Int64 = 60

    private static func object(_ segment: Substring) -> JSONObject? {
        Base64.urlBytes(String(segment)).flatMap { try? JSONValue.parse($0) }?.object
    }
}
