import JSON

/// An own chain in the shape of the one that signs Apple's app receipts: RSA throughout, with
/// Apple's marker extensions.
///
/// For demos and tests: its root is trusted only by a configuration that names it.
package struct ReceiptAuthority: Sendable {
    /// The keys, which sign whatever stands below.
    package var rootKey: ReceiptKey
    package var middleKey: ReceiptKey
    package var leafKey: ReceiptKey
    /// The certificates, not yet signed.
    package var root: ReceiptCertificate
    package var middle: ReceiptCertificate
    package var leaf: ReceiptCertificate
    /// What receipts are signed over: SHA-256 since 2023, SHA-1 before.
    package var hash = ReceiptHash.sha256

    /// A new chain, valid from `validFrom` until `validUntil`, in ms since 1970.
    package init(validFrom: Int64, validUntil: Int64) throws(ForgeryFailure) {
        try self.init(
            keys: (ReceiptKey(), ReceiptKey(), ReceiptKey()),
            validFrom: validFrom,
            validUntil: validUntil
        )
    }

    /// A chain with these keys: root, intermediate, leaf.
    package init(
        keys: (root: ReceiptKey, middle: ReceiptKey, leaf: ReceiptKey),
        validFrom: Int64,
        validUntil: Int64
    ) {
        (rootKey, middleKey, leafKey) = keys
        func certificate(
            _ name: String,
            by issuer: String,
            _ serial: Int64,
            _ key: ReceiptKey,
            _ extensions: [ReceiptCertificate.Extension]
        ) -> ReceiptCertificate {
            ReceiptCertificate(
                subject: name,
                issuer: issuer,
                serial: serial,
                validFrom: validFrom,
                validUntil: validUntil,
                publicKey: key.publicDER,
                extensions: extensions
            )
        }
        let (rootName, middleName) = ("Simulated Receipt Root CA", "Simulated Receipt WWDR CA")
        root = certificate(rootName, by: rootName, 2, keys.root, [.authority(true), .usage(0x06)])
        middle = certificate(
            middleName,
            by: rootName,
            3,
            keys.middle,
            [
                .authority(true, pathLength: 0), .usage(0x06),
                .marker(ReceiptCertificate.intermediateMarker),
            ]
        )
        leaf = certificate(
            "Simulated Receipt Signing",
            by: middleName,
            4,
            keys.leaf,
            [.authority(false), .usage(0x80), .marker(ReceiptCertificate.leafMarker)]
        )
    }

    /// DER of the root.
    package func rootDER() throws(ForgeryFailure) -> [UInt8] { try root.der(signedBy: rootKey) }

    /// DER of leaf, intermediate and root, as receipts carry them.
    package func certificates() throws(ForgeryFailure) -> [[UInt8]] {
        [try leaf.der(signedBy: middleKey), try middle.der(signedBy: rootKey), try rootDER()]
    }

    /// The envelope around `content`, not yet signed.
    package func envelope(_ content: [UInt8]) throws(ForgeryFailure) -> ReceiptEnvelope {
        ReceiptEnvelope(
            content: content,
            certificates: try certificates(),
            issuer: leaf.issuer,
            serial: leaf.serial,
            hash: hash
        )
    }

    /// The receipt with this content: base64, as an app sends it.
    package func receipt(_ content: ReceiptContent) throws(ForgeryFailure) -> String {
        Base64.text(try envelope(content.bytes).der(signedBy: leafKey))
    }
}
