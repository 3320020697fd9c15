import COpenSSL
import JSON

/// A private key of any kind, for certificates and documents that are not as they should be.
package final class CertificateKey: Sendable {
    /// What kind of key.
    package enum Kind: Sendable {
        /// On a named curve; `isExplicit` writes the curve's parameters out instead of its name.
        case curve(String, isExplicit: Bool = false)
        case ed25519
        /// Of 2,048 bits.
        case rsa
    }

    /// What a signature is made over: the digest of this kind.
    package enum Hash: Sendable {
        case md5
        case sha1
        case sha256
        case sha384
        case sha512
        /// The whole, as Ed25519 wants it.
        case none
    }

    // SAFETY: an EVP_PKEY may be used for signing from several threads; freed once, in deinit.
    private nonisolated(unsafe) let key: OpaquePointer

    /// A new key.
    package init(_ kind: Kind) throws(ForgeryFailure) {
        let number: Int32
        var settings: [(String, String)] = []
        switch kind {
        case .curve(let name, let isExplicit):
            number = EVP_PKEY_EC
            settings = [("ec_paramgen_curve", name)]
            if isExplicit { settings.append(("ec_param_enc", "explicit")) }
        case .ed25519: number = EVP_PKEY_ED25519
        case .rsa:
            number = EVP_PKEY_RSA
            settings = [("rsa_keygen_bits", "2048")]
        }
        // SAFETY: made and freed here; the key is kept.
        let context = EVP_PKEY_CTX_new_id(number, nil)
        defer { EVP_PKEY_CTX_free(context) }
        var made: OpaquePointer?
        guard EVP_PKEY_keygen_init(context) == 1,
            settings.allSatisfy({ EVP_PKEY_CTX_ctrl_str(context, $0.0, $0.1) == 1 }),
            EVP_PKEY_generate(context, &made) == 1, let made
        else { throw ForgeryFailure(description: "no key of kind \(kind)") }
        key = made
    }

    deinit { EVP_PKEY_free(key) }

    /// The public key, as a certificate holds it: SubjectPublicKeyInfo, DER.
    package var publicDER: [UInt8] {
        var start: UnsafeMutablePointer<UInt8>?
        let count = i2d_PUBKEY(key, &start)
        guard count > 0, let start else { preconditionFailure("a public key can be written") }
        // SAFETY: OpenSSL allocated so many bytes for us.
        defer { openssl_free(start) }
        return Array(UnsafeBufferPointer(start: start, count: Int(count)))
    }

    /// The public key as PEM.
    package var publicPEM: String {
        let text = Base64.text(publicDER)
        return "-----BEGIN PUBLIC KEY-----\n\(text)\n-----END PUBLIC KEY-----\n"
    }

    /// The signature over `bytes` in the key's own form: for curves, DER of r and s.
    package func signature(
        over bytes: [UInt8],
        _ hash: Hash,
        isPSS: Bool = false
    ) throws(ForgeryFailure) -> [UInt8] {
        let context = EVP_MD_CTX_new()
        // SAFETY: made and freed here; the key's context belongs to it.
        defer { EVP_MD_CTX_free(context) }
        var inner: OpaquePointer?
        var count = 1024
        var signature = [UInt8](repeating: 0, count: count)
        guard EVP_DigestSignInit(context, &inner, Self.digest(hash), nil, key) == 1,
            !isPSS || EVP_PKEY_CTX_ctrl_str(inner, "rsa_padding_mode", "pss") == 1,
            EVP_DigestSign(context, &signature, &count, bytes, bytes.count) == 1
        else { throw ForgeryFailure(description: "the bytes could not be signed") }
        return Array(signature.prefix(count))
    }

    /// The signature over `bytes` as r and s, `width` bytes each: on curves only.
    package func pair(
        over bytes: [UInt8],
        _ hash: Hash = .sha256,
        width: Int = 32
    ) throws(ForgeryFailure) -> [UInt8] {
        let der = try signature(over: bytes, hash)
        // SAFETY: the pointer walks through `der`, which lives to the end of the closure.
        let parsed = der.withUnsafeBufferPointer { buffer -> OpaquePointer? in
            var start = buffer.baseAddress
            return d2i_ECDSA_SIG(nil, &start, der.count)
        }
        guard let parsed else { throw ForgeryFailure(description: "not a key on a curve") }
        defer { ECDSA_SIG_free(parsed) }
        var pair = [UInt8](repeating: 0, count: 2 * width)
        pair.withUnsafeMutableBufferPointer { buffer in
            guard let start = buffer.baseAddress else { return }
            BN_bn2binpad(ECDSA_SIG_get0_r(parsed), start, Int32(width))
            BN_bn2binpad(ECDSA_SIG_get0_s(parsed), start + width, Int32(width))
        }
        return pair
    }

    /// HMAC with SHA-256, for documents that pass a public key off as a secret.
    package static func hmac(_ bytes: [UInt8], secret: [UInt8]) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: 32)
        HMAC(EVP_sha256(), secret, Int32(secret.count), bytes, bytes.count, &digest, nil)
        return digest
    }

    private static func digest(_ hash: Hash) -> OpaquePointer? {
        switch hash {
        case .md5: EVP_md5()
        case .sha1: EVP_sha1()
        case .sha256: EVP_sha256()
        case .sha384: EVP_sha384()
        case .sha512: EVP_sha512()
        case .none: nil
        }
    }
}
