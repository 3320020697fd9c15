import CertificateAuthority
import Fixtures
import Signatures
import Testing

@Suite struct `Remembered chains` {
    @Test func `a chain is judged once`() throws {
        let chain = try Chains.chain()
        let ders = try chain.ders()
        let verifier = try DocumentVerifier(roots: [ders[2]])
        for round in 0..<100 {
            let payload = Chains.payload(signed: Chains.now + Int64(round))
            let text = Array(try chain.sign(payload, ders: ders).utf8)
            #expect(verifier.verdict(on: text).isGenuine)
        }
        #expect(verifier.cacheFigures == (hits: 99, misses: 1))
    }

    @Test func `a remembered chain is not valid outside its validity`() throws {
        var chain = try Chains.chain()
        chain.setValidityOfLeaf(Chains.now - 10_000, Chains.now + 10_000)
        let ders = try chain.ders()
        let verifier = try DocumentVerifier(roots: [ders[2]])
        for (offset, isGenuine): (Int64, Bool) in [
            (0, true), (11_000, false), (-11_000, false), (10_000, true), (-10_000, true),
            (86_400_000, false),
        ] {
            let payload = Chains.payload(signed: Chains.now + offset)
            let text = Array(try chain.sign(payload, ders: ders).utf8)
            #expect(verifier.verdict(on: text).isGenuine == isGenuine, "\(offset) ms")
        }
        #expect(verifier.cacheFigures.hits == 5)
    }

    @Test func `a remembered chain helps no forged signature`() throws {
        let chain = try Chains.chain()
        let ders = try chain.ders()
        let verifier = try DocumentVerifier(roots: [ders[2]])
        #expect(
            verifier.verdict(on: Array(try chain.sign(Chains.payload, ders: ders).utf8)).isGenuine
        )
        let stranger = try CertificateKey(.curve("P-256"))
        let document = HostileDocument(Chains.payload(signed: Chains.now + 1), ders: ders)
        let forged = Array(try document.signed(by: stranger).utf8)
        #expect(verifier.verdict(on: forged).fault == .signature)
        #expect(verifier.cacheFigures.hits == 1)
    }

    @Test func `a document that does not verify puts no chain there`() throws {
        let chain = try Chains.chain()
        let ders = try chain.ders()
        let verifier = try DocumentVerifier(roots: [ders[2]])
        let document = HostileDocument(Chains.payload, ders: ders)
        let forged = Array(document.with([UInt8](repeating: 1, count: 64)).utf8)
        for _ in 0..<3 { #expect(verifier.verdict(on: forged).fault == .signature) }
        #expect(verifier.cacheFigures == (hits: 0, misses: 3))
    }

    @Test func `32 chains are remembered, the least used makes room`() throws {
        let chain = try Chains.chain()
        let root = try chain.rootDER()
        let verifier = try DocumentVerifier(roots: [root])
        let texts = try (0..<33)
            .map { _ in
                Array(try chain.withAnotherLeaf().sign(Chains.payload).utf8)
            }
        #expect(SignatureLimits.chainsMax == 32)
        for text in texts.prefix(32) { #expect(verifier.verdict(on: text).isGenuine) }
        // The first is used again, so that the second is the oldest when the 33rd comes.
        #expect(verifier.verdict(on: texts[0]).isGenuine)
        #expect(verifier.verdict(on: texts[32]).isGenuine)
        #expect(verifier.cacheFigures == (hits: 1, misses: 33))
        #expect(verifier.verdict(on: texts[0]).isGenuine)
        #expect(verifier.cacheFigures == (hits: 2, misses: 33))
        #expect(verifier.verdict(on: texts[1]).isGenuine)
        #expect(verifier.cacheFigures == (hits: 2, misses: 34))
    }

    /// J-73.
    @Test func `a thousand chains flush nothing but the cache`() throws {
        let chain = try Chains.chain()
        let ders = try chain.ders()
        let verifier = try DocumentVerifier(roots: [ders[2]])
        let favourite = Array(try chain.sign(Chains.payload, ders: ders).utf8)
        #expect(verifier.verdict(on: favourite).isGenuine)
        for round in 0..<1000 {
            // Valid-looking: all but the signature is right, so none of them is remembered.
            var other = chain
            other.leaf.serial = DER.element(0x02, [0x50, UInt8(round >> 8), UInt8(round & 0xff)])
            let list = [try other.leafDER(), ders[1], ders[2]]
            let document = HostileDocument(Chains.payload, ders: list)
            let forged = Array(document.with([UInt8](repeating: 7, count: 64)).utf8)
            #expect(verifier.verdict(on: forged).fault == .signature)
        }
        #expect(verifier.verdict(on: favourite).isGenuine)
        #expect(verifier.cacheFigures == (hits: 1, misses: 1001))
    }

    @Test func `eight threads verify at once`() async throws {
        let chain = try Chains.chain()
        let ders = try chain.ders()
        let verifier = try DocumentVerifier(roots: [ders[2]])
        let others = try (0..<40)
            .map { _ in
                Array(try chain.withAnotherLeaf().sign(Chains.payload).utf8)
            }
        let good = Array(try chain.sign(Chains.payload, ders: ders).utf8)
        var bad = good
        bad[bad.count - 5] = bad[bad.count - 5] == 0x41 ? 0x42 : 0x41
        let right = await withTaskGroup(of: Int.self) { [bad] group in
            for thread in 0..<8 {
                group.addTask {
                    (0..<64).count { round in
                        let other = others[(thread * 5 + round) % others.count]
                        return verifier.verdict(on: good).isGenuine
                            && verifier.verdict(on: bad).fault == .signature
                            && verifier.verdict(on: other).isGenuine
                    }
                }
            }
            return await group.reduce(0, +)
        }
        #expect(right == 8 * 64)
    }
}
