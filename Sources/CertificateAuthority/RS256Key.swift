import COpenSSL
import JSON

/// An RSA key that signs and checks RS256 tokens (RFC 7518, section 3.3), as Google's accounts do.
package final class RS256Key: Sendable {
    // SAFETY: an EVP_PKEY may be used from several threads; freed once, in deinit.
    private nonisolated(unsafe) let key: OpaquePointer

    /// A new key of 2,048 bits.
    package init() throws(AuthorityFailure) {
        // SAFETY: made and freed here; the key is kept.
        let context = EVP_PKEY_CTX_new_id(EVP_PKEY_RSA, nil)
        defer { EVP_PKEY_CTX_free(context) }
        var made: OpaquePointer?
        guard EVP_PKEY_keygen_init(context) == 1,
            EVP_PKEY_CTX_ctrl_str(context, "rsa_keygen_bits", "2048") == 1,
            EVP_PKEY_generate(context, &made) == 1, let made
        else { throw AuthorityFailure(description: "no RSA key") }
        key = made
    }

    /// The key that `privatePEM` wrote; refused unless it is an RSA key.
    package init(pem: String) throws(AuthorityFailure) {
        let key = try KeyMaking.key(pem: pem)
        guard EVP_PKEY_get_base_id(key) == EVP_PKEY_RSA else {
            EVP_PKEY_free(key)
            throw AuthorityFailure(description: "the PEM holds no RSA key")
        }
        self.key = key
    }

    deinit { EVP_PKEY_free(key) }

    /// The private key: PKCS #8, PEM.
    package func privatePEM() throws(AuthorityFailure) -> String {
        try KeyMaking.pem(ofPrivate: key)
    }

    /// The public key as PEM.
    package var publicPEM: String {
        var start: UnsafeMutablePointer<UInt8>?
        let count = i2d_PUBKEY(key, &start)
        guard count > 0, let start else { preconditionFailure("a public key can be written") }
        // SAFETY: OpenSSL allocated so many bytes for us.
        defer { openssl_free(start) }
        let text = Base64.text(Array(UnsafeBufferPointer(start: start, count: Int(count))))
        return "-----BEGIN PUBLIC KEY-----\n\(text)\n-----END PUBLIC KEY-----\n"
    }

    /// Modulus and exponent, as a JWK holds them (RFC 7518, section 6.3.1).
    package var publicNumbers: (modulus: [UInt8], exponent: [UInt8]) {
        func bytes(_ name: String) -> [UInt8] {
            var number: OpaquePointer?
            guard EVP_PKEY_get_bn_param(key, name, &number) == 1 else { return [] }
            // SAFETY: made by the call, freed here; so many bytes are written.
            defer { BN_free(number) }
            var bytes = [UInt8](repeating: 0, count: Int(BN_num_bits(number) + 7) / 8)
            BN_bn2bin(number, &bytes)
            return bytes
        }
        return (bytes("n"), bytes("e"))
    }

    /// RSASSA-PKCS1-v1_5 with SHA-256 over `bytes`.
    package func signature(over bytes: [UInt8]) throws(AuthorityFailure) -> [UInt8] {
        let context = EVP_MD_CTX_new()
        // SAFETY: made and freed here; `count` says how much room there is.
        defer { EVP_MD_CTX_free(context) }
        var count = Int(EVP_PKEY_get_size(key))
        var signature = [UInt8](repeating: 0, count: count)
        guard EVP_DigestSignInit(context, nil, EVP_sha256(), nil, key) == 1,
            EVP_DigestSign(context, &signature, &count, bytes, bytes.count) == 1
        else { throw AuthorityFailure(description: "the bytes could not be signed") }
        return Array(signature.prefix(count))
    }

    /// Whether `signature` is this key's over `bytes`.
    package func accepts(_ signature: [UInt8], over bytes: [UInt8]) -> Bool {
        let context = EVP_MD_CTX_new()
        // SAFETY: made and freed here; the arrays are read during the calls only.
        defer { EVP_MD_CTX_free(context) }
        guard EVP_DigestVerifyInit(context, nil, EVP_sha256(), nil, key) == 1 else { return false }
        let verdict = EVP_DigestVerify(context, signature, signature.count, bytes, bytes.count)
        // A refused signature leaves its reason in the thread's queue.
        ERR_clear_error()
        return verdict == 1
    }
}
