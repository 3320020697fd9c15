import COpenSSL

/// A leaf's public key, with the time in which its chain is valid.
///
/// Shared by threads.
final class LeafKey: Sendable {
    /// In seconds since 1970.
    let validity: ClosedRange<Int64>
    // SAFETY: an EVP_PKEY is counted and only read after this; freed once, in deinit.
    private nonisolated(unsafe) let key: OpaquePointer

    init(_ leaf: Certificate, validity: ClosedRange<Int64>) throws(ForgeryReason) {
        guard let key = X509_get_pubkey(leaf.handle) else {
            throw ForgeryReason(.chain, "the leaf has no key")
        }
        self.key = key
        self.validity = validity
    }

    deinit { EVP_PKEY_free(key) }

    // SAFETY: fetched once and only read; OpenSSL looks algorithms up anew otherwise, at each use.
    private nonisolated(unsafe) static let sha256 = EVP_MD_fetch(nil, "SHA256", nil)

    /// Whether `signature`, r and s of 32 bytes each, is this key's over `input`.
    func verifies(_ signature: [UInt8], over input: ArraySlice<UInt8>) -> Bool {
        guard let der = Self.der(signature) else { return false }
        let context = EVP_MD_CTX_new()
        // SAFETY: made and freed here; the slices outlive the calls.
        defer { EVP_MD_CTX_free(context) }
        guard EVP_DigestVerifyInit(context, nil, Self.sha256, nil, key) == 1 else { return false }
        return input.withUnsafeBufferPointer { input in
            EVP_DigestVerify(context, der, der.count, input.baseAddress, input.count) == 1
        }
    }

    /// The form that OpenSSL verifies.
    ///
    /// It refuses r and s outside 1 to n - 1 itself.
    private static func der(_ signature: [UInt8]) -> [UInt8]? {
        precondition(signature.count == 64, "the document was taken apart with 64 bytes")
        var body: [UInt8] = []
        for half in [signature[..<32], signature[32...]] {
            var digits = Array(half.drop { $0 == 0 })
            if digits.isEmpty { return nil }
            if digits[0] >= 0x80 { digits.insert(0, at: 0) }
            body += [0x02, UInt8(digits.count)] + digits
        }
        return [0x30, UInt8(body.count)] + body
    }
}
