import COpenSSL
import CertificateAuthority
import Signatures
import Testing

/// One verifier, many threads: the verdicts are the same, and OpenSSL's error queues stay empty.
struct ThreadTests {
    @Test func `many threads get the verdicts that one would get`() async throws {
        let (signer, stranger) = (try Signer(), try Signer())
        let good = try (0..<40).map { try signer.document(keyNumber: $0) }
        let forged = signer.replacing(
            signatureOf: good[0],
            by: [UInt8](repeating: 9, count: 64)
        )
        let strange = try stranger.document()
        let verifier = signer.verifier
        let wrong = await withTaskGroup(of: Int.self) { group in
            for lane in 0..<8 {
                group.addTask {
                    var wrong = 0
                    for round in 0..<60 {
                        let verdicts = [
                            verifier.verdict(on: good[(round * 7 + lane) % good.count]).fault,
                            verifier.verdict(on: forged).fault,
                            verifier.verdict(on: strange).fault,
                        ]
                        if verdicts != [nil, .signature, .chain] || ERR_peek_error() != 0 {
                            wrong += 1
                        }
                    }
                    return wrong
                }
            }
            return await group.reduce(0, +)
        }
        #expect(wrong == 0)
        let figures = verifier.cacheFigures
        #expect(figures.hits + figures.misses == 8 * 60 * 3)
        #expect(verifier.chainCount == SignatureLimits.chainsMax)
    }

    @Test func `no verdict leaves an error of OpenSSL behind`() throws {
        let signer = try Signer()
        let good = try signer.document()
        let bad = ["a.b.c", "", "..", "e30.e30.e30"].map { Array($0.utf8) }
        for document in bad + [try Signer().document(), Array(good.dropLast(2)), good] {
            _ = signer.verifier.verdict(on: document)
            #expect(ERR_peek_error() == 0)
        }
    }
}
