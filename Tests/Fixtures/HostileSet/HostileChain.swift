import Forgery
import JSON

/// A chain in Apple's shape made of forms, so that each part can be made wrong and signed anew.
package struct HostileChain: Sendable {
    /// The keys, which sign whatever stands below.
    package var rootKey: CertificateKey
    package var middleKey: CertificateKey
    package var leafKey: CertificateKey
    /// The certificates, not yet signed.
    package var root: CertificateForm
    package var middle: CertificateForm
    package var leaf: CertificateForm

    /// Whose key is on which curve; Apple's own are P-384 above the leaf.
    package init(
        from validFrom: Int64,
        until validUntil: Int64,
        curve: String = "P-256",
        rootName: [UInt8] = CertificateForm.name("Hostile Root")
    ) throws {
        rootKey = try CertificateKey(.curve(curve))
        middleKey = try CertificateKey(.curve(curve))
        leafKey = try CertificateKey(.curve("P-256"))
        let middleName = CertificateForm.name("Hostile WWDR")
        func identifiers(
            _ subject: CertificateKey,
            _ issuer: CertificateKey?
        )
            -> [CertificateForm.Extension]
        {
            let own = DER.octets(CertificateForm.identifier(of: subject))
            let first = CertificateForm.Extension(oid: "2.5.29.14", value: own)
            guard let issuer else { return [first] }
            let other = DER.sequence([DER.element(0x80, CertificateForm.identifier(of: issuer))])
            return [first, CertificateForm.Extension(oid: "2.5.29.35", value: other)]
        }
        root = CertificateForm(
            key: rootKey,
            validFrom: validFrom,
            validUntil: validUntil,
            subject: rootName,
            issuer: rootName,
            extensions: [.authority(true), .usage(0x06)] + identifiers(rootKey, nil)
        )
        middle = CertificateForm(
            key: middleKey,
            validFrom: validFrom,
            validUntil: validUntil,
            serial: DER.integer([0x40, 0x02]),
            subject: middleName,
            issuer: rootName,
            extensions: [
                .authority(true, pathLength: 0), .usage(0x06),
                .marker(CertificateForm.intermediateMarker),
            ] + identifiers(middleKey, rootKey)
        )
        leaf = CertificateForm(
            key: leafKey,
            validFrom: validFrom,
            validUntil: validUntil,
            serial: DER.integer([0x40, 0x03]),
            subject: CertificateForm.name("Hostile Receipt Signing"),
            issuer: middleName,
            extensions: [.authority(false), .usage(0x80), .marker(CertificateForm.leafMarker)]
                + identifiers(leafKey, middleKey)
        )
    }

    /// DER of root, intermediate and leaf.
    package func rootDER() throws -> [UInt8] { try root.der(signedBy: rootKey) }
    package func middleDER() throws -> [UInt8] { try middle.der(signedBy: rootKey) }
    package func leafDER() throws -> [UInt8] { try leaf.der(signedBy: middleKey) }

    /// The chain as documents carry it.
    package func ders() throws -> [[UInt8]] { [try leafDER(), try middleDER(), try rootDER()] }

    /// A document under this chain, or under `ders` in its place.
    package func sign(_ payload: [UInt8], ders: [[UInt8]]? = nil) throws -> String {
        try HostileDocument(payload, ders: try ders ?? self.ders()).signed(by: leafKey)
    }
}

/// A document in parts: header and payload as bytes, before they are signed.
package struct HostileDocument: Sendable {
    package var header: [UInt8]
    package var payload: [UInt8]

    package init(_ payload: [UInt8], ders: [[UInt8]]) {
        self.init(payload, x5c: ders.map(Base64.text))
    }

    package init(_ payload: [UInt8], x5c: [String], alg: String = "ES256") {
        let header: JSONValue = ["alg": .string(alg), "x5c": .array(x5c.map { .string($0) })]
        self.header = header.bytes
        self.payload = payload
    }

    package init(_ payload: [UInt8], header: String) {
        self.header = Array(header.utf8)
        self.payload = payload
    }

    /// What is signed.
    package var input: String { Base64.urlText(header) + "." + Base64.urlText(payload) }

    package func signed(by key: CertificateKey) throws -> String {
        with(try key.pair(over: Array(input.utf8)))
    }

    package func with(_ signature: [UInt8]) -> String { input + "." + Base64.urlText(signature) }
}

extension HostileChain {
    /// Every certificate signed with SHA-384, and saying so.
    package mutating func useSHA384() {
        middle.algorithm = CertificateForm.ecdsaSHA384
        middle.hash = .sha384
        leaf.algorithm = CertificateForm.ecdsaSHA384
        leaf.hash = .sha384
    }

    /// Takes the extension away.
    package mutating func removeFromLeaf(_ oid: String) { leaf.replace(oid, by: nil) }
    /// Takes the extension away.
    package mutating func removeFromMiddle(_ oid: String) { middle.replace(oid, by: nil) }

    /// The bits of keyUsage's first byte.
    package mutating func setUsageOfLeaf(_ bits: UInt8) {
        leaf.replace("2.5.29.15", by: .usage(bits))
    }

    /// The bits of keyUsage's first byte.
    package mutating func setUsageOfMiddle(_ bits: UInt8) {
        middle.replace("2.5.29.15", by: .usage(bits))
    }

    /// In ms since 1970.
    package mutating func setValidityOfLeaf(_ from: Int64, _ until: Int64) {
        leaf.validFrom = from
        leaf.validUntil = until
    }

    /// Another leaf of the same chain, with a key of its own.
    package func withAnotherLeaf() throws -> HostileChain {
        var copy = self
        copy.leafKey = try CertificateKey(.curve("P-256"))
        copy.leaf.key = copy.leafKey
        return copy
    }
}
