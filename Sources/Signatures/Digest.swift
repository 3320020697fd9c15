import COpenSSL

/// Hashes from OpenSSL.
package enum Digest {
    /// SHA-256: 32 bytes.
    package static func sha256(_ bytes: [UInt8]) -> [UInt8] {
        bytes.withUnsafeBytes { sha256($0) }
    }

    /// SHA-256 of the text's UTF-8: 32 bytes.
    package static func sha256(_ text: String) -> [UInt8] {
        var text = text
        return text.withUTF8 { sha256(UnsafeRawBufferPointer($0)) }
    }

    private static func sha256(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
        // SAFETY: SHA-256 fills 32 bytes, which is the room there is.
        [UInt8](unsafeUninitializedCapacity: 32) { digest, count in
            let code = EVP_Digest(
                bytes.baseAddress,
                bytes.count,
                digest.baseAddress,
                nil,
                method,
                nil
            )
            precondition(code == 1, "libcrypto has memory for a SHA-256")
            count = 32
        }
    }

    // SAFETY: a method is never changed after it was fetched, and lives as long as the process.
    // Fetched once: SHA256() looks it up by name each time, which takes as long as the hash.
    private nonisolated(unsafe) static let method: OpaquePointer = {
        guard let method = EVP_MD_fetch(nil, "SHA256", nil) else {
            preconditionFailure("libcrypto has SHA-256")
        }
        return method
    }()
}
