import Forgery

/// A certificate in parts, each of which may be wrong.
package struct CertificateForm: Sendable {
    static let leafMarker = "1.2.840.113635.100.6.11.1"
    static let intermediateMarker = "1.2.840.113635.100.6.2.1"

    /// One extension.
    package struct Extension: Sendable {
        var oid: String
        var isCritical = false
        var value: [UInt8]
        /// Instead of the DER boolean for critical.
        var criticalDER = DER.yes

        var der: [UInt8] {
            DER.sequence([DER.oid(oid), isCritical ? criticalDER : [], DER.octets(value)])
        }

        static func marker(_ oid: String) -> Extension { Extension(oid: oid, value: DER.null) }

        static func authority(_ isAuthority: Bool, pathLength: UInt8? = nil) -> Extension {
            var parts = isAuthority ? [DER.yes] : []
            if let pathLength { parts.append(DER.integer([pathLength])) }
            return Extension(oid: "2.5.29.19", isCritical: true, value: DER.sequence(parts))
        }

        /// The bits as they stand in the first byte: 0x80 signs documents, 0x06 certificates.
        static func usage(_ bits: UInt8) -> Extension {
            let unused = UInt8(bits.trailingZeroBitCount)
            return Extension(
                oid: "2.5.29.15",
                isCritical: true,
                value: DER.bits([bits], unused: unused)
            )
        }
    }

    var key: CertificateKey
    var validFrom: Int64
    var validUntil: Int64
    /// DER of the version field; empty for version 1.
    var version: [UInt8] = DER.element(0xa0, DER.integer([2]))
    package var serial: [UInt8] = DER.integer([0x40, 0x01])
    var subject: [UInt8]
    var issuer: [UInt8]
    var notBefore: [UInt8]?
    var notAfter: [UInt8]?
    /// Instead of the key's own SubjectPublicKeyInfo.
    var publicKey: [UInt8]?
    var extensions: [Extension]
    /// ecdsa-with-SHA256 by default.
    var algorithm = Self.ecdsaSHA256
    /// What the certificate says outside, where it says something else inside.
    var outerAlgorithm: [UInt8]?
    var hash = CertificateKey.Hash.sha256

    static let ecdsaSHA256 = DER.sequence([DER.oid("1.2.840.10045.4.3.2")])
    static let ecdsaSHA384 = DER.sequence([DER.oid("1.2.840.10045.4.3.3")])

    static func name(_ common: String, tag: UInt8 = 0x0c) -> [UInt8] {
        DER.sequence([
            DER.set([DER.sequence([DER.oid("2.5.4.3"), DER.text(common, tag: tag)])]),
            DER.set([DER.sequence([DER.oid("2.5.4.10"), DER.text("entitld simulation")])]),
        ])
    }

    /// What is signed.
    var body: [UInt8] {
        let times = DER.sequence([
            notBefore ?? DER.time(validFrom), notAfter ?? DER.time(validUntil),
        ])
        let list = DER.element(0xa3, DER.sequence(extensions.map(\.der)))
        return DER.sequence([
            version, serial, algorithm, issuer, times, subject, publicKey ?? key.publicDER,
            extensions.isEmpty ? [] : list,
        ])
    }

    /// The certificate, signed by `signer`.
    func der(signedBy signer: CertificateKey) throws -> [UInt8] {
        try Self.sealed(body, outerAlgorithm ?? algorithm, signedBy: signer, hash)
    }

    /// A body of any content as a certificate.
    static func sealed(
        _ body: [UInt8],
        _ algorithm: [UInt8] = Self.ecdsaSHA256,
        signedBy signer: CertificateKey,
        _ hash: CertificateKey.Hash = .sha256
    ) throws -> [UInt8] {
        DER.sequence([body, algorithm, DER.bits(try signer.signature(over: body, hash))])
    }

    /// The subject's identifier: of the key's own bytes, no hash needed for being distinct.
    static func identifier(of key: CertificateKey) -> [UInt8] { Array(key.publicDER.suffix(20)) }

    mutating func replace(_ oid: String, by new: Extension?) {
        let place = extensions.firstIndex { $0.oid == oid }
        if let place { extensions.remove(at: place) }
        if let new { extensions.insert(new, at: place ?? extensions.count) }
    }
}
