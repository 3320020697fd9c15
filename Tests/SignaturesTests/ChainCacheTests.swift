import CertificateAuthority
import Fixtures
import Signatures
import Testing

/// The chains that are remembered: few, good ones, and no longer than they are valid.
struct ChainCacheTests {
    @Test func `a chain is judged once and then remembered`() throws {
        let signer = try Signer()
        for second in 0..<5 {
            let document = try signer.document(signedAt: Signer.now + Int64(second) * 1000)
            #expect(signer.verifier.verdict(on: document).isGenuine)
        }
        #expect(signer.verifier.chainCount == 1)
        #expect(signer.verifier.cacheFigures == (hits: 4, misses: 1))
    }

    @Test func `a document that does not verify leaves no chain behind`() throws {
        let signer = try Signer()
        let document = try signer.document()
        let forged = signer.replacing(
            signatureOf: document,
            by: [UInt8](repeating: 1, count: 64)
        )
        #expect(signer.verifier.verdict(on: forged).fault == .signature)
        #expect(signer.verifier.verdict(on: try Signer().document()).fault == .chain)
        #expect(signer.verifier.chainCount == 0)
    }

    /// The cache is asked before a chain is judged: what is blocked must never get into it.
    @Test func `a chain with a blocked certificate is never remembered`() throws {
        let chain = try Chains.chain()
        let root = try chain.rootDER()
        let document = Array(try chain.sign(Chains.payload).utf8)
        // Root, intermediate and leaf; the last is nobody's.
        for (serial, isBlocked) in [(1, true), (2, true), (3, true), (4, false)] as [(UInt8, Bool)]
        {
            let verifier = try DocumentVerifier(roots: [root], blockedSerials: [[0x40, serial]])
            for _ in 0..<3 {
                let verdict = verifier.verdict(on: document)
                #expect(verdict.fault == (isBlocked ? .chain : nil), "\(serial)")
            }
            #expect(verifier.chainCount == (isBlocked ? 0 : 1))
        }
    }

    @Test func `more chains than are remembered push out the one that was used least lately`()
        throws
    {
        let signer = try Signer()
        let most = SignatureLimits.chainsMax
        let documents = try (0...most).map { try signer.document(keyNumber: $0) }
        for document in documents[..<most] {
            #expect(signer.verifier.verdict(on: document).isGenuine)
        }
        #expect(signer.verifier.chainCount == most)
        // The first is used again, so the second is now the oldest.
        #expect(signer.verifier.verdict(on: documents[0]).isGenuine)
        #expect(signer.verifier.verdict(on: documents[most]).isGenuine)
        #expect(signer.verifier.chainCount == most)
        let before = signer.verifier.cacheFigures
        #expect(signer.verifier.verdict(on: documents[0]).isGenuine)
        #expect(signer.verifier.verdict(on: documents[1]).isGenuine)
        let after = signer.verifier.cacheFigures
        #expect(after.hits - before.hits == 1)
        #expect(after.misses - before.misses == 1)
    }

    /// Whoever sends chains of his own pays with his own signatures and flushes nothing.
    @Test func `chains of strangers do not push out a good one`() throws {
        let signer = try Signer()
        let good = try signer.document()
        #expect(signer.verifier.verdict(on: good).isGenuine)
        let stranger = try Signer()
        for number in 0..<(SignatureLimits.chainsMax * 2) {
            let document = try stranger.document(keyNumber: number)
            #expect(signer.verifier.verdict(on: document).fault == .chain)
        }
        #expect(signer.verifier.chainCount == 1)
        let hits = signer.verifier.cacheFigures.hits
        #expect(signer.verifier.verdict(on: good).isGenuine)
        #expect(signer.verifier.cacheFigures.hits == hits + 1)
    }
}
