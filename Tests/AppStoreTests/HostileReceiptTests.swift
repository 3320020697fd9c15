import AppStore
import Entitlements
import Forgery
import JSON
import Signatures
import Testing

/// A receipt that must not be believed, with its reason in proto/errors.json.
private struct HostileReceipt: CustomStringConvertible {
    let description: String
    let text: String
    let fault: ReceiptFault

    init(_ name: String, _ fault: ReceiptFault, _ text: String) {
        description = name
        self.fault = fault
        self.text = text
    }
}

@Suite struct `The hostile receipts` {
    private typealias Attribute = ReceiptContent.Attribute
    private let stage: ReceiptStage
    private let good: String

    init() throws {
        stage = try ReceiptStage()
        good = try stage.authority.receipt(ReceiptStage.good)
    }

    @Test func `each gets its reason`() throws {
        #expect(stage.verdict(onText: good).receipt != nil)
        let cases =
            try texts() + chains() + certificates() + containers() + signatures() + contents()
            + purchases()
        for hostile in cases {
            let verdict = stage.verdict(onText: hostile.text)
            #expect(verdict.fault == hostile.fault, "\(hostile): \(verdict)")
        }
        print("hostile receipts: \(cases.count)")
        #expect(cases.count >= 80)
        #expect(Set(cases.map(\.description)).count == cases.count)
        // The one reason that needs another daemon is that of an environment not configured.
        #expect(Set(cases.map(\.fault)) == Set(ReceiptFault.allCases))
    }

    // MARK: What is no receipt

    private func texts() throws -> [HostileReceipt] {
        let bytes = Base64.bytes(good) ?? []
        let xcode = try xcodeReceipt()
        return [
            .init("empty", .malformed, ""),
            .init("base64 of base64", .doubleBase64, Base64.text(Array(good.utf8))),
            .init("a JWS", .jwsNotReceipt, "eyJhbGciOiJFUzI1NiJ9.e30.AAAA"),
            .init("a JWS's header alone", .jwsNotReceipt, "eyJhbGciOiJFUzI1NiJ9"),
            .init("iOS 6", .malformed, Base64.text(Array("{\n\t\"signature\" = \"A\";\n}".utf8))),
            .init("JSON", .malformed, #"{"receipt-data":"MIIT"}"#),
            .init("hexadecimal", .malformed, "3082"),
            .init(
                "base64url",
                .malformed,
                good.replacing("+", with: "-").replacing("/", with: "_")
            ),
            .init("no padding", .malformed, try padded().replacing("=", with: "")),
            .init("a form feed before it", .malformed, "\u{0C}" + good),
            .init("a NUL after it", .malformed, good + "\0"),
            .init(
                "a line break of Unicode inside",
                .malformed,
                good.prefix(64) + "\u{2028}" + good.dropFirst(64)
            ),
            .init("pluses as spaces", .malformed, good.replacing("+", with: " ")),
            .init("PEM", .malformed, "-----BEGIN PKCS7-----\n\(good)\n-----END PKCS7-----"),
            .init("half of it", .malformed, String(good.prefix(good.count / 8 * 4))),
            .init("bytes after it", .malformed, Base64.text(bytes + [0])),
            .init("twice", .malformed, Base64.text(bytes + bytes)),
            .init("zeros", .malformed, Base64.text([UInt8](repeating: 0, count: 4096))),
            .init("a great length", .malformed, Base64.text([0x30, 0x84, 0xff, 0xff, 0xff, 0xff])),
            .init(
                "greater",
                .malformed,
                Base64.text([0x30, 0x88] + [UInt8](repeating: 127, count: 8))
            ),
            .init("nested deep", .malformed, Base64.text(nested(40_000))),
            .init("longer than any", .malformed, String(repeating: "MIIT", count: 400_000)),
            .init("indefinite", .malformed, Base64.text(indefinite(bytes))),
            .init("Xcode's", .xcode, Base64.text(xcode)),
            .init("Xcode's, indefinite", .xcode, Base64.text(indefinite(xcode))),
        ]
    }

    /// A good receipt whose text ends with padding.
    private func padded() throws -> String {
        var content = ReceiptStage.good
        while true {
            let text = try stage.authority.receipt(content)
            if text.hasSuffix("=") { return text }
            content.version += "1"
        }
    }

    private func nested(_ depth: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        for _ in 0..<depth {
            let length = bytes.count
            // Written backwards: content first.
            bytes.append(contentsOf: Self.length(length).reversed())
            bytes.append(0x30)
        }
        return bytes.reversed()
    }

    private static func length(_ count: Int) -> [UInt8] {
        let digits = [UInt8(count >> 16 & 255), UInt8(count >> 8 & 255), UInt8(count & 255)]
        let least = digits.drop { $0 == 0 }
        return count < 0x80 ? [UInt8(count)] : [0x80 | UInt8(least.count)] + least
    }

    /// The outermost SEQUENCE of indefinite length.
    private func indefinite(_ bytes: [UInt8]) -> [UInt8] {
        [0x30, 0x80] + bytes.dropFirst(4) + [0, 0]
    }

    /// Signed by itself, with the name that Xcode gives.
    private func xcodeReceipt() throws -> [UInt8] {
        var authority = stage.authority
        authority.leaf.subject = "StoreKit"
        authority.leaf.issuer = "StoreKit"
        authority.leaf.extensions = []
        authority.middleKey = authority.leafKey
        var content = ReceiptStage.good
        content.environment = "Xcode"
        var envelope = try authority.envelope(content.bytes)
        envelope.certificates = [envelope.certificates[0]]
        return try envelope.der(signedBy: authority.leafKey)
    }

    // MARK: Chains

    private func receipt(
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
    private func altered(
        _ name: String,
        _ fault: ReceiptFault,
        _ adjust: (inout ReceiptEnvelope) throws -> Void
    ) throws -> HostileReceipt {
        try receipt(name, fault, envelope: adjust)
    }

    private func chains() throws -> [HostileReceipt] {
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

    private func certificates() throws -> [HostileReceipt] {
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

    // MARK: Containers and signatures

    private func containers() throws -> [HostileReceipt] {
        let other = try stage.authority.envelope(ReceiptStage.good.bytes)
        let signature = try stage.authority.leafKey.signature(over: other.input, .sha256)
        return [
            try altered("enveloped data", .malformed) {
                $0.containerType = "1.2.840.113549.1.7.3"
            },
            try altered("content of another type", .malformed) {
                $0.contentType = "1.2.840.113549.1.7.2"
            },
            try altered("content of a type of CMS", .malformed) {
                $0.contentType = "1.2.840.113549.1.9.16.1.4"
            },
            try altered("no content", .malformed) { $0.isDetached = true },
            try altered("two signers", .malformed) { $0.moreSigners = [other.signer(signature)] },
            try altered("no digest announced", .malformed) { $0.announced = [] },
            try altered("two digests announced", .malformed) { $0.announced = [.sha1, .sha256] },
            try altered("another digest announced", .malformed) { $0.announced = [.sha1] },
            try altered("a digest announced very often", .malformed) {
                $0.announced = [ReceiptHash](repeating: .sha256, count: 40_000)
            },
            // As CMS has them, and PKCS #7 does not.
            try altered("a signer named by a key", .malformed) {
                $0.keyIdentifier = [UInt8](repeating: 7, count: 20)
            },
            try altered("revocation information", .malformed) {
                let form = ReceiptDER.sequence(
                    ReceiptDER.oid("1.3.6.1.5.5.7.16.2"),
                    ReceiptDER.integer(1)
                )
                $0.revocationLists = [[0xa1] + form.dropFirst()]
            },
        ]
    }

    private func signatures() throws -> [HostileReceipt] {
        let authority = stage.authority
        let data = "1.2.840.113549.1.7.1"
        let envelope = try authority.envelope(ReceiptStage.good.bytes)
        let pss = try authority.leafKey.signature(over: envelope.input, .sha256, isPSS: true)
        let foreign = try authority.middleKey.signature(over: envelope.input, .sha256)
        let digest = ReceiptHash.sha256.digest(envelope.content)
        let overDigest = try authority.leafKey.signature(over: digest, .sha256)
        func with(_ signature: [UInt8]) -> String {
            Base64.text(envelope.der(signature: signature))
        }
        var other = envelope
        other.content = Self.replaced(
            other.content,
            "com.example.monthly",
            "com.example.forever"
        )
        let good = try authority.leafKey.signature(over: envelope.input, .sha256)
        return [
            .init("another product", .signature, Base64.text(other.der(signature: good))),
            .init("another's signature", .signature, with(foreign)),
            .init("PSS", .signature, with(pss)),
            .init("over the digest", .signature, with(overDigest)),
            .init("an empty signature", .signature, with([])),
            .init("a signature of zeros", .signature, with([UInt8](repeating: 0, count: 256))),
            .init("a signature of one", .signature, with([UInt8](repeating: 0, count: 255) + [1])),
            .init("a signature cut", .signature, with(Array(good.dropLast()))),
            .init("a signature prolonged", .signature, with([0] + good)),
            try receipt("signed with MD5", .signature, chain: { $0.hash = .md5 }),
            try receipt("signed with SHA-512", .signature, chain: { $0.hash = .sha512 }),
            try altered("named as PSS", .signature) { $0.encryption = "1.2.840.113549.1.1.10" },
            try altered("named as another digest's", .signature) {
                $0.encryption = ReceiptHash.sha1.rsaOID
            },
            try altered("attributes with another digest", .signature) {
                $0.signAttributes(type: data, digest: [UInt8](repeating: 1, count: 32))
            },
            try altered("attributes with another type", .signature) {
                $0.signAttributes(type: "1.2.840.113549.1.7.2", digest: digest)
            },
            try altered("attributes without a digest", .signature) {
                $0.signAttributes(type: data, digest: digest)
                $0.attributes?.removeLast()
            },
            try altered("attributes without a type", .signature) {
                $0.signAttributes(type: data, digest: digest)
                $0.attributes?.removeFirst()
            },
        ]
    }

    private static func replaced(_ bytes: [UInt8], _ old: String, _ new: String) -> [UInt8] {
        precondition(old.utf8.count == new.utf8.count, "lengths stay as they are")
        let (old, new) = (Array(old.utf8), Array(new.utf8))
        var bytes = bytes
        for start in bytes.indices.dropLast(old.count - 1) where bytes[start...].starts(with: old) {
            bytes.replaceSubrange(start..<(start + old.count), with: new)
        }
        return bytes
    }

    // MARK: Contents, all signed well

    private func content(
        _ name: String,
        _ fault: ReceiptFault,
        changing change: (inout [Attribute]) -> Void
    ) throws -> HostileReceipt {
        var attributes = ReceiptStage.good.attributes
        change(&attributes)
        return try signed(name, fault, Attribute.set(attributes))
    }

    private func signed(
        _ name: String,
        _ fault: ReceiptFault,
        _ bytes: [UInt8]
    ) throws -> HostileReceipt {
        let envelope = try stage.authority.envelope(bytes)
        let der = try envelope.der(signedBy: stage.authority.leafKey)
        return HostileReceipt(name, fault, Base64.text(der))
    }

    private func replacing(
        _ type: Int64,
        _ value: [UInt8]?
    ) -> (inout [Attribute]) -> Void {
        { attributes in
            attributes.removeAll { $0.type == type }
            if let value { attributes.append(Attribute(type, value)) }
        }
    }

    private func contents() throws -> [HostileReceipt] {
        let now = ReceiptStage.now
        let good = ReceiptStage.good.bytes
        let text = ReceiptDER.text
        let future = ReceiptDER.date(now + 301_000)
        return [
            try signed("no content at all", .malformed, []),
            try signed("a SEQUENCE for the SET", .malformed, [0x30] + good.dropFirst()),
            try signed("a byte after the SET", .malformed, good + [0]),
            try signed("attributes in the SET are none", .malformed, ReceiptDER.set([[2, 1, 1]])),
            try signed("JSON signed well", .malformed, Array(#"{"bundle_id":"a"}"#.utf8)),
            try content("no date", .malformed, changing: replacing(12, nil)),
            try content("an empty date", .malformed, changing: replacing(12, ReceiptDER.date(nil))),
            try content("a date that is none", .malformed, changing: replacing(12, text("now"))),
            try content("a number for the date", .malformed, changing: replacing(12, [2, 1, 5])),
            try content("two dates", .malformed) {
                $0.append(Attribute(12, ReceiptDER.date(now)))
            },
            try content("made in the future", .futureDate, changing: replacing(12, future)),
            try content("another app", .bundle, changing: replacing(2, text("com.example.other"))),
            try content("another case", .bundle, changing: replacing(2, text("com.example.App"))),
            try content("no app", .bundle, changing: replacing(2, nil)),
            try content("an empty app", .bundle, changing: replacing(2, text(""))),
            try content("bytes for the app", .malformed, changing: replacing(2, [1, 2, 3])),
            try content(
                "an app with a NUL",
                .bundle,
                changing: replacing(
                    2,
                    text(ReceiptStage.bundleID + "\0")
                )
            ),
            try content(
                "an app that is no UTF-8",
                .malformed,
                changing: replacing(
                    2,
                    ReceiptDER.element(0x0c, [0xff, 0xfe])
                )
            ),
            try content("two apps", .malformed) { $0.append(Attribute(2, text("com.other"))) },
            try content("no environment", .environment, changing: replacing(0, nil)),
            try content(
                "an unknown environment",
                .environment,
                changing: replacing(
                    0,
                    text("Staging")
                )
            ),
            try content("two environments", .malformed) { $0.append(Attribute(0, text("Xcode"))) },
            try content("the environment Xcode", .xcode, changing: replacing(0, text("Xcode"))),
            try signed(
                "an attribute without value",
                .malformed,
                ReceiptDER.set(
                    ReceiptStage.good.attributes.map(\.der)
                        + [ReceiptDER.sequence(ReceiptDER.integer(99), ReceiptDER.integer(1))]
                )
            ),
            try signed(
                "an attribute with two values",
                .malformed,
                ReceiptDER.set(
                    ReceiptStage.good.attributes.map(\.der)
                        + [
                            ReceiptDER.sequence(
                                ReceiptDER.integer(99),
                                ReceiptDER.integer(1),
                                ReceiptDER.octets([]),
                                ReceiptDER.octets([])
                            )
                        ]
                )
            ),
        ]
    }

    private func purchase(
        _ name: String,
        changing change: (inout [Attribute]) -> Void
    ) throws -> HostileReceipt {
        var attributes = ReceiptStage.month.attributes
        change(&attributes)
        return try content("a purchase with " + name, .malformed) {
            $0.append(Attribute(17, Attribute.set(attributes)))
        }
    }

    private func purchases() throws -> [HostileReceipt] {
        let (text, number) = (ReceiptDER.text, ReceiptDER.integer)
        let long = String(repeating: "1", count: 256)
        let early = ReceiptDER.date(ReceiptStage.now - 11 * ReceiptStage.day)
        let empty = [UInt8](ReceiptContent.Attribute.set([]))
        return [
            try purchase("no id", changing: replacing(1703, nil)),
            try purchase("an empty id", changing: replacing(1703, text(""))),
            try purchase("a long id", changing: replacing(1703, text(long))),
            try purchase("a line break in its id", changing: replacing(1703, text("1\n2"))),
            try purchase("two ids") { $0.append(Attribute(1703, text("7"))) },
            try purchase("no original id", changing: replacing(1705, nil)),
            try purchase("a number for the original id", changing: replacing(1705, number(1))),
            try purchase("no product", changing: replacing(1702, nil)),
            try purchase("a product of spaces", changing: replacing(1702, text("  "))),
            try purchase("no date", changing: replacing(1704, nil)),
            try purchase("a date that is none", changing: replacing(1704, text("2026"))),
            try purchase("an end before its beginning", changing: replacing(1708, early)),
            try purchase("an end that is none", changing: replacing(1708, text("later"))),
            try purchase("a cancellation that is none", changing: replacing(1712, text("x"))),
            try purchase("a quantity of none", changing: replacing(1701, number(0))),
            try purchase("a negative quantity", changing: replacing(1701, number(-1))),
            try purchase("a great quantity", changing: replacing(1701, number(1 << 31))),
            try purchase(
                "a quantity of nine bytes",
                changing: replacing(
                    1701,
                    ReceiptDER.element(2, [UInt8](repeating: 1, count: 9))
                )
            ),
            try purchase("a text for the quantity", changing: replacing(1701, text("1"))),
            try content("a purchase that is empty", .malformed) {
                $0.append(Attribute(17, empty))
            },
            try content("a purchase that is text", .malformed) {
                $0.append(Attribute(17, text("1")))
            },
            try content("more purchases than any", .malformed) {
                let one = Attribute(17, Attribute.set(Self.least))
                $0 += [Attribute](repeating: one, count: 4096)
            },
        ]
    }

    /// The least that a purchase needs.
    private static var least: [Attribute] {
        [
            Attribute(1702, ReceiptDER.text("p")), Attribute(1703, ReceiptDER.text("1")),
            Attribute(1704, ReceiptDER.date(0)), Attribute(1705, ReceiptDER.text("1")),
        ]
    }

    /// Not one fewer: the bound is where it is said to be.
    @Test func `as many purchases as allowed are read`() throws {
        var attributes = ReceiptStage.good.attributes.filter { $0.type != 17 }
        let one = Attribute(17, Attribute.set(Self.least))
        attributes += [Attribute](repeating: one, count: 4096)
        let verdict = try stage.verdict(onContent: Attribute.set(attributes))
        #expect(verdict.receipt?.facts.count == 4096)
    }

    @Test func `five minutes of future are forgiven, and not a second more`() throws {
        for (ahead, fault) in [(300_000, nil), (301_000, .futureDate)] as [(Int64, ReceiptFault?)] {
            var content = ReceiptStage.good
            content.created = ReceiptStage.now + ahead
            #expect(try stage.verdict(on: content).fault == fault)
        }
    }

    @Test func `a store without receipts takes none`() {
        struct Shop: Storefront {
            let profile = StoreProfile(
                .stripe,
                section: "shop",
                webhook: StoreWebhook(paths: [], challenge: "", bodyBytesMax: 0),
                managementURL: nil
            )
            func verdict(on delivery: StoreDelivery, at now: Moment) -> NotificationVerdict {
                .malformed
            }
        }
        let verdict = Shop().verdict(onReceipt: Array(good.utf8), at: Moment(ReceiptStage.now))
        #expect(verdict.fault == .malformed)
    }
}
