import COpenSSL

/// The rules for a receipt's chain: RSA, and the marks of Apple's receipts
/// (docs/app-store-facts.md, "Receipts").
///
/// SHA-1 stands: Apple signed receipts and their certificates with it until 2023. It needs a
/// collision prepared by Apple itself to be forged here.
struct ReceiptChainPolicy {
    let blockedSerials: Set<[UInt8]>

    /// Checks what a certificate says of itself.
    ///
    /// The chain itself is judged by `RootStore`.
    func check(leaf: Certificate, intermediate: Certificate) throws(ForgeryReason) {
        for certificate in [leaf, intermediate] { try check(certificate) }
        guard leaf.extensions[ChainPolicy.leafMarker] != nil else {
            throw fault("the leaf is not marked for receipts")
        }
        guard intermediate.extensions[ChainPolicy.intermediateMarker] != nil else {
            throw fault("the intermediate is not marked as Apple's")
        }
        guard !leaf.isAuthority else { throw fault("the leaf is an authority") }
        guard intermediate.isAuthority else { throw fault("the intermediate is no authority") }
        guard leaf.mayBeUsed(for: KU_DIGITAL_SIGNATURE) else {
            throw fault("the leaf may not sign")
        }
        guard intermediate.mayBeUsed(for: KU_KEY_CERT_SIGN) else {
            throw fault("the intermediate may not sign certificates")
        }
    }

    private func check(_ certificate: Certificate) throws(ForgeryReason) {
        guard certificate.isVersion3 else { throw fault("a certificate is not version 3") }
        guard certificate.hasOrdinarySerial else { throw fault("a serial is out of order") }
        guard !blockedSerials.contains(certificate.serial) else {
            throw fault("a certificate is blocked")
        }
        guard certificate.isSignedByRSA else {
            throw fault("a certificate is not signed by RSA with SHA-1 or SHA-2")
        }
        guard let bits = certificate.rsaBits, ReceiptLimits.keyBits.contains(bits) else {
            throw fault("a key is not RSA of 2048 to 4096 bits")
        }
        guard certificate.validity != nil else { throw fault("a time is malformed") }
        guard certificate.extensions.values.allSatisfy({ $0 == 1 }) else {
            throw fault("an extension occurs twice")
        }
        guard !certificate.isInvalid else { throw fault("an extension is malformed") }
    }

    private func fault(_ detail: String) -> ForgeryReason { ForgeryReason(.chain, detail) }
}

extension Certificate {
    /// Signed by RSA (PKCS #1 v1.5) with SHA-1 or one of SHA-2.
    var isSignedByRSA: Bool {
        [
            NID_sha1WithRSAEncryption, NID_sha256WithRSAEncryption, NID_sha384WithRSAEncryption,
            NID_sha512WithRSAEncryption,
        ]
        .contains(X509_get_signature_nid(handle))
    }

    /// The length of its key, or nil where that is none of RSA.
    var rsaBits: Int? {
        guard let key = X509_get0_pubkey(handle), EVP_PKEY_is_a(key, "RSA") == 1 else { return nil }
        return Int(EVP_PKEY_get_bits(key))
    }
}
