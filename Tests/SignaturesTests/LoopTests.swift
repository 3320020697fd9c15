import CertificateAuthority
import Signatures
import Testing

@testable import Fixtures

/// The attacks that are loops: every cut and every bit, J-48, J-49 and J-51 of the catalogue, and
/// chains that would keep a path builder busy, J-73 and J-74.
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
        #expect(try verdict(ders).value != nil)
    }

    /// J-48.
    @Test(arguments: 0...1)
    func `a certificate that is cut anywhere is refused`(place: Int) throws {
        for count in ders[place].indices {
            var cut = ders
            cut[place] = Array(cut[place].prefix(count))
            #expect(try verdict(cut).defect == .chain, "\(count) bytes")
        }
    }

    /// J-49. The document is signed anew each time: the certificate alone is wrong.
    @Test(arguments: 0...1, 0...7)
    func `a certificate with any bit turned over is refused`(place: Int, bit: Int) throws {
        for offset in ders[place].indices {
            var turned = ders
            turned[place][offset] ^= 1 << UInt8(bit)
            #expect(try verdict(turned).defect == .chain, "byte \(offset)")
        }
    }

    /// J-51.
    @Test func `a signature with any bit turned over is refused`() throws {
        let document = HostileDocument(Array(Self.payload.utf8), ders: ders)
        let signature = try chain.leafKey.pair(over: Array(document.input.utf8))
        #expect(verifier.verdict(on: Array(document.with(signature).utf8)).value != nil)
        for bit in 0..<512 {
            var turned = signature
            turned[bit / 8] ^= 1 << UInt8(bit % 8)
            let text = Array(document.with(turned).utf8)
            #expect(verifier.verdict(on: text).defect == .signature, "bit \(bit)")
        }
    }

    @Test(arguments: [false, true])
    func `a document with any character changed is refused`(isRemembered: Bool) throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("seed \(seed)")
        var chance = SplitMix(seed)
        let document = HostileDocument(Array(Self.payload.utf8), ders: ders)
        let text = Array(try document.signed(by: chain.leafKey).utf8)
        if isRemembered { #expect(verifier.verdict(on: text).value != nil) }
        for offset in text.indices {
            var changed = text
            changed[offset] ^= 1 << UInt8(chance.next() % 8)
            #expect(verifier.verdict(on: changed).value == nil, "seed \(seed), byte \(offset)")
        }
        #expect(verifier.chainCount == (isRemembered ? 1 : 0))
    }

    @Test func `a document that is cut anywhere is refused`() throws {
        let document = HostileDocument(Array(Self.payload.utf8), ders: ders)
        let text = Array(try document.signed(by: chain.leafKey).utf8)
        for count in text.indices {
            #expect(verifier.verdict(on: Array(text[..<count])).value == nil, "\(count) bytes")
        }
    }

    /// J-73: each of a thousand chains is judged and forgotten.
    @Test func `a thousand chains of strangers leave nothing behind`() throws {
        let strangers = try (0..<10).map { _ in
            try HostileChain(from: Signer.now - Signer.day, until: Signer.now + Signer.day)
        }
        for round in 0..<100 {
            for stranger in strangers {
                // Signed anew, so its bytes are new as well.
                let ders = try stranger.ders()
                let text = try stranger.sign(Array(Self.payload.utf8), ders: ders)
                #expect(verifier.verdict(on: Array(text.utf8)).defect == .chain, "\(round)")
            }
        }
        #expect(verifier.chainCount == 0)
        #expect(verifier.cacheFigures == (hits: 0, misses: 1000))
    }

    /// J-74: names that lead in circles. The chain has three places, so there is no path to search.
    @Test func `chains that lead in circles are refused`() throws {
        var circle = chain
        circle.middle.issuer = circle.leaf.subject
        #expect(try verdict(of: circle) == .chain)
        circle = chain
        circle.middle.issuer = circle.middle.subject
        #expect(try verdict(of: circle) == .chain)
        circle = chain
        circle.middle.subject = circle.root.subject
        circle.leaf.issuer = circle.root.subject
        circle.middle.issuer = circle.leaf.subject
        #expect(try verdict(of: circle) == .chain)
        circle = chain
        circle.leaf.subject = circle.middle.subject
        circle.leaf.issuer = circle.leaf.subject
        circle.middle.issuer = circle.middle.subject
        #expect(try verdict(of: circle) == .chain)
        for list in [[0, 0, 0], [1, 1, 1], [2, 2, 2], [1, 0, 2], [0, 2, 1], [2, 1, 0]] {
            #expect(try verdict(list.map { ders[$0] }).defect == .chain, "\(list)")
        }
    }

    /// J-74: the key's identifier picks the root, so that names alone cannot make it search.
    @Test func `among many trusted roots of one name the right one is found`() throws {
        let many = try (0..<50).map { _ in
            try HostileChain(from: Signer.now - Signer.day, until: Signer.now + Signer.day).rootDER()
        }
        let verifier = try DocumentVerifier(roots: many + [ders[2]])
        let text = try chain.sign(Array(Self.payload.utf8), ders: ders)
        #expect(verifier.verdict(on: Array(text.utf8)).value != nil)
        let strict = try DocumentVerifier(roots: many)
        #expect(strict.verdict(on: Array(text.utf8)).defect == .chain)
    }

    private static let payload = #"{"signedDate":\#(Signer.now)}"#

    private func verdict(_ ders: [[UInt8]]) throws -> Verdict<VerifiedDocument> {
        let text = try chain.sign(Array(Self.payload.utf8), ders: ders)
        return verifier.verdict(on: Array(text.utf8))
    }

    private func verdict(of chain: HostileChain) throws -> ForgeryReason.Kind? {
        let text = try chain.sign(Array(Self.payload.utf8))
        return verifier.verdict(on: Array(text.utf8)).defect
    }
}

/// SplitMix64, for chance that can be repeated.
private struct SplitMix {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var value = state
        value = (value ^ value >> 30) &* 0xbf58_476d_1ce4_e5b9
        value = (value ^ value >> 27) &* 0x94d0_49bb_1331_11eb
        return value ^ value >> 31
    }
}
