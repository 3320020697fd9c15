import Fixtures
import Forgery
import Signatures
import Testing

/// The attacks that are loops, and therefore no cases of the hostile set: every cut, every bit, and
/// a thousand chains.
struct LoopTests {
    private let chain: HostileChain
    private let ders: [[UInt8]]
    private let verifier: DocumentVerifier

    init() throws {
        // P-256 throughout: a path of P-384 signatures would cost ten times as much.
        chain = try HostileChain(from: Signer.now - Signer.day, until: Signer.now + Signer.day)
        ders = try chain.ders()
        verifier = try DocumentVerifier(roots: [ders[2]])
    }

    @Test func `the chain of these tests is a good one`() throws {
        #expect(try verdict(ders).isGenuine)
    }

    @Test(arguments: 0...1)
    func `a certificate that is cut anywhere is refused`(place: Int) throws {
        for count in ders[place].indices {
            var cut = ders
            cut[place] = Array(cut[place].prefix(count))
            #expect(try verdict(cut).fault == .chain, "\(count) bytes")
        }
    }

    /// The document is signed anew each time, so that the certificate alone is wrong.
    @Test(arguments: 0...1, 0...7)
    func `a certificate with any bit turned over is refused`(place: Int, bit: Int) throws {
        for offset in ders[place].indices {
            var turned = ders
            turned[place][offset] ^= 1 << UInt8(bit)
            #expect(try verdict(turned).fault == .chain, "byte \(offset)")
        }
    }

    @Test func `a signature with any bit turned over is refused`() throws {
        let document = HostileDocument(Array(Self.payload.utf8), ders: ders)
        let signature = try chain.leafKey.pair(over: Array(document.input.utf8))
        #expect(verifier.verdict(on: Array(document.with(signature).utf8)).isGenuine)
        for bit in 0..<512 {
            var turned = signature
            turned[bit / 8] ^= 1 << UInt8(bit % 8)
            let text = Array(document.with(turned).utf8)
            #expect(verifier.verdict(on: text).fault == .signature, "bit \(bit)")
        }
    }

    @Test func `a document that is cut anywhere is refused`() throws {
        let document = HostileDocument(Array(Self.payload.utf8), ders: ders)
        let text = Array(try document.signed(by: chain.leafKey).utf8)
        for count in text.indices {
            #expect(verifier.verdict(on: Array(text[..<count])).fault != nil, "\(count) bytes")
        }
    }

    /// Each of a thousand chains is judged and forgotten.
    @Test func `a thousand chains of strangers leave nothing behind`() throws {
        let strangers = try (0..<10)
            .map { _ in
                try HostileChain(from: Signer.now - Signer.day, until: Signer.now + Signer.day)
            }
        for round in 0..<100 {
            for stranger in strangers {
                // Signed anew, so its bytes are new as well.
                let ders = try stranger.ders()
                let text = try stranger.sign(Array(Self.payload.utf8), ders: ders)
                #expect(verifier.verdict(on: Array(text.utf8)).fault == .chain, "\(round)")
            }
        }
        #expect(verifier.chainCount == 0)
        #expect(verifier.cacheFigures == (hits: 0, misses: 1000))
    }

    private static let payload = #"{"signedDate":\#(Signer.now)}"#

    private func verdict(_ ders: [[UInt8]]) throws -> Verdict<VerifiedDocument> {
        let text = try chain.sign(Array(Self.payload.utf8), ders: ders)
        return verifier.verdict(on: Array(text.utf8))
    }
}
