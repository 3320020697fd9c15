import COpenSSL

/// PKCS #7 signed data (RFC 2315, section 9), parsed strictly, apart but not yet believed.
///
/// OpenSSL parses it and verifies the signature. Its shape is that of Apple's receipts: content of
/// type data inside, one signer, one digest, two to four certificates, no revocation lists.
final class ReceiptContainer {
    // SAFETY: made in init, freed once in deinit, used by one thread at a time.
    private let handle: UnsafeMutablePointer<PKCS7>
    private let signed: UnsafeMutablePointer<PKCS7_SIGNED>
    private let signerInfo: UnsafeMutablePointer<PKCS7_SIGNER_INFO>
    private let octets: UnsafeMutablePointer<ASN1_OCTET_STRING>

    /// Parses DER, of which every byte is used.
    init(der: [UInt8]) throws(ForgeryReason) {
        guard der.count <= ReceiptLimits.containerBytesMax else {
            throw ForgeryReason(.malformed, "the receipt is too long")
        }
        guard DERScan.accepts(der) else { throw ForgeryReason(.malformed, "not DER") }
        let count = der.count
        // SAFETY: the pointer walks through `der` during the call only.
        let parsed = der.withUnsafeBufferPointer { buffer -> UnsafeMutablePointer<PKCS7>? in
            var start = buffer.baseAddress
            let parsed = d2i_PKCS7(nil, &start, count)
            guard let parsed, start == buffer.baseAddress.map({ $0 + count }) else {
                PKCS7_free(parsed)
                return nil
            }
            return parsed
        }
        guard let parsed else { throw ForgeryReason(.malformed, "not PKCS #7") }
        guard let signed = Self.signedData(in: parsed), let octets = Self.octets(in: signed) else {
            PKCS7_free(parsed)
            throw ForgeryReason(.malformed, "not signed data with content of type data")
        }
        guard let signerInfo = Self.onlySigner(in: signed) else {
            PKCS7_free(parsed)
            throw ForgeryReason(.malformed, "not one signer with one digest")
        }
        handle = parsed
        self.signed = signed
        self.signerInfo = signerInfo
        self.octets = octets
    }

    deinit { PKCS7_free(handle) }

    /// The signed content.
    var content: [UInt8] {
        guard let start = ASN1_STRING_get0_data(octets) else { return [] }
        // SAFETY: the container owns so many bytes, and lives to the end of this call.
        let bytes = UnsafeBufferPointer(start: start, count: Int(ASN1_STRING_length(octets)))
        return Array(bytes)
    }

    /// The one certificate that the signer names by issuer and serial.
    var signer: Certificate {
        get throws(ForgeryReason) {
            let named = signerInfo.pointee.issuer_and_serial.pointee
            let found = try certificates { certificate in
                X509_NAME_cmp(X509_get_issuer_name(certificate), named.issuer) == 0
                    && ASN1_INTEGER_cmp(X509_get0_serialNumber(certificate), named.serial) == 0
            }
            guard found.count == 1, let leaf = found.first else {
                throw ForgeryReason(.chain, "the signer's certificate is not there once")
            }
            return leaf
        }
    }

    /// The one certificate that bears the name of `leaf`'s issuer.
    func issuer(of leaf: Certificate) throws(ForgeryReason) -> Certificate {
        let found = try certificates { certificate in
            X509_NAME_cmp(
                X509_get_subject_name(certificate),
                X509_get_issuer_name(leaf.handle)
            ) == 0 && X509_cmp(certificate, leaf.handle) != 0
        }
        guard found.count == 1, let intermediate = found.first else {
            throw ForgeryReason(.chain, "the issuer's certificate is not there once")
        }
        return intermediate
    }

    /// Verifies the signature with `leaf`'s key: over the content, or over attributes that hold its
    /// digest.
    func verify(signedBy leaf: Certificate) throws(ForgeryReason) {
        guard hasExpectedAlgorithms else {
            throw ForgeryReason(.signature, "not RSA with SHA-1 or SHA-256")
        }
        guard hasOrdinaryAttributes else {
            throw ForgeryReason(.signature, "the signed attributes do not name the content's type")
        }
        // SAFETY: made and freed here; the certificate and the container outlive the call.
        let certificates = openssl_certificates_new()
        defer { openssl_certificates_free(certificates) }
        _ = openssl_certificates_push(certificates, leaf.handle)
        // The chain was judged before, and the signer is the one that was judged.
        let flags = PKCS7_NOVERIFY | PKCS7_NOINTERN | PKCS7_BINARY
        guard PKCS7_verify(handle, certificates, nil, nil, nil, flags) == 1 else {
            throw ForgeryReason(.signature, "the signature does not hold")
        }
    }

    /// The certificates that `isWanted`, each parsed strictly.
    private func certificates(
        where isWanted: (OpaquePointer) -> Bool
    ) throws(ForgeryReason) -> [Certificate] {
        let stack = signed.pointee.cert
        let count = stack.map { openssl_certificates_count($0) } ?? 0
        guard (2...ReceiptLimits.certificatesMax).contains(Int(count)) else {
            throw ForgeryReason(.chain, "not two to four certificates")
        }
        var found: [Certificate] = []
        for index in 0..<count {
            guard let certificate = openssl_certificates_at(stack, index) else { continue }
            guard isWanted(certificate) else { continue }
            found.append(try Certificate(der: Self.der(of: certificate)))
        }
        return found
    }

    /// The bytes from which OpenSSL read `certificate`.
    private static func der(of certificate: OpaquePointer) throws(ForgeryReason) -> [UInt8] {
        var start: UnsafeMutablePointer<UInt8>?
        let count = Int(i2d_X509(certificate, &start))
        // SAFETY: OpenSSL allocated so many bytes for us.
        defer { openssl_free(start) }
        guard let start, (1...SignatureLimits.certificateBytesMax).contains(count) else {
            throw ForgeryReason(.chain, "a certificate is too long")
        }
        return Array(UnsafeBufferPointer(start: start, count: count))
    }
}

// What stands where in the container.
extension ReceiptContainer {
    private static func signedData(
        in container: UnsafeMutablePointer<PKCS7>
    ) -> UnsafeMutablePointer<PKCS7_SIGNED>? {
        guard OBJ_obj2nid(container.pointee.type) == NID_pkcs7_signed,
            let signed = container.pointee.d.sign, signed.pointee.crl == nil
        else { return nil }
        return signed
    }

    private static func octets(
        in signed: UnsafeMutablePointer<PKCS7_SIGNED>
    ) -> UnsafeMutablePointer<ASN1_OCTET_STRING>? {
        guard let contents = signed.pointee.contents,
            OBJ_obj2nid(contents.pointee.type) == NID_pkcs7_data
        else { return nil }
        return contents.pointee.d.data
    }

    /// The signer, where there is one, and where the one digest announced in front is his.
    private static func onlySigner(
        in signed: UnsafeMutablePointer<PKCS7_SIGNED>
    ) -> UnsafeMutablePointer<PKCS7_SIGNER_INFO>? {
        guard OPENSSL_sk_num(signed.pointee.signer_info) == 1,
            OPENSSL_sk_num(signed.pointee.md_algs) == 1,
            let element = OPENSSL_sk_value(signed.pointee.signer_info, 0),
            let announced = OPENSSL_sk_value(signed.pointee.md_algs, 0)
        else { return nil }
        // SAFETY: OpenSSL keeps pointers of these types in these two stacks.
        let info = element.assumingMemoryBound(to: PKCS7_SIGNER_INFO.self)
        let digest = announced.assumingMemoryBound(to: X509_ALGOR.self)
        guard info.pointee.issuer_and_serial != nil, info.pointee.digest_alg != nil,
            OBJ_cmp(digest.pointee.algorithm, info.pointee.digest_alg.pointee.algorithm) == 0
        else { return nil }
        return info
    }

    /// RSA with SHA-1 or SHA-256, however the two are named together.
    ///
    /// OpenSSL does not look at the second name.
    private var hasExpectedAlgorithms: Bool {
        guard let encryption = signerInfo.pointee.digest_enc_alg else { return false }
        let name = OBJ_obj2nid(encryption.pointee.algorithm)
        switch OBJ_obj2nid(signerInfo.pointee.digest_alg.pointee.algorithm) {
        case NID_sha1: return name == NID_rsaEncryption || name == NID_sha1WithRSAEncryption
        case NID_sha256: return name == NID_rsaEncryption || name == NID_sha256WithRSAEncryption
        default: return false
        }
    }

    /// No attributes are signed, as in Apple's receipts, or those that RFC 2315 wants, with the
    /// type of the content.
    ///
    /// OpenSSL compares the digest and forgets the type.
    private var hasOrdinaryAttributes: Bool {
        guard let attributes = signerInfo.pointee.auth_attr else { return true }
        guard OPENSSL_sk_num(attributes) > 0,
            let type = PKCS7_get_signed_attribute(signerInfo, NID_pkcs9_contentType)
        else { return false }
        return type.pointee.type == V_ASN1_OBJECT
            && OBJ_obj2nid(type.pointee.value.object) == NID_pkcs7_data
    }
}
