import COpenSSL
import JSON

/// Why a text is no key for ES256.
package enum SigningKeyFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// No private key in PEM, or one behind a password.
    case unreadable
    /// A key of another kind, or on another curve.
    case notP256

    /// In words.
    package var description: String {
        switch self {
        case .unreadable: "holds no private key in PEM without a password"
        case .notP256: "holds a key that is not an elliptic-curve key on P-256"
        }
    }
}

/// Signs tokens with ES256 (RFC 7518, section 3.4), as App Store Connect's .p8 keys are meant for.
///
/// Shared by threads.
package final class TokenSigner: Sendable {
    // SAFETY: an EVP_PKEY is only read after this, from any thread; freed once, in deinit.
    private nonisolated(unsafe) let key: OpaquePointer

    /// The signer with the private key in `pem`, PKCS #8 or SEC 1.
    package init(privateKeyPEM pem: [UInt8]) throws(SigningKeyFault) {
        guard let key = PrivateKeys.key(pem: pem) else { throw .unreadable }
        guard Self.isOnP256(key) else {
            EVP_PKEY_free(key)
            throw .notP256
        }
        self.key = key
    }

    deinit { EVP_PKEY_free(key) }

    /// The compact token of these two JSON texts; the header names `ES256`.
    package func token(header: [UInt8], claims: [UInt8]) -> String {
        let input = Base64.urlText(header) + "." + Base64.urlText(claims)
        return input + "." + Base64.urlText(signature(over: Array(input.utf8)))
    }

    /// ECDSA with SHA-256 over `bytes` in DER, as base64: what does not want a token.
    package func textSignature(over bytes: [UInt8]) -> String {
        Base64.text(derSignature(over: bytes))
    }

    private func derSignature(over bytes: [UInt8]) -> [UInt8] {
        PrivateKeys.signature(over: bytes, by: key)
    }

    /// ES256 over `bytes`: r and s, 32 bytes each.
    package func signature(over bytes: [UInt8]) -> [UInt8] {
        let der = derSignature(over: bytes)
        // SAFETY: the pointer walks through `der`, which lives to the end of the closure.
        let parsed = der.withUnsafeBufferPointer { der -> OpaquePointer? in
            var start = der.baseAddress
            return d2i_ECDSA_SIG(nil, &start, der.count)
        }
        defer { ECDSA_SIG_free(parsed) }
        var pair = [UInt8](repeating: 0, count: 64)
        // SAFETY: r and s are below the order of P-256 and fill at most 32 bytes each.
        pair.withUnsafeMutableBufferPointer { pair in
            guard let start = pair.baseAddress else { return }
            BN_bn2binpad(ECDSA_SIG_get0_r(parsed), start, 32)
            BN_bn2binpad(ECDSA_SIG_get0_s(parsed), start + 32, 32)
        }
        return pair
    }

    private static func isOnP256(_ key: OpaquePointer) -> Bool {
        guard EVP_PKEY_get_base_id(key) == EVP_PKEY_EC else { return false }
        var name = [CChar](repeating: 0, count: 64)
        var count = 0
        // SAFETY: OpenSSL writes at most so many bytes, with the closing zero.
        guard EVP_PKEY_get_group_name(key, &name, name.count, &count) == 1 else {
            ERR_clear_error()
            return false
        }
        return name.prefix(count).elementsEqual("prime256v1".utf8.map { CChar($0) })
    }

    /// Bytes of a key's file; a .p8 has 257.
    package static let keyBytesMax = 64 << 10
}
