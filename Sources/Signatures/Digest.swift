import COpenSSL

/// Hashes from OpenSSL.
package enum Digest {
    /// SHA-256: 32 bytes.
    package static func sha256(_ bytes: [UInt8]) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: 32)
        SHA256(bytes, bytes.count, &digest)
        return digest
    }

    /// HMAC with SHA-256: 32 bytes.
    package static func hmacSHA256(_ bytes: [UInt8], key: [UInt8]) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: 32)
        HMAC(EVP_sha256(), key, Int32(key.count), bytes, bytes.count, &digest, nil)
        return digest
    }
}
