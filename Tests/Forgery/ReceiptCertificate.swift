/// A certificate of a receipt's chain, in parts, each of which may be wrong.
package struct ReceiptCertificate: Sendable {
    /// One extension.
    package struct Extension: Sendable {
        /// Its dotted name.
        package var oid: String
        /// Whether it is critical.
        package var isCritical: Bool
        /// Its value, DER.
        package var value: [UInt8]

        /// The extension of these parts.
        package init(oid: String, isCritical: Bool = false, value: [UInt8]) {
            self.oid = oid
            self.isCritical = isCritical
            self.value = value
        }

        /// One that is only there or not; its value is NULL, as in Apple's.
        package static func marker(_ oid: String) -> Extension {
            Extension(oid: oid, value: ReceiptDER.null)
        }

        /// basicConstraints, with a path length for an authority that has one.
        package static func authority(
            _ isAuthority: Bool,
            pathLength: Int64? = nil
        ) -> Extension {
            let yes: [UInt8] = isAuthority ? [0x01, 0x01, 0xff] : []
            let length = pathLength.map { ReceiptDER.integer($0) } ?? []
            let value = ReceiptDER.sequence(yes, length)
            return Extension(oid: "2.5.29.19", isCritical: true, value: value)
        }

        /// keyUsage, by the bits of its first byte: 0x80 signs documents, 0x06 certificates.
        package static func usage(_ bits: UInt8) -> Extension {
            let value = ReceiptDER.element(0x03, [UInt8(bits.trailingZeroBitCount), bits])
            return Extension(oid: "2.5.29.15", isCritical: true, value: value)
        }

        var der: [UInt8] {
            let critical: [UInt8] = isCritical ? [0x01, 0x01, 0xff] : []
            return ReceiptDER.sequence(ReceiptDER.oid(oid), critical, ReceiptDER.octets(value))
        }
    }

    /// The extension that marks Apple's leaf for signing receipts.
    package static let leafMarker = "1.2.840.113635.100.6.11.1"
    /// Marks Apple's intermediate.
    package static let intermediateMarker = "1.2.840.113635.100.6.2.1"

    /// The common names.
    package var subject: String
    package var issuer: String
    /// A positive number.
    package var serial: Int64
    /// In ms since 1970.
    package var validFrom: Int64
    package var validUntil: Int64
    /// SubjectPublicKeyInfo, DER.
    package var publicKey: [UInt8]
    /// What it may do.
    package var extensions: [Extension]
    /// What it is signed over.
    package var hash = ReceiptHash.sha256
    /// Version 3 unless this says 1.
    package var version: Int64 = 3

    /// A name with this common name.
    package static func name(_ common: String) -> [UInt8] {
        func part(_ oid: String, _ text: String) -> [UInt8] {
            ReceiptDER.set([ReceiptDER.sequence(ReceiptDER.oid(oid), ReceiptDER.text(text))])
        }
        return ReceiptDER.sequence(part("2.5.4.3", common), part("2.5.4.10", "entitld simulation"))
    }

    /// The certificate, signed by `key`.
    package func der(signedBy key: ReceiptKey) throws(ForgeryFailure) -> [UInt8] {
        let list = extensions.flatMap(\.der)
        let number = version == 1 ? [] : ReceiptDER.element(0xa0, ReceiptDER.integer(version - 1))
        let body = ReceiptDER.sequence(
            number,
            ReceiptDER.integer(serial),
            ReceiptDER.algorithm(hash.rsaOID),
            Self.name(issuer),
            ReceiptDER.sequence(ReceiptDER.time(validFrom), ReceiptDER.time(validUntil)),
            Self.name(subject),
            publicKey,
            list.isEmpty ? [] : ReceiptDER.element(0xa3, ReceiptDER.element(0x30, list))
        )
        let signature = try key.signature(over: body, hash)
        return ReceiptDER.sequence(
            body,
            ReceiptDER.algorithm(hash.rsaOID),
            ReceiptDER.bits(signature)
        )
    }

    /// Puts `new` in the place of the extension `oid`, or takes that away.
    package mutating func replace(_ oid: String, by new: Extension?) {
        let place = extensions.firstIndex { $0.oid == oid }
        if let place { extensions.remove(at: place) }
        if let new { extensions.insert(new, at: place ?? extensions.count) }
    }
}
