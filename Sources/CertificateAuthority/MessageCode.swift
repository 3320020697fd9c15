import COpenSSL

/// Codes that the holder of a secret makes for a message, as Stripe signs events.
package enum MessageCode {
    /// HMAC with SHA-256 (RFC 2104) over `message`, in lower-case hexadecimal digits.
    package static func sha256(of message: [UInt8], secret: String) -> String {
        let key = Array(secret.utf8)
        // SAFETY: both arrays outlive the call and say their sizes; SHA-256 fills the 32 bytes.
        let code = [UInt8](unsafeUninitializedCapacity: 32) { code, count in
            let done = HMAC(
                EVP_sha256(),
                key,
                Int32(key.count),
                message,
                message.count,
                code.baseAddress,
                nil
            )
            precondition(done != nil, "libcrypto has memory for an HMAC")
            count = 32
        }
        return code.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
