import COpenSSL

/// The rules for a chain: those of Apple's own verifier, and what it leaves to its X.509 libraries
/// (docs/app-store-facts.md, "Verification" and "Receipts").
struct ChainPolicy {
    /// What the leaf of a chain signs.
    enum Purpose {
        /// Notifications and transactions: ECDSA throughout.
        case documents
        /// App receipts: RSA throughout.
        ///
        /// SHA-1 stands: Apple signed receipts and their certificates with it until 2023. It needs
        /// a collision prepared by Apple itself to be forged here.
        case receipts
    }

    static let leafMarker = "1.2.840.113635.100.6.11.1"
    static let intermediateMarker = "1.2.840.113635.100.6.2.1"

    let purpose: Purpose
    let blockedSerials: Set<[UInt8]>

    /// Checks what the certificates say of themselves.
    ///
    /// The chain itself is judged by `RootStore`.
    func check(leaf: Certificate, intermediate: Certificate) throws(ForgeryReason) {
        for certificate in [leaf, intermediate] { try check(certificate) }
        if purpose == .documents {
            guard leaf.curve == "prime256v1" else { throw fault("the leaf's key is not on P-256") }
            guard ["prime256v1", "secp384r1"].contains(intermediate.curve) else {
                throw fault("the intermediate's key is on neither P-256 nor P-384")
            }
        }
        guard leaf.extensions[Self.leafMarker] != nil else {
            throw fault("the leaf is not marked for receipts and notifications")
        }
        guard intermediate.extensions[Self.intermediateMarker] != nil else {
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
        switch purpose {
        case .documents:
            guard certificate.isSignedByECDSA else {
                throw fault("a certificate is not signed by ECDSA with SHA-256 or SHA-384")
            }
            guard certificate.hasPlainPoint else { throw fault("a key is not written plainly") }
        case .receipts:
            guard certificate.isSignedByRSA else {
                throw fault("a certificate is not signed by RSA with SHA-1 or SHA-2")
            }
            guard let bits = certificate.rsaBits, ReceiptLimits.keyBits.contains(bits) else {
                throw fault("a key is not RSA of 2048 to 4096 bits")
            }
        }
        guard certificate.validity != nil else { throw fault("a time is malformed") }
        guard certificate.extensions.values.allSatisfy({ $0 == 1 }) else {
            throw fault("an extension occurs twice")
        }
        guard !certificate.isInvalid else { throw fault("an extension is malformed") }
    }

    private func fault(_ detail: String) -> ForgeryReason { ForgeryReason(.chain, detail) }
}
