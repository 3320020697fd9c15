import COpenSSL
import Glibc

/// A leaf's public key, begun with the header that carries the leaf, and the time in which the
/// chain is valid.
///
/// The header, some kilobytes, begins whatever is signed under it, so that it is hashed once; each
/// document goes on from a copy of where it ended. Shared by threads.
final class LeafKey: Sendable {
    /// In seconds since 1970.
    let validity: ClosedRange<Int64>
    /// As it is written in the documents.
    let header: [UInt8]
    // SAFETY: only copied from after init, which reads it; freed once, in deinit.
    private nonisolated(unsafe) let begun: OpaquePointer

    init(
        _ leaf: Certificate,
        validity: ClosedRange<Int64>,
        header: [UInt8]
    ) throws(ForgeryReason) {
        guard let key = X509_get_pubkey(leaf.handle) else {
            throw ForgeryReason(.chain, "the leaf has no key")
        }
        // SAFETY: a reference of our own; the context takes another.
        defer { EVP_PKEY_free(key) }
        let begun = EVP_MD_CTX_new()
        guard let begun, EVP_DigestVerifyInit(begun, nil, Self.sha256, nil, key) == 1,
            EVP_DigestVerifyUpdate(begun, header, header.count) == 1
        else {
            EVP_MD_CTX_free(begun)
            throw ForgeryReason(.chain, "the leaf's key is not usable")
        }
        self.begun = begun
        self.header = header
        self.validity = validity
    }

    deinit { EVP_MD_CTX_free(begun) }

    // SAFETY: fetched once and only read; OpenSSL looks algorithms up anew otherwise, at each use.
    private nonisolated(unsafe) static let sha256 = EVP_MD_fetch(nil, "SHA256", nil)

    /// Whether `header` is the one that carries this key.
    func isBegun(with header: [UInt8]) -> Bool {
        guard self.header.count == header.count else { return false }
        // SAFETY: both have `header.count` bytes, and neither pointer leaves the closure.
        return self.header.withUnsafeBytes { left in
            header.withUnsafeBytes { right in
                guard let left = left.baseAddress, let right = right.baseAddress else {
                    return true
                }
                return memcmp(left, right, header.count) == 0
            }
        }
    }

    /// Whether the document's signature is this key's, and its header the one begun with.
    func verifies(_ document: SignedDocument) -> Bool {
        guard isBegun(with: document.header), let der = Self.der(document.signature) else {
            return false
        }
        let context = EVP_MD_CTX_new()
        // SAFETY: made and freed here; the slices outlive the calls.
        defer { EVP_MD_CTX_free(context) }
        guard EVP_MD_CTX_copy_ex(context, begun) == 1 else { return false }
        return document.signedRest.withUnsafeBufferPointer { rest in
            EVP_DigestVerifyUpdate(context, rest.baseAddress, rest.count) == 1
                && EVP_DigestVerifyFinal(context, der, der.count) == 1
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
