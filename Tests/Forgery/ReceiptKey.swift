import COpenSSL

/// An RSA key, as receipts are signed with.
package final class ReceiptKey: Sendable {
    // SAFETY: an EVP_PKEY may be used for signing from several threads; freed once, in deinit.
    private nonisolated(unsafe) let key: OpaquePointer

    /// A new key of so many bits.
    package init(bits: Int = 2048) throws(ForgeryFailure) {
        // SAFETY: made and freed here; the key is kept.
        let context = EVP_PKEY_CTX_new_id(EVP_PKEY_RSA, nil)
        defer { EVP_PKEY_CTX_free(context) }
        var made: OpaquePointer?
        guard EVP_PKEY_keygen_init(context) == 1,
            EVP_PKEY_CTX_ctrl_str(context, "rsa_keygen_bits", "\(bits)") == 1,
            EVP_PKEY_generate(context, &made) == 1, let made
        else { throw ForgeryFailure(description: "no RSA key of \(bits) bits") }
        key = made
    }

    deinit { EVP_PKEY_free(key) }

    /// The private key, PEM.
    package func privatePEM() throws(ForgeryFailure) -> String {
        let bio = BIO_new(BIO_s_mem())
        defer { BIO_free(bio) }
        var start: UnsafeMutablePointer<CChar>?
        guard PEM_write_bio_PrivateKey(bio, key, nil, nil, 0, nil, nil) == 1,
            case let count = openssl_bio_bytes(bio, &start), let start
        else { throw ForgeryFailure(description: "the key could not be written") }
        // SAFETY: the BIO owns so many bytes until it is freed.
        return String(decoding: UnsafeRawBufferPointer(start: start, count: count), as: UTF8.self)
    }

    /// The public key, as a certificate holds it: SubjectPublicKeyInfo, DER.
    package var publicDER: [UInt8] {
        var start: UnsafeMutablePointer<UInt8>?
        let count = i2d_PUBKEY(key, &start)
        guard count > 0, let start else { preconditionFailure("a public key can be written") }
        // SAFETY: OpenSSL allocated so many bytes for us.
        defer { openssl_free(start) }
        return Array(UnsafeBufferPointer(start: start, count: Int(count)))
    }

    /// RSASSA-PKCS1-v1_5 over `bytes`, or RSASSA-PSS.
    package func signature(
        over bytes: [UInt8],
        _ hash: ReceiptHash,
        isPSS: Bool = false
    ) throws(ForgeryFailure) -> [UInt8] {
        let context = EVP_MD_CTX_new()
        // SAFETY: made and freed here; the key's context belongs to it.
        defer { EVP_MD_CTX_free(context) }
        var inner: OpaquePointer?
        var count = 1024
        var signature = [UInt8](repeating: 0, count: count)
        guard EVP_DigestSignInit(context, &inner, hash.method, nil, key) == 1,
            !isPSS || EVP_PKEY_CTX_ctrl_str(inner, "rsa_padding_mode", "pss") == 1,
            EVP_DigestSign(context, &signature, &count, bytes, bytes.count) == 1
        else { throw ForgeryFailure(description: "the bytes could not be signed") }
        return Array(signature.prefix(count))
    }
}

/// What a receipt, or a certificate in it, is signed over.
package enum ReceiptHash: Sendable, CaseIterable {
    case md5
    case sha1
    case sha256
    case sha384
    case sha512

    var method: OpaquePointer? {
        switch self {
        case .md5: EVP_md5()
        case .sha1: EVP_sha1()
        case .sha256: EVP_sha256()
        case .sha384: EVP_sha384()
        case .sha512: EVP_sha512()
        }
    }

    /// The digest's own identifier.
    package var oid: String {
        switch self {
        case .md5: "1.2.840.113549.2.5"
        case .sha1: "1.3.14.3.2.26"
        case .sha256: "2.16.840.1.101.3.4.2.1"
        case .sha384: "2.16.840.1.101.3.4.2.2"
        case .sha512: "2.16.840.1.101.3.4.2.3"
        }
    }

    /// The identifier of RSA with this digest.
    package var rsaOID: String {
        switch self {
        case .md5: "1.2.840.113549.1.1.4"
        case .sha1: "1.2.840.113549.1.1.5"
        case .sha256: "1.2.840.113549.1.1.11"
        case .sha384: "1.2.840.113549.1.1.12"
        case .sha512: "1.2.840.113549.1.1.13"
        }
    }

    /// The digest of `bytes`.
    package func digest(_ bytes: [UInt8]) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: 64)
        var count: UInt32 = 0
        guard EVP_Digest(bytes, bytes.count, &digest, &count, method, nil) == 1 else { return [] }
        return Array(digest.prefix(Int(count)))
    }
}
