import COpenSSL

/// Codes that only the holder of a secret can make for a message (RFC 2104).
package enum MessageAuthentication {
    /// HMAC with SHA-256 over `message`: 32 bytes.
    package static func sha256(of message: [UInt8], key: [UInt8]) -> [UInt8] {
        // SAFETY: both arrays outlive the call and say their sizes; SHA-256 fills 32 bytes, which
        // is the room there is.
        [UInt8](unsafeUninitializedCapacity: 32) { code, count in
            let done = message.withUnsafeBufferPointer { message in
                key.withUnsafeBufferPointer { key in
                    // Without a key OpenSSL takes an earlier one, if there was any.
                    var none: UInt8 = 0
                    return withUnsafePointer(to: &none) { none in
                        HMAC(
                            EVP_sha256(),
                            key.baseAddress ?? none,
                            Int32(key.count),
                            message.baseAddress,
                            message.count,
                            code.baseAddress,
                            nil
                        )
                    }
                }
            }
            precondition(done != nil, "libcrypto has memory for an HMAC")
            count = 32
        }
    }

    /// Whether two codes are the same bytes, found out in a time that depends on their lengths
    /// alone.
    package static func areEqual(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        guard one.count == other.count else { return false }
        // SAFETY: both arrays outlive the call and have so many bytes.
        return one.withUnsafeBytes { one in
            other.withUnsafeBytes { CRYPTO_memcmp(one.baseAddress, $0.baseAddress, one.count) == 0 }
        }
    }
}
