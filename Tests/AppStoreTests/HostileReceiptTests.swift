import AppStore
import Entitlements
import Forgery
import JSON
import Signatures
import Testing

/// A receipt that must not be believed, with its reason in proto/errors.json.
struct HostileReceipt: CustomStringConvertible {
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
    typealias Attribute = ReceiptContent.Attribute
    let stage: ReceiptStage
    let good: String

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

    /// What is no receipt.
    func texts() throws -> [HostileReceipt] {
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
    func padded() throws -> String {
        var content = ReceiptStage.good
        while true {
            let text = try stage.authority.receipt(content)
            if text.hasSuffix("=") { return text }
            content.version += "1"
        }
    }

    func nested(_ depth: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        for _ in 0..<depth {
            let length = bytes.count
            // Written backwards: content first.
            bytes.append(contentsOf: Self.length(length).reversed())
            bytes.append(0x30)
        }
        return bytes.reversed()
    }

    static func length(_ count: Int) -> [UInt8] {
        let digits = [UInt8(count >> 16 & 255), UInt8(count >> 8 & 255), UInt8(count & 255)]
        let least = digits.drop { $0 == 0 }
        return count < 0x80 ? [UInt8(count)] : [0x80 | UInt8(least.count)] + least
    }

    /// The outermost SEQUENCE of indefinite length.
    func indefinite(_ bytes: [UInt8]) -> [UInt8] {
        [0x30, 0x80] + bytes.dropFirst(4) + [0, 0]
    }

    /// Signed by itself, with the name that Xcode gives.
    func xcodeReceipt() throws -> [UInt8] {
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
