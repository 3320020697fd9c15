import JSON
import Signatures

/// Why an answer is no set of keys.
package enum KeySetFault: Error, Hashable, Sendable {
    /// Too long, not strict JSON, or without a list of keys.
    case malformed
    /// Two keys with the same name.
    case ambiguous
    /// None of its keys checks RS256.
    case empty
}

/// The public keys with which Google signs the tokens of pushes: a JWK set (RFC 7517).
package struct KeySet: Sendable {
    private let keys: [String: RSAPublicKey]

    /// The set in `body`, an answer of the endpoint with keys.
    ///
    /// Keys for other purposes or of other kinds are left out, as RFC 7517, section 5, asks.
    package init(_ body: [UInt8]) throws(KeySetFault) {
        guard body.count <= PlayLimits.keySetBytesMax,
            let value = try? JSONValue.parse(body),
            let list = value["keys"]?.array, list.count <= PlayLimits.keysMax
        else { throw .malformed }
        var keys: [String: RSAPublicKey] = [:]
        for entry in list {
            guard let (name, key) = Self.key(entry) else { continue }
            guard keys.updateValue(key, forKey: name) == nil else { throw .ambiguous }
        }
        guard !keys.isEmpty else { throw .empty }
        self.keys = keys
    }

    /// How many keys it has.
    package var count: Int { keys.count }

    /// The key of this name.
    package subscript(_ name: String) -> RSAPublicKey? { keys[name] }

    private static func key(_ entry: JSONValue) -> (String, RSAPublicKey)? {
        guard entry["kty"]?.string == "RSA",
            isAbsent(entry["use"], or: "sig"), isAbsent(entry["alg"], or: "RS256"),
            let name = entry["kid"]?.string,
            (1...PlayLimits.nameBytesMax).contains(name.utf8.count),
            let modulus = entry["n"]?.string.flatMap(Base64.urlBytes),
            let exponent = entry["e"]?.string.flatMap(Base64.urlBytes),
            let key = RSAPublicKey(modulus: modulus, exponent: exponent)
        else { return nil }
        return (name, key)
    }

    private static func isAbsent(_ value: JSONValue?, or text: String) -> Bool {
        value == nil || value?.string == text
    }
}
