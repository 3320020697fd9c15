import CertificateAuthority
import Fixtures
import Signatures
import Testing

/// J-48, J-49, J-51: every byte and every bit.
@Suite struct `Damaged documents` {
    /// How many verdicts were given, and which were not refusals.
    private struct Count {
        var judged = 0
        var accepted: [Int] = []
    }

    private func judge(
        _ verifier: DocumentVerifier,
        _ document: (Int) throws -> String,
        _ numbers: Range<Int>
    ) rethrows -> Count {
        var count = Count()
        for number in numbers {
            let verdict = verifier.verdict(on: Array(try document(number).utf8))
            count.judged += 1
            if verdict.fault == nil { count.accepted.append(number) }
        }
        return count
    }

    @Test(arguments: [0, 1])
    func `a certificate cut at any byte is refused`(place: Int) throws {
        let chain = try Chains.chain()
        let ders = try chain.ders()
        let verifier = try DocumentVerifier(roots: [ders[2]])
        let count = try judge(
            verifier,
            { length in
                var list = ders
                list[place] = Array(ders[place].prefix(length))
                return try chain.sign(Chains.payload, ders: list)
            },
            0..<ders[place].count
        )
        print("certificate \(place): \(count.judged) cuts")
        #expect(count.accepted.isEmpty && count.judged == ders[place].count)
        #expect(count.judged > 400)
    }

    @Test(arguments: [0, 1])
    func `a certificate with any bit flipped is refused`(place: Int) throws {
        let chain = try Chains.chain()
        let ders = try chain.ders()
        let verifier = try DocumentVerifier(roots: [ders[2]])
        let count = try judge(
            verifier,
            { bit in
                var list = ders
                list[place][bit / 8] ^= 1 << UInt8(bit % 8)
                return try chain.sign(Chains.payload, ders: list)
            },
            0..<ders[place].count * 8
        )
        print("certificate \(place): \(count.judged) flips")
        #expect(count.accepted.isEmpty && count.judged == ders[place].count * 8)
        #expect(count.judged > 3200)
    }

    @Test func `a signature with any bit flipped is refused`() throws {
        let chain = try Chains.chain()
        let ders = try chain.ders()
        let verifier = try DocumentVerifier(roots: [ders[2]])
        let document = HostileDocument(Chains.payload, ders: ders)
        let pair = try chain.leafKey.pair(over: Array(document.input.utf8))
        #expect(verifier.verdict(on: Array(document.with(pair).utf8)).isGenuine)
        let count = judge(
            verifier,
            { bit in
                var flipped = pair
                flipped[bit / 8] ^= 1 << UInt8(bit % 8)
                return document.with(flipped)
            },
            0..<512
        )
        print("signature: \(count.judged) flips")
        #expect(count.accepted.isEmpty && count.judged == 512)
    }

    @Test func `a document cut at any byte is refused`() throws {
        let chain = try Chains.chain()
        let ders = try chain.ders()
        let verifier = try DocumentVerifier(roots: [ders[2]])
        let text = try chain.sign(Chains.payload, ders: ders)
        let count = judge(verifier, { String(text.utf8.prefix($0)) ?? "" }, 0..<text.utf8.count)
        print("document: \(count.judged) cuts")
        #expect(count.accepted.isEmpty && count.judged == text.utf8.count)
    }
}
