import CertificateAuthority
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
        let document = try #require(signer.verifier.verdict(on: try signer.document(text)).value)
        #expect(document.payloadBytes == Array(text.utf8))
        #expect(document.digest == Digest.sha256(Array(text.utf8)))
        #expect(document.signedDate == Signer.now)
        #expect(document.payload["é"] == [1, "é", nil])
    }

    @Test func `the date may stand under another name, and only there`() throws {
        let document = try signer.document(#"{"receiptCreationDate":\#(Signer.now)}"#)
        let verifier = signer.verifier
        #expect(verifier.verdict(on: document, timeClaim: "receiptCreationDate").value != nil)
        #expect(verifier.verdict(on: document).defect == .malformed)
    }

    @Test(arguments: [
        "", "x", "[]", "1", "{}", #"{"signedDate":null}"#, #"{"signedDate":"1769904000000"}"#,
        #"{"signedDate":1769904000000.5}"#, #"{"signedDate":-1}"#, #"{"signedDate":1e308}"#,
        #"{"signedDate":9223372036854775808}"#, #"{"signedDate":253402300800000}"#,
        #"{"signedDate":1769904000000,"signedDate":1769904000000}"#,
        #"{"signedDate":1769904000000,"signed\u0044ate":1}"#, #"{"signedDate":1769904000000}x"#,
        #"{"signedDate":1769904000000,}"#, #"{"signedDate":1769904000000,"a":"\ud800"}"#,
    ])
    func `a payload that is no strict JSON with a date is malformed, remembered chain or not`(
        payload: String
    ) throws {
        let document = try signer.document(payload)
        #expect(signer.verifier.verdict(on: document).defect == .malformed)
        #expect(signer.verifier.verdict(on: try signer.document()).value != nil)
        #expect(signer.verifier.verdict(on: document).defect == .malformed)
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
            #expect(signer.verifier.verdict(on: forged).defect == .signature, "\(name)")
        }
        #expect(signer.verifier.verdict(on: document).value != nil)
        // The other of the two signatures that one can make of one: the payload is the same.
        let other = signer.replacing(signatureOf: document, by: r + difference(order, s))
        #expect(signer.verifier.verdict(on: other).value?.signedDate == Signer.now)
    }

    @Test func `a document is refused at one byte more than the limits allow`() throws {
        let verifier = signer.verifier
        let bare = signer.header()
        let room = SignatureLimits.headerBytesMax - bare.utf8.count - #","kid":"""#.utf8.count
        let full = signer.header(
            extra: #","kid":"\#(String(repeating: "k", count: room))""#
        )
        #expect(full.utf8.count == SignatureLimits.headerBytesMax)
        #expect(verifier.verdict(on: try signer.document(header: full)).value != nil)
        let over = signer.header(
            extra: #","kid":"\#(String(repeating: "k", count: room + 1))""#
        )
        #expect(verifier.verdict(on: try signer.document(header: over)).defect == .malformed)

        let deep = signer.header(extra: #","kid":[[[]]]"#)
        #expect(verifier.verdict(on: try signer.document(header: deep)).value != nil)
        let deeper = signer.header(extra: #","kid":[[[[]]]]"#)
        #expect(verifier.verdict(on: try signer.document(header: deeper)).defect == .malformed)

        let certificate = [UInt8](repeating: 0x30, count: SignatureLimits.certificateBytesMax + 1)
        for (third, defect) in [
            (certificate, ForgeryReason.Kind.chain), (Array(certificate.dropLast()), nil),
        ] {
            let x5c = signer.authority.x5c[..<2] + [Base64.text(third)]
            let document = try signer.document(header: signer.header(x5c: Array(x5c)))
            #expect(verifier.verdict(on: document).defect == defect)
        }

        let filler = String(repeating: "f", count: SignatureLimits.documentBytesMax / 4 * 3)
        let long = try signer.document(#"{"signedDate":\#(Signer.now),"filler":"\#(filler)"}"#)
        #expect(long.count > SignatureLimits.documentBytesMax)
        #expect(verifier.verdict(on: long).defect == .malformed)
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
