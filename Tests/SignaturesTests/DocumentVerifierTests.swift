import Fixtures
import Forgery
import JSON
import Signatures
import Testing

/// One document, looked at from all sides.
///
/// The catalogue of attacks is in the hostile set.
struct DocumentVerifierTests {
    private let signer: Signer

    init() throws { signer = try Signer() }

    @Test func `a genuine document hands over its payload, its bytes, their digest and its date`()
        throws
    {
        let text = #"{ "signedDate":\#(Signer.now), "é": [1, "\u00e9", null] }"#
        let verdict = signer.verifier.verdict(on: try signer.document(text))
        guard case .genuine(let document) = verdict else {
            Issue.record("refused")
            return
        }
        #expect(document.payloadBytes == Array(text.utf8))
        #expect(document.digest == Digest.sha256(Array(text.utf8)))
        #expect(document.signedDate == Signer.now)
        #expect(document.payload["é"] == [1, "é", nil])
    }

    @Test func `the date may stand under another name, and only there`() throws {
        let document = try signer.document(#"{"receiptCreationDate":\#(Signer.now)}"#)
        let verifier = signer.verifier
        #expect(verifier.verdict(on: document, timeClaim: "receiptCreationDate").isGenuine)
        #expect(verifier.verdict(on: document).fault == .malformed)
    }

    @Test func `numbers outside 1 to n - 1 are no signature, and neither are other lengths`()
        throws
    {
        let document = try signer.document()
        let order = try #require(
            Base64.bytes("/////wAAAAD//////////7zm+q2nF56E87nKwvxjJVE=")
        )
        let nothing = [UInt8](repeating: 0, count: 32)
        let one = Array(nothing.dropLast() + [1])
        let most = [UInt8](repeating: 0xff, count: 32)
        let last = Array(order.dropLast() + [0x50])
        let dot = try #require(document.lastIndex(of: UInt8(ascii: ".")))
        let good = try #require(signature(of: document[(dot + 1)...]))
        let (r, s) = (Array(good[..<32]), Array(good[32...]))
        let rows: [(String, [UInt8])] = [
            ("r = 0", nothing + s), ("s = 0", r + nothing), ("both 0", nothing + nothing),
            ("r = n", order + s), ("s = n", r + order), ("both n", order + order),
            ("r = 1, s = 1", one + one), ("r = n - 1", last + s), ("s = n - 1", r + last),
            ("r = 2^256 - 1", most + s), ("s = 2^256 - 1", r + most), ("all ones", most + most),
            ("swapped", s + r), ("63 bytes", Array(good.dropLast())), ("65 bytes", good + [0]),
            ("65 bytes in front", [0] + good), ("none", []), ("128 bytes", good + good),
            ("96 bytes", r + s + r),
        ]
        for (name, bytes) in rows {
            let forged = signer.replacing(signatureOf: document, by: bytes)
            #expect(signer.verifier.verdict(on: forged).fault == .signature, "\(name)")
        }
        #expect(signer.verifier.verdict(on: document).isGenuine)
        // The other of the two signatures that one can make of one: the payload is the same.
        let other = signer.replacing(signatureOf: document, by: r + difference(order, s))
        #expect(signer.verifier.verdict(on: other).isGenuine)
    }

    @Test func `a number that begins with a zero byte is read with it`() throws {
        let chain = try Chains.chain()
        let ders = try chain.ders()
        let verifier = try DocumentVerifier(roots: [ders[2]])
        let document = HostileDocument(Chains.payload, ders: ders)
        let input = Array(document.input.utf8)
        var found = 0
        // One pair of 128 begins so; that 5,000 have less than four happens once in 1e12 runs.
        for _ in 0..<5000 where found < 4 {
            let pair = try chain.leafKey.pair(over: input)
            guard pair[0] == 0 || pair[32] == 0 else { continue }
            found += 1
            #expect(verifier.verdict(on: Array(document.with(pair).utf8)).isGenuine)
        }
        #expect(found == 4)
    }

    @Test func `a document beyond the limit is refused unread`() throws {
        let filler = String(repeating: "f", count: SignatureLimits.documentBytesMax / 4 * 3)
        let long = try signer.document(#"{"signedDate":\#(Signer.now),"filler":"\#(filler)"}"#)
        #expect(long.count > SignatureLimits.documentBytesMax)
        #expect(signer.verifier.verdict(on: long).fault == .malformed)
    }

    private func signature(of segment: ArraySlice<UInt8>) -> [UInt8]? {
        let text = String(decoding: segment, as: UTF8.self)
        return Base64.bytes(
            text.replacing("-", with: "+").replacing("_", with: "/") + "=="
        )
    }

    /// `left` - `right`, both 32 bytes, big-endian.
    private func difference(_ left: [UInt8], _ right: [UInt8]) -> [UInt8] {
        var borrow = 0
        var result = [UInt8](repeating: 0, count: 32)
        for place in (0..<32).reversed() {
            let digit = Int(left[place]) - Int(right[place]) - borrow
            borrow = digit < 0 ? 1 : 0
            result[place] = UInt8(truncatingIfNeeded: digit)
        }
        return result
    }
}
