import COpenSSL

/// A key pair on P-256 that signs and checks ES256 tokens (RFC 7518, section 3.4), as App Store
/// Connect gives them out for its API.
package final class ES256Key: Sendable {
    // SAFETY: an EVP_PKEY may be used from several threads; freed once, in deinit.
    private nonisolated(unsafe) let key: OpaquePointer

    /// A new key.
    package init() throws(AuthorityFailure) { key = try KeyMaking.key("P-256") }

    /// The key in the text of a .p8 file; refused unless it is one on P-256.
    package init(pem: String) throws(AuthorityFailure) {
        let key = try KeyMaking.key(pem: pem)
        let isP256 = EVP_PKEY_get_base_id(key) == EVP_PKEY_EC && EVP_PKEY_get_bits(key) == 256
        guard isP256 else {
            EVP_PKEY_free(key)
            throw AuthorityFailure(description: "the PEM holds no key on P-256")
        }
        self.key = key
    }

    deinit { EVP_PKEY_free(key) }

    /// The private key as a .p8 file holds it: PKCS #8, PEM.
    package func privatePEM() throws(AuthorityFailure) -> String {
        try KeyMaking.pem(ofPrivate: key)
    }

    /// ES256 over `bytes`: r and s, 32 bytes each.
    package func signature(over bytes: [UInt8]) throws(AuthorityFailure) -> [UInt8] {
        try KeyMaking.signature(over: bytes, by: key)
    }

    /// Whether `signature`, r and s of 32 bytes each, is this key's over `bytes`.
    package func accepts(_ signature: [UInt8], over bytes: [UInt8]) -> Bool {
        guard signature.count == 64, let der = Self.der(ofPair: signature) else { return false }
        let context = EVP_MD_CTX_new()
        // SAFETY: made and freed here; the arrays are read during the calls only.
        defer { EVP_MD_CTX_free(context) }
        guard EVP_DigestVerifyInit(context, nil, EVP_sha256(), nil, key) == 1 else { return false }
        let verdict = EVP_DigestVerify(context, der, der.count, bytes, bytes.count)
        // A refused signature leaves its reason in the thread's queue.
        ERR_clear_error()
        return verdict == 1
    }

    /// r and s as OpenSSL wants them.
    private static func der(ofPair pair: [UInt8]) -> [UInt8]? {
        guard let parsed = ECDSA_SIG_new() else { return nil }
        defer { ECDSA_SIG_free(parsed) }
        let r = BN_bin2bn(Array(pair[..<32]), 32, nil)
        let s = BN_bin2bn(Array(pair[32...]), 32, nil)
        // SAFETY: `parsed` owns both numbers once they are set, and they are freed with it.
        guard ECDSA_SIG_set0(parsed, r, s) == 1 else {
            BN_free(r)
            BN_free(s)
            return nil
        }
        var start: UnsafeMutablePointer<UInt8>?
        let count = i2d_ECDSA_SIG(parsed, &start)
        guard count > 0, let start else { return nil }
        // SAFETY: OpenSSL allocated so many bytes for us.
        defer { openssl_free(start) }
        return Array(UnsafeBufferPointer(start: start, count: Int(count)))
    }
}
