import Fixtures
import Forgery
import Signatures
import Testing

@Suite struct `The chain of a document` {
    private let now = Chains.now
    private let day = Chains.day

    private func verdict(
        curve: String = "P-256",
        _ change: (inout HostileChain) throws -> Void = { _ in }
    ) throws -> Verdict<VerifiedDocument> {
        var chain = try HostileChain(from: now - 180 * day, until: now + 180 * day, curve: curve)
        let root = try chain.rootDER()
        try change(&chain)
        let verifier = try DocumentVerifier(roots: [root])
        return verifier.verdict(on: Array(try chain.sign(Chains.payload).utf8))
    }

    @Test(arguments: ["P-256", "P-384"])
    func `both curves above the leaf are right`(curve: String) throws {
        #expect(try verdict(curve: curve).isGenuine)
    }

    /// Apple's own fixtures sign with SHA-384 by P-256 keys.
    @Test(arguments: ["P-256", "P-384"])
    func `SHA-384 by either curve is right`(curve: String) throws {
        let verdict = try verdict(curve: curve) {
            $0.useSHA384()
        }
        #expect(verdict.isGenuine)
    }

    @Test func `keyUsage may be absent`() throws {
        #expect(try verdict { $0.removeFromLeaf("2.5.29.15") }.isGenuine)
        #expect(try verdict { $0.removeFromMiddle("2.5.29.15") }.isGenuine)
    }

    @Test func `keyUsage without the needed bit is refused`() throws {
        // nonRepudiation, keyEncipherment, keyAgreement, cRLSign.
        for bits: UInt8 in [0x40, 0x20, 0x08, 0x02] {
            #expect(try verdict { $0.setUsageOfLeaf(bits) }.fault == .chain)
            #expect(try verdict { $0.setUsageOfMiddle(bits) }.fault == .chain)
        }
        #expect(try verdict { $0.setUsageOfMiddle(0x80) }.fault == .chain)
        #expect(try verdict { $0.setUsageOfLeaf(0x04) }.fault == .chain)
    }

    /// The fixtures of Apple's libraries have none.
    @Test func `key identifiers may be absent`() throws {
        let verdict = try verdict {
            for oid in ["2.5.29.14", "2.5.29.35"] {
                $0.removeFromLeaf(oid)
                $0.removeFromMiddle(oid)
            }
        }
        #expect(verdict.isGenuine)
    }

    @Test func `a small r or s keeps its leading zeros`() throws {
        let chain = try Chains.chain()
        let ders = try chain.ders()
        let verifier = try DocumentVerifier(roots: [ders[2]])
        let document = HostileDocument(Chains.payload, ders: ders)
        var found = 0
        for _ in 0..<5_000 where found < 4 {
            let pair = try chain.leafKey.pair(over: Array(document.input.utf8))
            guard pair[0] == 0 || pair[32] == 0 else { continue }
            found += 1
            #expect(verifier.verdict(on: Array(document.with(pair).utf8)).isGenuine)
        }
        #expect(found == 4)
    }
}
