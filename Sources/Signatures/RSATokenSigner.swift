import COpenSSL
import JSON

/// Why a text is no key for RS256.
package enum RSAKeyFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// No private key in PEM, or one behind a password.
    case unreadable
    /// A key of another kind, or of fewer than 2048 or more than 4096 bits.
    case notRSA

    /// In words.
    package var description: String {
        switch self {
        case .unreadable: "holds no private key in PEM without a password"
        case .notRSA: "holds a key that is not an RSA key of 2048 to 4096 bits"
        }
    }
}

/// Signs tokens with RS256 (RFC 7518, section 3.3), as Google's service accounts do.
///
/// Shared by threads.
package final class RSATokenSigner: Sendable {
    // SAFETY: an EVP_PKEY is only read after this, from any thread; freed once, in deinit.
    private nonisolated(unsafe) let key: OpaquePointer

    /// The signer with the private key in `pem`, PKCS #8 or PKCS #1.
    package init(privateKeyPEM pem: [UInt8]) throws(RSAKeyFault) {
        guard let key = PrivateKeys.key(pem: pem) else { throw .unreadable }
        let bits = Int(EVP_PKEY_get_bits(key))
        guard EVP_PKEY_get_base_id(key) == EVP_PKEY_RSA,
            (SignatureLimits.rsaBitsMin...SignatureLimits.rsaBitsMax).contains(bits)
        else {
            EVP_PKEY_free(key)
            throw .notRSA
        }
        self.key = key
    }

    deinit { EVP_PKEY_free(key) }

    /// The compact token of these two JSON texts; the header names `RS256`.
    package func token(header: [UInt8], claims: [UInt8]) -> String {
        let input = Base64.urlText(header) + "." + Base64.urlText(claims)
        return input + "." + Base64.urlText(signature(over: Array(input.utf8)))
    }

    /// RSASSA-PKCS1-v1_5 with SHA-256 over `bytes`.
    package func signature(over bytes: [UInt8]) -> [UInt8] {
        PrivateKeys.signature(over: bytes, by: key)
    }
}
