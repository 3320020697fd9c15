import COpenSSL
import Glibc

/// One X.509 certificate, parsed strictly.
final class Certificate {
    // SAFETY: made in init, freed once in deinit, used by one thread at a time.
    let handle: OpaquePointer

    /// Parses DER: every byte is used, and writing it again gives the same bytes.
    init(der: [UInt8]) throws(ForgeryReason) {
        guard DERScan.accepts(der) else { throw ForgeryReason(.chain, "a certificate is not DER") }
        let count = der.count
        // SAFETY: the pointer walks through `der` during the call only.
        let parsed = der.withUnsafeBufferPointer { buffer -> OpaquePointer? in
            var start = buffer.baseAddress
            let parsed = d2i_X509(nil, &start, count)
            guard let parsed, start == buffer.baseAddress.map({ $0 + count }) else {
                X509_free(parsed)
                return nil
            }
            return parsed
        }
        guard let parsed else { throw ForgeryReason(.chain, "a certificate is not DER") }
        handle = parsed
        guard rewritten == der, hasStrictConstraints else {
            throw ForgeryReason(.chain, "a certificate is not DER")
        }
    }

    /// The certificates out of a file: one in DER, or any number in PEM.
    static func all(inFile bytes: [UInt8]) throws(ForgeryReason) -> [Certificate] {
        // SAFETY: the BIO reads the array during these calls only; what is parsed is freed.
        let ders = bytes.withUnsafeBytes { buffer -> [[UInt8]] in
            let bio = BIO_new_mem_buf(buffer.baseAddress, Int32(buffer.count))
            defer { BIO_free(bio) }
            var ders: [[UInt8]] = []
            while let parsed = PEM_read_bio_X509(bio, nil, nil, nil) {
                ders.append(Self.written { i2d_X509(parsed, $0) })
                X509_free(parsed)
            }
            return ders
        }
        ERR_clear_error()
        var certificates: [Certificate] = []
        for der in ders.isEmpty ? [bytes] : ders { certificates.append(try Certificate(der: der)) }
        return certificates
    }

    /// Takes over a reference.
    init(adopting handle: OpaquePointer) { self.handle = handle }

    deinit { X509_free(handle) }

    /// The certificate written anew, without what was kept of the bytes it was read from.
    private var rewritten: [UInt8] {
        let part = Self.written { i2d_re_X509_tbs(handle, $0) }
        return part.isEmpty ? [] : Self.written { i2d_X509(handle, $0) }
    }

    /// What one of OpenSSL's `i2d` functions writes; nothing where it fails.
    private static func written(
        _ write: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>) -> Int32
    ) -> [UInt8] {
        var start: UnsafeMutablePointer<UInt8>?
        let count = write(&start)
        guard count > 0, let start else { return [] }
        // SAFETY: OpenSSL allocated so many bytes for us.
        defer { openssl_free(start) }
        return Array(UnsafeBufferPointer(start: start, count: Int(count)))
    }

    /// The extensions that rights hang on are DER too.
    ///
    /// Others may hold what they like: we do not read them, and Apple's are not ours to judge.
    private var hasStrictConstraints: Bool {
        for index in 0..<X509_get_ext_count(handle) {
            let found = X509_get_ext(handle, index)
            let name = OBJ_obj2nid(X509_EXTENSION_get_object(found))
            guard name == NID_basic_constraints || name == NID_key_usage else { continue }
            let value = X509_EXTENSION_get_data(found)
            guard let start = ASN1_STRING_get0_data(value) else { return false }
            // SAFETY: the certificate owns the value, and lives to the end of this call.
            let bytes = UnsafeBufferPointer(start: start, count: Int(ASN1_STRING_length(value)))
            guard DERScan.accepts(Array(bytes)) else { return false }
        }
        return true
    }

    var isVersion3: Bool { X509_get_version(handle) == 2 }

    var serial: [UInt8] {
        let number = X509_get0_serialNumber(handle)
        guard let number, let bytes = ASN1_STRING_get0_data(number) else { return [] }
        // SAFETY: OpenSSL's bytes live as long as the certificate, and it says how many there are.
        return Array(UnsafeBufferPointer(start: bytes, count: Int(ASN1_STRING_length(number))))
    }

    var hasOrdinarySerial: Bool {
        guard let number = X509_get0_serialNumber(handle) else { return false }
        return ASN1_STRING_type(number) == V_ASN1_INTEGER
            && (1...SignatureLimits.serialBytesMax).contains(serial.count)
    }

    /// How often each extension occurs, by its dotted name.
    var extensions: [String: Int] {
        var counts: [String: Int] = [:]
        for index in 0..<X509_get_ext_count(handle) {
            let object = X509_EXTENSION_get_object(X509_get_ext(handle, index))
            var text = [CChar](repeating: 0, count: 128)
            OBJ_obj2txt(&text, Int32(text.count), object, 1)
            let name = text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
            counts[String(decoding: name, as: UTF8.self), default: 0] += 1
        }
        return counts
    }

    var isAuthority: Bool { X509_get_extension_flags(handle) & UInt32(EXFLAG_CA) != 0 }

    var isInvalid: Bool { X509_get_extension_flags(handle) & UInt32(EXFLAG_INVALID) != 0 }

    /// Whether keyUsage is absent, or names `bit`.
    func mayBeUsed(for bit: Int32) -> Bool {
        guard X509_get_extension_flags(handle) & UInt32(EXFLAG_KUSAGE) != 0 else { return true }
        return X509_get_key_usage(handle) & UInt32(bit) != 0
    }

    /// Signed by ECDSA with SHA-256 or SHA-384: Apple's own chain has SHA-384, the fixtures of its
    /// libraries have both.
    var isSignedByECDSA: Bool {
        let algorithm = X509_get_signature_nid(handle)
        return algorithm == NID_ecdsa_with_SHA256 || algorithm == NID_ecdsa_with_SHA384
    }

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

    /// The named curve of its key, or nil where it has none.
    var curve: String? {
        guard let key = X509_get0_pubkey(handle), EVP_PKEY_is_a(key, "EC") == 1 else { return nil }
        guard text(OSSL_PKEY_PARAM_EC_ENCODING, of: key) == OSSL_PKEY_EC_ENCODING_GROUP else {
            return nil
        }
        return text(OSSL_PKEY_PARAM_GROUP_NAME, of: key)
    }

    /// Whether its key is a point with both coordinates and nothing more, as every issuer writes it
    /// (RFC 5480, section 2.2).
    var hasPlainPoint: Bool {
        guard let bits = X509_get0_pubkey_bitstr(handle), ASN1_STRING_length(bits) > 0 else {
            return false
        }
        // SAFETY: the certificate owns the bytes, one at least.
        return ASN1_STRING_get0_data(bits).pointee == 0x04
    }

    private func text(_ parameter: String, of key: OpaquePointer) -> String? {
        var buffer = [CChar](repeating: 0, count: 64)
        var count = 0
        guard
            EVP_PKEY_get_utf8_string_param(key, parameter, &buffer, buffer.count, &count) == 1
        else { return nil }
        return String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// From when until when it is valid, in seconds since 1970, both included (RFC 5280, section
    /// 4.1.2.5); nil where a time is malformed.
    var validity: ClosedRange<Int64>? {
        guard let from = seconds(X509_get0_notBefore(handle)),
            let until = seconds(X509_get0_notAfter(handle)), from <= until
        else { return nil }
        return from...until
    }

    /// Signed with its own key, as a root is.
    var isSelfSigned: Bool { X509_self_signed(handle, 1) == 1 }

    private func seconds(_ time: UnsafePointer<ASN1_TIME>?) -> Int64? {
        var parts = tm()
        guard ASN1_TIME_to_tm(time, &parts) == 1 else { return nil }
        // The long form begins with the year 2050 (RFC 5280, section 4.1.2.5).
        let isLong = ASN1_STRING_type(time) == V_ASN1_GENERALIZEDTIME
        guard isLong == (parts.tm_year >= 150) else { return nil }
        return Int64(timegm(&parts))
    }
}
