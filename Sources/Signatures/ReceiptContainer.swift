import COpenSSL

/// PKCS #7 signed data (RFC 2315, section 9), which is CMS's (RFC 5652, section 5): parsed
/// strictly, apart but not yet believed.
///
/// OpenSSL parses it and verifies the signature. Its shape is that of Apple's receipts: content of
/// type data inside, one signer, one digest, two to four certificates, no revocation lists.
final class ReceiptContainer {
    // SAFETY: made in init, freed once in deinit, used by one thread at a time.
    private let handle: OpaquePointer
    private let signer: Signer
    private let octets: UnsafeMutablePointer<ASN1_OCTET_STRING>

    /// Parses DER, of which every byte is used.
    init(der: [UInt8]) throws(ForgeryReason) {
        guard der.count <= ReceiptLimits.containerBytesMax else {
            throw ForgeryReason(.malformed, "the receipt is too long")
        }
        guard DERScan.accepts(der) else { throw ForgeryReason(.malformed, "not DER") }
        let count = der.count
        // SAFETY: the pointer walks through `der` during the call only.
        let parsed = der.withUnsafeBufferPointer { buffer -> OpaquePointer? in
            var start = buffer.baseAddress
            let parsed = d2i_CMS_ContentInfo(nil, &start, count)
            guard let parsed, start == buffer.baseAddress.map({ $0 + count }) else {
                CMS_ContentInfo_free(parsed)
                return nil
            }
            return parsed
        }
        guard let parsed else { throw ForgeryReason(.malformed, "not PKCS #7") }
        guard let octets = Self.octets(in: parsed, der) else {
            CMS_ContentInfo_free(parsed)
            throw ForgeryReason(.malformed, "not signed data with content of type data")
        }
        guard let signer = Signer(in: parsed, der) else {
            CMS_ContentInfo_free(parsed)
            throw ForgeryReason(.malformed, "not one signer with one digest")
        }
        handle = parsed
        self.signer = signer
        self.octets = octets
    }

    deinit { CMS_ContentInfo_free(handle) }

    /// The signed content.
    var content: [UInt8] {
        guard let start = ASN1_STRING_get0_data(octets) else { return [] }
        // SAFETY: the container owns so many bytes, and lives to the end of this call.
        let bytes = UnsafeBufferPointer(start: start, count: Int(ASN1_STRING_length(octets)))
        return Array(bytes)
    }

    /// The one certificate that the signer names by issuer and serial.
    var signerCertificate: Certificate {
        get throws(ForgeryReason) {
            let found = try certificates { certificate in
                X509_NAME_cmp(X509_get_issuer_name(certificate), signer.issuer) == 0
                    && ASN1_INTEGER_cmp(X509_get0_serialNumber(certificate), signer.serial) == 0
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
        guard signer.hasExpectedAlgorithms else {
            throw ForgeryReason(.signature, "not RSA with SHA-1 or SHA-256")
        }
        guard signer.hasOrdinaryAttributes else {
            throw ForgeryReason(.signature, "the signed attributes do not name the content's type")
        }
        // SAFETY: made and freed here; the certificate and the container outlive the call.
        let certificates = openssl_certificates_new()
        defer { openssl_certificates_free(certificates) }
        _ = openssl_certificates_push(certificates, leaf.handle)
        // The chain was judged before, and the signer is the one that was judged.
        let flags = CMS_NO_SIGNER_CERT_VERIFY | CMS_NOINTERN | CMS_BINARY
        guard CMS_verify(handle, certificates, nil, nil, nil, UInt32(flags)) == 1 else {
            throw ForgeryReason(.signature, "the signature does not hold")
        }
    }

    /// The certificates that `isWanted`, each parsed strictly.
    private func certificates(
        where isWanted: (OpaquePointer) -> Bool
    ) throws(ForgeryReason) -> [Certificate] {
        // SAFETY: a list of our own, its certificates counted once more each; released here.
        let stack = CMS_get1_certs(handle)
        defer { openssl_certificates_release(stack) }
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

extension ReceiptContainer {
    /// The content, where the container is signed data of the one shape.
    ///
    /// That is: version, digests, content, certificates, signers. Revocation lists would stand
    /// before the signers.
    private static func octets(
        in container: OpaquePointer,
        _ der: [UInt8]
    ) -> UnsafeMutablePointer<ASN1_OCTET_STRING>? {
        guard OBJ_obj2nid(CMS_get0_type(container)) == NID_pkcs7_signed,
            OBJ_obj2nid(CMS_get0_eContentType(container)) == NID_pkcs7_data,
            DERScan.values(at: 1, 0, in: der).map(\.tag) == [0x02, 0x31, 0x30, 0xa0, 0x31]
        else { return nil }
        return CMS_get0_content(container)?.pointee
    }

    /// The one signer: whom he names, and how he signed.
    ///
    /// Lives no longer than the container.
    private struct Signer {
        let issuer: OpaquePointer
        let serial: UnsafeMutablePointer<ASN1_INTEGER>
        private let handle: OpaquePointer
        private let digest: UnsafeMutablePointer<X509_ALGOR>
        private let signature: UnsafeMutablePointer<X509_ALGOR>

        /// The signer of `container`, where there is one, who names his certificate by issuer and
        /// serial, and where the one digest announced in front is his.
        init?(in container: OpaquePointer, _ der: [UInt8]) {
            guard let list = CMS_get0_SignerInfos(container), openssl_signers_count(list) == 1,
                let signer = openssl_signers_at(list, 0)
            else { return nil }
            var issuer: OpaquePointer?
            var serial: UnsafeMutablePointer<ASN1_INTEGER>?
            var digest: UnsafeMutablePointer<X509_ALGOR>?
            var signature: UnsafeMutablePointer<X509_ALGOR>?
            CMS_SignerInfo_get0_algs(signer, nil, nil, &digest, &signature)
            guard CMS_SignerInfo_get0_signer_id(signer, nil, &issuer, &serial) == 1,
                let issuer, let serial, let digest, let signature,
                let announced = Self.announced(in: der),
                announced == Self.identifier(digest)
            else { return nil }
            handle = signer
            self.issuer = issuer
            self.serial = serial
            self.digest = digest
            self.signature = signature
        }

        /// The one digest that signed data announces; OpenSSL would compute as many as there are.
        private static func announced(in der: [UInt8]) -> [UInt8]? {
            guard DERScan.values(at: 1, 0, 1, in: der).count == 1 else { return nil }
            return DERScan.values(at: 1, 0, 1, 0, in: der).first?.content
        }

        /// The bytes of an algorithm's name.
        private static func identifier(_ algorithm: UnsafeMutablePointer<X509_ALGOR>) -> [UInt8]? {
            let name = algorithm.pointee.algorithm
            guard let start = OBJ_get0_data(name) else { return nil }
            // SAFETY: the name owns so many bytes, and lives to the end of this call.
            return Array(UnsafeBufferPointer(start: start, count: OBJ_length(name)))
        }

        /// RSA with SHA-1 or SHA-256, however the two are named together.
        ///
        /// OpenSSL takes any name of RSA.
        var hasExpectedAlgorithms: Bool {
            let name = OBJ_obj2nid(signature.pointee.algorithm)
            switch OBJ_obj2nid(digest.pointee.algorithm) {
            case NID_sha1: return name == NID_rsaEncryption || name == NID_sha1WithRSAEncryption
            case NID_sha256:
                return name == NID_rsaEncryption || name == NID_sha256WithRSAEncryption
            default: return false
            }
        }

        /// No attributes are signed, as in Apple's receipts, or those that RFC 5652 wants, with the
        /// type of the content.
        ///
        /// OpenSSL compares the digest and forgets the type.
        var hasOrdinaryAttributes: Bool {
            let count = CMS_signed_get_attr_count(handle)
            // Less than none: there is no list.
            guard count >= 0 else { return true }
            // -3: the one attribute of this name, with one value.
            let type = CMS_signed_get0_data_by_OBJ(
                handle,
                OBJ_nid2obj(NID_pkcs9_contentType),
                -3,
                V_ASN1_OBJECT
            )
            return type.map { OBJ_obj2nid(OpaquePointer($0)) == NID_pkcs7_data } ?? false
        }
    }
}
