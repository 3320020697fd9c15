import COpenSSL

/// A SHA-256 over bytes that come piece by piece.
package struct RunningDigest: ~Copyable {
    // SAFETY: made by init, used by this value alone, freed once, in deinit.
    private let context: OpaquePointer?

    /// A digest of nothing yet.
    package init() {
        context = EVP_MD_CTX_new()
        precondition(
            EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1,
            "libcrypto has memory for a SHA-256"
        )
    }

    deinit { EVP_MD_CTX_free(context) }

    /// Takes in the next bytes.
    package mutating func update(_ bytes: ArraySlice<UInt8>) {
        // SAFETY: the slice outlives the call and says its size.
        bytes.withUnsafeBytes { _ = EVP_DigestUpdate(context, $0.baseAddress, $0.count) }
    }

    /// The 32 bytes over everything taken in; nothing is taken in after.
    package mutating func finish() -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: 32)
        EVP_DigestFinal_ex(context, &digest, nil)
        return digest
    }
}
