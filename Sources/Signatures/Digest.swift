import COpenSSL

/// Hashes from OpenSSL.
package enum Digest {
    /// SHA-256: 32 bytes.
    package static func sha256(_ bytes: [UInt8]) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: 32)
        EVP_Digest(bytes, bytes.count, &digest, nil, method, nil)
        return digest
    }

    // SAFETY: a method is never changed after it was fetched, and lives as long as the process.
    // Fetched once: SHA256() looks it up by name each time, which takes as long as the hash.
    private nonisolated(unsafe) static let method: OpaquePointer = {
        guard let method = EVP_MD_fetch(nil, "SHA256", nil) else {
            preconditionFailure("libcrypto has SHA-256")
        }
        return method
    }()

    /// HMAC with SHA-256: 32 bytes.
    package static func hmacSHA256(_ bytes: [UInt8], key: [UInt8]) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: 32)
        HMAC(EVP_sha256(), key, Int32(key.count), bytes, bytes.count, &digest, nil)
        return digest
    }
}
