import CertificateAuthority
import Chance
import Signatures
import Testing

@testable import Fixtures

/// Which root a chain leads to, pathological ones included: a chain has three places, so there
/// is no path to search for.
struct PathTests {
    @Test func `chains that lead in circles are refused`() throws {
        let chain = try Chains.chain()
        let ders = try chain.ders()
        let verifier = try DocumentVerifier(roots: [ders[2]])
        var circles = [chain, chain, chain, chain]
        circles[0].middle.issuer = chain.leaf.subject
        circles[1].middle.issuer = chain.middle.subject
        circles[2].middle.subject = chain.root.subject
        circles[2].leaf.issuer = chain.root.subject
        circles[2].middle.issuer = chain.leaf.subject
        circles[3].leaf.subject = chain.middle.subject
        circles[3].middle.issuer = chain.middle.subject
        for circle in circles {
            let text = try circle.sign(Chains.payload)
            #expect(verifier.verdict(on: Array(text.utf8)).fault == .chain)
        }
        for places in [[0, 0, 0], [1, 1, 1], [2, 2, 2], [1, 0, 2], [0, 2, 1], [2, 1, 0]] {
            let text = try chain.sign(Chains.payload, ders: places.map { ders[$0] })
            #expect(verifier.verdict(on: Array(text.utf8)).fault == .chain, "\(places)")
        }
    }

    @Test func `among many trusted roots of one name the key identifier finds the right one`()
        throws
    {
        let many = try (0..<50).map { _ in try Chains.rootDER() }
        let chain = try Chains.chain()
        let text = Array(try chain.sign(Chains.payload).utf8)
        let verifier = try DocumentVerifier(roots: many + [try chain.rootDER()])
        #expect(verifier.verdict(on: text).isGenuine)
        #expect(try DocumentVerifier(roots: many).verdict(on: text).fault == .chain)
    }

    @Test func `a certificate that somebody else signed is no root`() throws {
        for der in try Chains.chain().ders()[..<2] {
            #expect(throws: RootFailure.self) { try DocumentVerifier(roots: [der]) }
        }
    }

    @Test func `a PEM file may hold several roots, and all are trusted`() throws {
        let signers = [try Signer(), try Signer()]
        let file = signers.map(\.authority.rootPEM).joined(separator: "a comment\n")
        let verifier = try DocumentVerifier(roots: [Array(file.utf8)])
        for signer in signers {
            #expect(verifier.verdict(on: try signer.document()).isGenuine)
        }
    }

    @Test func `a document with any character changed is refused, remembered chain or not`()
        throws
    {
        let seed = Seed.told()
        let signer = try Signer()
        let text = try signer.document()
        for isRemembered in [false, true] {
            if isRemembered { #expect(signer.verifier.verdict(on: text).isGenuine) }
            var chance = seed
            for offset in text.indices {
                // Knuth's linear congruential generator; the high bits are the good ones.
                chance = chance &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                var changed = text
                changed[offset] ^= 1 << UInt8(chance >> 61)
                let verdict = signer.verifier.verdict(on: changed)
                #expect(verdict.fault != nil, "seed \(seed), byte \(offset)")
            }
            #expect(signer.verifier.chainCount == (isRemembered ? 1 : 0))
        }
    }
}
