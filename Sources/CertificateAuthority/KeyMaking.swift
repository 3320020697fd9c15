import COpenSSL
import JSON

/// Keys, their forms, and signatures by them.
enum KeyMaking {
    static func key(_ curve: String) throws(AuthorityFailure) -> OpaquePointer {
        guard let key = openssl_make_ec_key(curve) else {
            throw AuthorityFailure(description: "no key on \(curve)")
        }
        return key
    }

    static func key(pem: String) throws(AuthorityFailure) -> OpaquePointer {
        let bytes = Array(pem.utf8)
        // SAFETY: the BIO reads the array during these calls only.
        let key = bytes.withUnsafeBytes { bytes -> OpaquePointer? in
            let bio = BIO_new_mem_buf(bytes.baseAddress, Int32(bytes.count))
            defer { BIO_free(bio) }
            return PEM_read_bio_PrivateKey(bio, nil, nil, nil)
        }
        guard let key else { throw AuthorityFailure(description: "the PEM holds no private key") }
        return key
    }

    static func pem(ofPrivate key: OpaquePointer) throws(AuthorityFailure) -> String {
        let bio = BIO_new(BIO_s_mem())
        defer { BIO_free(bio) }
        guard PEM_write_bio_PrivateKey(bio, key, nil, nil, 0, nil, nil) == 1 else {
            throw AuthorityFailure(description: "the key could not be written")
        }
        var start: UnsafeMutablePointer<CChar>?
        let count = openssl_bio_bytes(bio, &start)
        guard let start else { throw AuthorityFailure(description: "the key is empty") }
        // SAFETY: the BIO owns so many bytes until it is freed.
        let bytes = UnsafeRawBufferPointer(start: start, count: count)
        return String(decoding: bytes, as: UTF8.self)
    }

    static func der(_ certificate: OpaquePointer) throws(AuthorityFailure) -> [UInt8] {
        var start: UnsafeMutablePointer<UInt8>?
        let count = i2d_X509(certificate, &start)
        guard count > 0, let start else {
            throw AuthorityFailure(description: "the certificate could not be written")
        }
        // SAFETY: OpenSSL allocated so many bytes for us.
        defer { openssl_free(start) }
        return Array(UnsafeBufferPointer(start: start, count: Int(count)))
    }

    static func pem(ofCertificate der: [UInt8]) -> String {
        var text = "-----BEGIN CERTIFICATE-----\n"
        var rest = Base64.text(der)[...]
        while !rest.isEmpty {
            text += rest.prefix(64) + "\n"
            rest = rest.dropFirst(64)
        }
        return text + "-----END CERTIFICATE-----\n"
    }

    /// ECDSA with SHA-256 as r and s, 32 bytes each (RFC 7518, section 3.4).
    static func signature(
        over bytes: [UInt8],
        by key: OpaquePointer
    ) throws(AuthorityFailure) -> [UInt8] {
        let context = EVP_MD_CTX_new()
        defer { EVP_MD_CTX_free(context) }
        var count = 128
        var der = [UInt8](repeating: 0, count: count)
        guard EVP_DigestSignInit(context, nil, EVP_sha256(), nil, key) == 1,
            EVP_DigestSign(context, &der, &count, bytes, bytes.count) == 1
        else { throw AuthorityFailure(description: "the document could not be signed") }
        // SAFETY: the pointer walks through `der`, which lives to the end of the closure.
        let parsed = der.withUnsafeBufferPointer { buffer -> OpaquePointer? in
            var start = buffer.baseAddress
            return d2i_ECDSA_SIG(nil, &start, count)
        }
        defer { ECDSA_SIG_free(parsed) }
        var signature = [UInt8](repeating: 0, count: 64)
        signature.withUnsafeMutableBufferPointer { buffer in
            guard let start = buffer.baseAddress else { return }
            BN_bn2binpad(ECDSA_SIG_get0_r(parsed), start, 32)
            BN_bn2binpad(ECDSA_SIG_get0_s(parsed), start + 32, 32)
        }
        return signature
    }
}
