import COpenSSL

/// What signers of every kind do with a key of OpenSSL's.
enum PrivateKeys {
    /// The key in `pem`, which whoever has it frees; nil where there is none, or one behind a
    /// password.
    static func key(pem: [UInt8]) -> OpaquePointer? {
        guard pem.count <= TokenSigner.keyBytesMax else { return nil }
        // SAFETY: the BIO reads the array during these calls only. Without a callback OpenSSL would
        // ask a terminal for the password of an encrypted key.
        let key = pem.withUnsafeBytes { pem -> OpaquePointer? in
            let bio = BIO_new_mem_buf(pem.baseAddress, Int32(pem.count))
            defer { BIO_free(bio) }
            return PEM_read_bio_PrivateKey(bio, nil, { _, _, _, _ in -1 }, nil)
        }
        // A refused text leaves its reasons in the thread's queue.
        ERR_clear_error()
        return key
    }

    /// The signature of `key` with SHA-256 over `bytes`, as OpenSSL writes it.
    static func signature(over bytes: [UInt8], by key: OpaquePointer) -> [UInt8] {
        let context = EVP_MD_CTX_new()
        // SAFETY: made and freed here; the arrays are used during the calls only, and `count` says
        // how much room there is.
        defer { EVP_MD_CTX_free(context) }
        var count = Int(EVP_PKEY_get_size(key))
        var signature = [UInt8](repeating: 0, count: count)
        let isSigned =
            EVP_DigestSignInit(context, nil, EVP_sha256(), nil, key) == 1
            && EVP_DigestSign(context, &signature, &count, bytes, bytes.count) == 1
        precondition(isSigned, "a checked key signs any bytes")
        return Array(signature.prefix(count))
    }
}
