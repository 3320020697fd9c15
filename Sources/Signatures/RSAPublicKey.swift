import COpenSSL

/// A public RSA key that checks RS256: RSASSA-PKCS1-v1_5 with SHA-256 (RFC 7518, section 3.3).
///
/// Shared by threads.
package final class RSAPublicKey: Sendable {
    // SAFETY: an EVP_PKEY is only read after init, from any thread; freed once, in deinit.
    private nonisolated(unsafe) let key: OpaquePointer
    /// Bytes of the modulus, and so of each signature.
    package let bytes: Int

    /// The key with these numbers, big-endian as a JWK holds them (RFC 7518, section 6.3.1).
    ///
    /// Nil where a number has a leading zero, the modulus is even or has fewer than 2048 or more
    /// than 4096 bits, or the exponent is even, below 3 or longer than 32 bits. Shorter keys are
    /// broken, and longer ones and exponents would cost whoever checks more than whoever sends.
    package init?(modulus: [UInt8], exponent: [UInt8]) {
        guard let top = modulus.first, let low = modulus.last, top != 0, low & 1 == 1,
            let first = exponent.first, let last = exponent.last, first != 0, last & 1 == 1,
            exponent.count <= 4, exponent.count > 1 || last >= 3
        else { return nil }
        let bits = modulus.count * 8 - top.leadingZeroBitCount
        guard (SignatureLimits.rsaBitsMin...SignatureLimits.rsaBitsMax).contains(bits) else {
            return nil
        }
        // SAFETY: the arrays are read during the call only; the key is ours.
        let made = openssl_make_rsa_public(
            modulus,
            Int32(modulus.count),
            exponent,
            Int32(exponent.count)
        )
        // What was refused leaves its reasons in the thread's queue.
        ERR_clear_error()
        guard let made else { return nil }
        key = made
        bytes = modulus.count
    }

    deinit { EVP_PKEY_free(key) }

    /// Whether `signature` is this key's over `bytes`; it has exactly as many bytes as the modulus.
    package func verifies(_ signature: [UInt8], over bytes: [UInt8]) -> Bool {
        guard signature.count == self.bytes else { return false }
        let context = EVP_MD_CTX_new()
        // SAFETY: made and freed here; the arrays are read during the calls only. PKCS #1 v1.5 is
        // the padding of an RSA key where none is named.
        defer { EVP_MD_CTX_free(context) }
        guard EVP_DigestVerifyInit(context, nil, EVP_sha256(), nil, key) == 1 else { return false }
        let verdict = EVP_DigestVerify(context, signature, signature.count, bytes, bytes.count)
        ERR_clear_error()
        return verdict == 1
    }
}
