import Forgery
import JSON
import Signatures
import Testing

@Suite struct `Receipts in their containers` {
    private let chains: ReceiptChains

    init() throws { chains = try ReceiptChains() }

    @Test func `the receipt of a trusted chain is genuine`() throws {
        let verdict = try chains.verdict()
        guard case .genuine(let genuine) = verdict else {
            Issue.record("\(verdict)")
            return
        }
        #expect(genuine.content == ReceiptChains.content())
        #expect(genuine.created == ReceiptChains.now)
        #expect(genuine.digest == Digest.sha256(ReceiptChains.content()))
    }

    /// Apple's own before 2023, and since.
    @Test(arguments: [ReceiptHash.sha1, .sha256], [ReceiptHash.sha1, .sha256, .sha384, .sha512])
    func `SHA-1 and SHA-2 stand`(signed: ReceiptHash, certified: ReceiptHash) throws {
        let verdict = try chains.verdict(chain: {
            $0.hash = signed
            $0.leaf.hash = certified
            $0.middle.hash = certified
        })
        #expect(verdict.isGenuine)
        let named = try chains.verdict(
            chain: { $0.hash = signed },
            envelope: { $0.encryption = signed.rsaOID }
        )
        #expect(named.isGenuine)
    }

    @Test func `attributes may be signed in the place of the content`() throws {
        for hash in [ReceiptHash.sha1, .sha256] {
            let verdict = try chains.verdict(
                chain: { $0.hash = hash },
                envelope: {
                    let digest = hash.digest($0.content)
                    $0.signAttributes(type: "1.2.840.113549.1.7.1", digest: digest)
                }
            )
            #expect(verdict.isGenuine)
        }
    }

    @Test func `the root may be left out, and the order does not matter`() throws {
        let two = try chains.verdict(envelope: { $0.certificates.removeLast() })
        let reversed = try chains.verdict(envelope: { $0.certificates.reverse() })
        let other = try chains.authority.root.der(signedBy: chains.authority.leafKey)
        let four = try chains.verdict(envelope: { $0.certificates.append(other) })
        #expect(two.isGenuine && reversed.isGenuine && four.isGenuine)
    }

    @Test func `certificates are judged at the time of the receipt, to the second`() throws {
        let (now, day) = (ReceiptChains.now, ReceiptChains.day)
        let rows: [(Int64, Bool)] = [
            (now - 100 * day, true), (now - 100 * day - 1000, false), (now - 100 * day - 1, false),
            (now + 100 * day, true), (now + 100 * day + 999, true), (now + 100 * day + 1000, false),
            (0, false),
        ]
        for (created, isGenuine) in rows {
            let verdict = try chains.verdict(created: created)
            #expect(verdict.isGenuine == isGenuine, "\(created)")
            #expect(isGenuine || verdict.fault == .chain, "\(created)")
        }
        for created in [-1, 253_402_300_800_000, Int64.max, .min] {
            #expect(try chains.verdict(created: created).fault == .malformed, "\(created)")
        }
        // The leaf's own time counts as well.
        let short = try chains.verdict(chain: { $0.leaf.validUntil = now - day })
        #expect(short.fault == .chain)
    }

    @Test func `Apple Inc Root is built in, and trusted alone it refuses others`() throws {
        let root = DocumentVerifier.appleIncRoot
        let digits = Array("0123456789abcdef")
        let hex = Digest.sha256(root).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        #expect(String(hex) == "b0b1730ecbc7ff4505142c49f1295e6eda6bcaed7e2c68c5be91b5a11001f024")
        let verifier = try ReceiptVerifier(roots: [root])
        let container = try chains.authority.envelope(ReceiptChains.content())
            .der(signedBy: chains.authority.leafKey)
        let text = Array(Base64.text(container).utf8)
        #expect(verifier.verdict(on: text, reading: ReceiptChains.read).fault == .chain)
        #expect(throws: RootFailure.self) { try ReceiptVerifier(roots: []) }
    }

    @Test func `a blocked serial is refused`() throws {
        let root = try chains.authority.rootDER()
        let container = try chains.authority.envelope(ReceiptChains.content())
            .der(signedBy: chains.authority.leafKey)
        let text = Array(Base64.text(container).utf8)
        // The root, the intermediate, the leaf; and one that nobody has.
        let rows: [(UInt8, Bool)] = [(2, false), (3, false), (4, false), (5, true)]
        for (serial, isGenuine) in rows {
            let verifier = try ReceiptVerifier(roots: [root], blockedSerials: [[serial]])
            let verdict = verifier.verdict(on: text, reading: ReceiptChains.read)
            #expect(verdict.isGenuine == isGenuine, "\(serial)")
        }
    }

    @Test func `what is too long is refused`() throws {
        let most = ReceiptLimits.textBytesMax
        let long = "the receipt is too long"
        // The greatest text may hold two bytes too many: it is measured again when decoded.
        for (count, detail) in [(most - 4, "not DER"), (most, long), (most + 4, long)] {
            let text = [UInt8](repeating: UInt8(ascii: "A"), count: count)
            let verdict = chains.verifier.verdict(on: text, reading: ReceiptChains.read)
            guard case .forged(let reason) = verdict else {
                Issue.record("\(count) letters: \(verdict)")
                continue
            }
            #expect(reason.kind == .malformed && reason.detail == detail, "\(count)")
        }
        var content = ReceiptChains.content()
        let least = try chains.authority.envelope(content).der(signedBy: chains.authority.leafKey)
        // Zeros before a number change nothing, and the lengths around it need some bytes more.
        let room = ReceiptLimits.containerBytesMax - least.count - 64
        content.insert(contentsOf: [UInt8](repeating: UInt8(ascii: "0"), count: room), at: 5)
        let great = try chains.authority.envelope(content).der(signedBy: chains.authority.leafKey)
        #expect(great.count <= ReceiptLimits.containerBytesMax)
        #expect(chains.verdict(great).isGenuine)
        content.insert(contentsOf: [UInt8](repeating: UInt8(ascii: "0"), count: 64), at: 5)
        let over = try chains.authority.envelope(content).der(signedBy: chains.authority.leafKey)
        #expect(over.count > ReceiptLimits.containerBytesMax)
        #expect(chains.verdict(over).fault == .malformed)
    }

    @Test func `keys are of 2048 to 4096 bits`() throws {
        for (bits, isGenuine) in [(1024, false), (2047, false), (2056, true), (4104, false)] {
            let key = try ReceiptKey(bits: bits)
            let verdict = try chains.verdict(chain: {
                $0.leafKey = key
                $0.leaf.publicKey = key.publicDER
            })
            #expect(verdict.isGenuine == isGenuine, "\(bits)")
            #expect(isGenuine || verdict.fault == .chain, "\(bits)")
        }
    }

    @Test func `a certificate with a long extension is refused`() throws {
        let long = [UInt8](repeating: 0, count: SignatureLimits.certificateBytesMax)
        let verdict = try chains.verdict(chain: {
            $0.leaf.extensions.append(.init(oid: "1.2.3.4", value: ReceiptDER.octets(long)))
        })
        #expect(verdict.fault == .chain)
    }
}
