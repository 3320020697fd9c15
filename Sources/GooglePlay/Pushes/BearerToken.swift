import JSON
import Signatures

/// The bearer token of an Authorization header, parsed but not yet verified.
struct BearerToken {
    /// The `kid`.
    let keyName: String
    /// Header, dot and payload, as they were written.
    let signed: [UInt8]
    /// The signature, decoded.
    let signature: [UInt8]
    private let payload: ArraySlice<UInt8>

    /// Parses `authorization`: the scheme Bearer (RFC 6750, section 2.1), then a JWS in compact
    /// form, which is three segments of canonical base64url with nothing around them.
    init(authorization: [UInt8]?) throws(Refusal) {
        guard let authorization else { throw Refusal(.missing, "no Authorization header") }
        guard authorization.count <= PlayLimits.authorizationBytesMax else {
            throw Refusal(.malformed, "the token is too long")
        }
        let scheme = authorization.prefix { $0 != 0x20 }
        guard String(decoding: scheme, as: UTF8.self).lowercased() == "bearer" else {
            throw Refusal(.missing, "not the scheme Bearer")
        }
        let compact = Array(authorization.dropFirst(scheme.count).drop { $0 == 0x20 })
        guard !compact.isEmpty else { throw Refusal(.missing, "no token behind the scheme") }
        let dots = Segments.dots(in: compact)
        guard dots.count == 2 else { throw Refusal(.malformed, "not three segments") }
        let header = compact[..<dots[0]]
        payload = compact[(dots[0] + 1)..<dots[1]]
        let last = compact[(dots[1] + 1)...]
        guard !header.isEmpty, !payload.isEmpty, !last.isEmpty else {
            throw Refusal(.malformed, "an empty segment")
        }
        keyName = try Self.keyName(header)
        guard let signature = Base64.decoded(last, .url) else {
            throw Refusal(.malformed, "a segment is not canonical base64url")
        }
        self.signature = signature
        signed = Array(compact[..<dots[1]])
    }

    /// The claims.
    ///
    /// The caller must have checked the signature.
    func claims() throws(Refusal) -> JSONObject { try Self.object(payload, "payload") }

    /// The name of the key.
    ///
    /// `alg` must be the fixed one, and members that would change the meaning of the signature are
    /// refused (RFC 7515, sections 4.1.11 and 10.7).
    private static func keyName(_ header: ArraySlice<UInt8>) throws(Refusal) -> String {
        let members = try object(header, "header")
        guard members["alg"]?.string == "RS256" else {
            throw Refusal(.algorithm, "the algorithm is not RS256")
        }
        for name in ["crit", "b64", "jwk", "jku", "x5u", "x5c", "zip", "enc"]
        where members[name] != nil {
            throw Refusal(.algorithm, "the header has \(name)")
        }
        if let type = members["typ"], type.string?.lowercased() != "jwt" {
            throw Refusal(.malformed, "the type is not JWT")
        }
        guard let name = members["kid"]?.string,
            (1...PlayLimits.nameBytesMax).contains(name.utf8.count)
        else { throw Refusal(.malformed, "no kid") }
        return name
    }

    private static func object(
        _ segment: ArraySlice<UInt8>,
        _ what: String
    ) throws(Refusal) -> JSONObject {
        guard let bytes = Base64.decoded(segment, .url) else {
            throw Refusal(.malformed, "the \(what) is not canonical base64url")
        }
        let parsed = try? JSONValue.parse(bytes, depthMax: PlayLimits.tokenDepthMax)
        guard let object = parsed?.object else {
            throw Refusal(.malformed, "the \(what) is no object of strict JSON")
        }
        return object
    }
}
