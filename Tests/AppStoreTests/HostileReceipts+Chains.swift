import AppStore
import Entitlements
import Forgery
import JSON
import Signatures

/// Whose certificates are not as they have to be.
extension `The hostile receipts` {
    func receipt(
        _ name: String,
        _ fault: ReceiptFault,
        content: ReceiptContent = ReceiptStage.good,
        chain change: (inout ReceiptAuthority) throws -> Void = { _ in },
        envelope adjust: (inout ReceiptEnvelope) throws -> Void = { _ in }
    ) throws -> HostileReceipt {
        var authority = stage.authority
        try change(&authority)
        var envelope = try authority.envelope(content.bytes)
        try adjust(&envelope)
        let der = try envelope.der(signedBy: authority.leafKey)
        return HostileReceipt(name, fault, Base64.text(der))
    }

    /// A receipt of the good chain in another envelope.
    func altered(
        _ name: String,
        _ fault: ReceiptFault,
        _ adjust: (inout ReceiptEnvelope) throws -> Void
    ) throws -> HostileReceipt {
        try receipt(name, fault, envelope: adjust)
    }

    func chains() throws -> [HostileReceipt] {
        let now = ReceiptStage.now
        let stranger = try ReceiptAuthority(
            validFrom: stage.authority.root.validFrom,
            validUntil: stage.authority.root.validUntil
        )
        let mine = try stage.authority.certificates()
        return [
            try receipt("a stranger's chain of the same names", .chain, chain: { $0 = stranger }),
            try receipt(
                "a stranger's chain and my root",
                .chain,
                chain: { $0 = stranger },
                envelope: { $0.certificates[2] = mine[2] }
            ),
            try receipt(
                "a stranger's leaf below my intermediate",
                .chain,
                chain: { $0 = stranger },
                envelope: { $0.certificates = [$0.certificates[0], mine[1], mine[2]] }
            ),
            try altered("no certificates", .chain) { $0.certificates = [] },
            try altered("the leaf alone", .chain) { $0.certificates = [mine[0]] },
            try altered("no intermediate", .chain) { $0.certificates = [mine[0], mine[2]] },
            try altered("no leaf", .chain) { $0.certificates = [mine[1], mine[2]] },
            try altered("the leaf twice", .chain) { $0.certificates.append(mine[0]) },
            try altered("the intermediate twice", .chain) { $0.certificates.append(mine[1]) },
            try altered("five certificates", .chain) { $0.certificates += [mine[2], mine[2]] },
            try altered("another serial named", .chain) { $0.serial = 5 },
            try altered("another issuer named", .chain) { $0.issuer = "Simulated Receipt Root CA" },
            try receipt(
                "the leaf expired",
                .chain,
                chain: {
                    $0.leaf.validUntil = now - 2 * ReceiptStage.day
                }
            ),
            try receipt(
                "the leaf not yet valid",
                .chain,
                chain: {
                    $0.leaf.validFrom = now - 60_000
                }
            ),
            try receipt(
                "the intermediate expired",
                .chain,
                chain: {
                    $0.middle.validUntil = now - 2 * ReceiptStage.day
                }
            ),
            try receipt(
                "an intermediate below the intermediate",
                .chain,
                chain: {
                    $0.middle.issuer = $0.middle.subject
                    $0.middle.subject = "Simulated Receipt Sub CA"
                    $0.leaf.issuer = $0.middle.subject
                    $0.rootKey = $0.middleKey
                },
                envelope: {
                    $0.issuer = "Simulated Receipt Sub CA"
                    $0.certificates = [$0.certificates[0], $0.certificates[1], mine[1], mine[2]]
                }
            ),
            try receipt(
                "signed by the root itself",
                .chain,
                chain: {
                    $0.leaf.issuer = $0.root.subject
                    $0.middleKey = $0.rootKey
                },
                envelope: { $0.issuer = "Simulated Receipt Root CA" }
            ),
        ]
    }

    func certificates() throws -> [HostileReceipt] {
        let leafMarker = ReceiptCertificate.leafMarker
        let middleMarker = ReceiptCertificate.intermediateMarker
        let short = try ReceiptKey(bits: 1024)
        let curve = try CertificateKey(.curve("P-256"))
        return [
            try receipt(
                "a leaf without its mark",
                .chain,
                chain: {
                    $0.leaf.replace(leafMarker, by: nil)
                }
            ),
            try receipt(
                "a leaf with the intermediate's mark",
                .chain,
                chain: {
                    $0.leaf.replace(leafMarker, by: .marker(middleMarker))
                }
            ),
            try receipt(
                "a leaf marked 100.6.11.2",
                .chain,
                chain: {
                    $0.leaf.replace(leafMarker, by: .marker("1.2.840.113635.100.6.11.2"))
                }
            ),
            try receipt(
                "a leaf marked twice",
                .chain,
                chain: {
                    $0.leaf.extensions.append(.marker(leafMarker))
                }
            ),
            try receipt(
                "an intermediate without its mark",
                .chain,
                chain: {
                    $0.middle.replace(middleMarker, by: nil)
                }
            ),
            try receipt(
                "an intermediate marked 100.6.2.2",
                .chain,
                chain: {
                    $0.middle.replace(middleMarker, by: .marker("1.2.840.113635.100.6.2.2"))
                }
            ),
            try receipt(
                "a leaf that is an authority",
                .chain,
                chain: {
                    $0.leaf.replace("2.5.29.19", by: .authority(true))
                }
            ),
            try receipt(
                "an intermediate that is none",
                .chain,
                chain: {
                    $0.middle.replace("2.5.29.19", by: .authority(false))
                }
            ),
            try receipt(
                "an intermediate without constraints",
                .chain,
                chain: {
                    $0.middle.replace("2.5.29.19", by: nil)
                }
            ),
            try receipt(
                "a leaf that may not sign",
                .chain,
                chain: {
                    $0.leaf.replace("2.5.29.15", by: .usage(0x20))
                }
            ),
            try receipt(
                "an intermediate that may not certify",
                .chain,
                chain: {
                    $0.middle.replace("2.5.29.15", by: .usage(0x80))
                }
            ),
            try receipt(
                "an unknown critical extension",
                .chain,
                chain: {
                    $0.leaf.extensions.append(
                        .init(oid: "1.2.3.4", isCritical: true, value: ReceiptDER.null)
                    )
                }
            ),
            try receipt(
                "a leaf of version 1",
                .chain,
                chain: {
                    $0.leaf.version = 1
                    $0.leaf.extensions = []
                }
            ),
            try receipt("a leaf signed with MD5", .chain, chain: { $0.leaf.hash = .md5 }),
            try receipt(
                "an intermediate signed with MD5",
                .chain,
                chain: {
                    $0.middle.hash = .md5
                }
            ),
            try receipt("a negative serial", .chain, chain: { $0.leaf.serial = -1 }),
            try receipt(
                "a key of 1,024 bits",
                .chain,
                chain: {
                    $0.leafKey = short
                    $0.leaf.publicKey = short.publicDER
                }
            ),
            try receipt(
                "a key on a curve",
                .chain,
                chain: {
                    $0.leaf.publicKey = curve.publicDER
                }
            ),
        ]
    }
}
