/// The container of a receipt: PKCS #7 signed data in the form of Apple's, in parts.
///
/// Written by hand, with definite lengths and no signed attributes, so that each part can be made
/// wrong as well.
package struct ReceiptEnvelope: Sendable {
    /// What is signed.
    package var content: [UInt8]
    /// The certificates, DER: leaf, intermediate, root.
    package var certificates: [[UInt8]]
    /// The signer's certificate, by the common name of its issuer and its serial.
    package var issuer: String
    package var serial: Int64
    /// What the signature is over.
    package var hash: ReceiptHash
    /// How the signature is named: rsaEncryption in Apple's.
    package var encryption = "1.2.840.113549.1.1.1"
    /// The digests announced in front; the signer's own if nothing else is said.
    package var announced: [ReceiptHash]?
    /// The type of what is signed: data.
    package var contentType = "1.2.840.113549.1.7.1"
    /// The type of the whole: signed data.
    package var containerType = "1.2.840.113549.1.7.2"
    /// Attributes that are signed in the place of the content, DER each; Apple's have none.
    package var attributes: [[UInt8]]?
    /// More signers, DER each.
    package var moreSigners: [[UInt8]] = []
    /// What names the signer's certificate in the place of issuer and serial: its key identifier.
    package var keyIdentifier: [UInt8]?
    /// Revocation lists, DER each; Apple's have none.
    package var revocationLists: [[UInt8]] = []
    /// Whether the content is inside.
    package var isDetached = false

    /// An envelope of these main parts; the rest are properties.
    package init(
        content: [UInt8],
        certificates: [[UInt8]],
        issuer: String,
        serial: Int64,
        hash: ReceiptHash
    ) {
        self.content = content
        self.certificates = certificates
        self.issuer = issuer
        self.serial = serial
        self.hash = hash
    }

    /// The attributes that RFC 2315 asks for: the content's type and digest.
    package mutating func signAttributes(type: String, digest: [UInt8]) {
        attributes = [
            ReceiptDER.sequence(
                ReceiptDER.oid("1.2.840.113549.1.9.3"),
                ReceiptDER.set([ReceiptDER.oid(type)])
            ),
            ReceiptDER.sequence(
                ReceiptDER.oid("1.2.840.113549.1.9.4"),
                ReceiptDER.set([ReceiptDER.octets(digest)])
            ),
        ]
    }

    /// What the signature is over.
    package var input: [UInt8] { attributes.map { ReceiptDER.set($0) } ?? content }

    /// The container, signed by `key`.
    package func der(signedBy key: ReceiptKey) throws(ForgeryFailure) -> [UInt8] {
        der(signature: try key.signature(over: input, hash))
    }

    /// The container with this signature.
    package func der(signature: [UInt8]) -> [UInt8] {
        let digests = (announced ?? [hash]).map { ReceiptDER.algorithm($0.oid) }
        let inner = isDetached ? [] : ReceiptDER.element(0xa0, ReceiptDER.octets(content))
        let signed = ReceiptDER.sequence(
            ReceiptDER.integer(1),
            ReceiptDER.set(digests),
            ReceiptDER.sequence(ReceiptDER.oid(contentType), inner),
            ReceiptDER.element(0xa0, certificates.flatMap { $0 }),
            revocationLists.isEmpty
                ? [] : ReceiptDER.element(0xa1, revocationLists.flatMap { $0 }),
            ReceiptDER.set([signer(signature)] + moreSigners)
        )
        return ReceiptDER.sequence(
            ReceiptDER.oid(containerType),
            ReceiptDER.element(0xa0, signed)
        )
    }

    /// The signer with this signature, DER.
    package func signer(_ signature: [UInt8]) -> [UInt8] {
        ReceiptDER.sequence(
            ReceiptDER.integer(keyIdentifier == nil ? 1 : 3),
            keyIdentifier.map { ReceiptDER.element(0x80, $0) }
                ?? ReceiptDER.sequence(
                    ReceiptCertificate.name(issuer),
                    ReceiptDER.integer(serial)
                ),
            ReceiptDER.algorithm(hash.oid),
            attributes.map { ReceiptDER.element(0xa0, $0.flatMap { $0 }) } ?? [],
            ReceiptDER.algorithm(encryption),
            ReceiptDER.octets(signature)
        )
    }
}
