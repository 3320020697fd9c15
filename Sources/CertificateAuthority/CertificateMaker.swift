import COpenSSL
import Glibc

/// Makes X.509 certificates of one validity.
struct CertificateMaker {
    let validFrom: Int64
    let validUntil: Int64

    /// What a certificate may do, as extensions.
    enum Extension {
        case authority(pathLength: Int?)
        case noAuthority
        case signsCertificates
        case signsDocuments
        /// An extension that is only there or not; its value is NULL, as in Apple's.
        case marker(String)
    }

    /// A certificate of `key`, signed by the issuer, or by itself.
    func certificate(
        named name: String,
        key: OpaquePointer,
        issuer: (certificate: OpaquePointer, key: OpaquePointer)?,
        _ extensions: [Extension]
    ) throws(AuthorityFailure) -> OpaquePointer {
        guard let certificate = X509_new() else {
            throw AuthorityFailure(description: "no certificate")
        }
        // SAFETY: all calls below are on objects made here; OpenSSL copies what it is given.
        X509_set_version(certificate, 2)
        ASN1_INTEGER_set_int64(
            X509_get_serialNumber(certificate),
            Int64.random(in: 1...Int64.max)
        )
        ASN1_TIME_set(X509_getm_notBefore(certificate), Int(validFrom / 1000))
        ASN1_TIME_set(X509_getm_notAfter(certificate), Int(validUntil / 1000))
        X509_set_pubkey(certificate, key)
        let subject = X509_get_subject_name(certificate)
        X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_UTF8, name, -1, -1, 0)
        X509_NAME_add_entry_by_txt(subject, "O", MBSTRING_UTF8, "entitld simulation", -1, -1, 0)
        let issuerName = issuer.map { X509_get_subject_name($0.certificate) } ?? subject
        X509_set_issuer_name(certificate, issuerName)
        for wanted in extensions { try add(wanted, to: certificate) }
        try addKeyIdentifiers(to: certificate, by: issuer?.certificate ?? certificate)
        let signer = issuer?.key ?? key
        let isWide = EVP_PKEY_get_bits(signer) > 256
        guard X509_sign(certificate, signer, isWide ? EVP_sha384() : EVP_sha256()) > 0 else {
            X509_free(certificate)
            throw AuthorityFailure(description: "\(name) could not be signed")
        }
        return certificate
    }

    private func add(
        _ wanted: Extension,
        to certificate: OpaquePointer
    ) throws(AuthorityFailure) {
        let made: OpaquePointer?
        switch wanted {
        case .authority(let pathLength):
            let length = pathLength.map { ",pathlen:\($0)" } ?? ""
            made = configured(NID_basic_constraints, "critical,CA:TRUE\(length)")
        case .noAuthority: made = configured(NID_basic_constraints, "critical,CA:FALSE")
        case .signsCertificates: made = configured(NID_key_usage, "critical,keyCertSign,cRLSign")
        case .signsDocuments: made = configured(NID_key_usage, "critical,digitalSignature")
        case .marker(let oid): made = marker(oid)
        }
        guard let made else { throw AuthorityFailure(description: "\(wanted) could not be made") }
        defer { X509_EXTENSION_free(made) }
        X509_add_ext(certificate, made, -1)
    }

    /// subjectKeyIdentifier, and for others than a root authorityKeyIdentifier: Apple's verifier
    /// wants them, and they tell two authorities of one name apart.
    private func addKeyIdentifiers(
        to certificate: OpaquePointer,
        by issuer: OpaquePointer
    ) throws(AuthorityFailure) {
        var context = X509V3_CTX()
        X509V3_set_ctx(&context, issuer, certificate, nil, nil, 0)
        var wanted = [(NID_subject_key_identifier, "hash")]
        if issuer != certificate { wanted.append((NID_authority_key_identifier, "keyid:always")) }
        for (nid, text) in wanted {
            guard let made = X509V3_EXT_conf_nid(nil, &context, nid, text) else {
                throw AuthorityFailure(description: "\(text) could not be made")
            }
            defer { X509_EXTENSION_free(made) }
            X509_add_ext(certificate, made, -1)
        }
    }

    private func configured(_ nid: Int32, _ text: String) -> OpaquePointer? {
        X509V3_EXT_conf_nid(nil, nil, nid, text)
    }

    private func marker(_ oid: String) -> OpaquePointer? {
        let object = OBJ_txt2obj(oid, 1)
        defer { ASN1_OBJECT_free(object) }
        let value = ASN1_OCTET_STRING_new()
        defer { ASN1_OCTET_STRING_free(value) }
        let null: [UInt8] = [5, 0]
        ASN1_OCTET_STRING_set(value, null, Int32(null.count))
        return X509_EXTENSION_create_by_OBJ(nil, object, 0, value)
    }
}
