import CertificateAuthority
import JSON
import Signatures
import Testing

/// What a document may hold and how large it may be, to the byte.
struct DocumentBoundTests {
    private let signer: Signer

    init() throws { signer = try Signer() }

    @Test(arguments: [
        "x", "[]", "1", "{}", #"{"signedDate":null}"#, #"{"signedDate":"1769904000000"}"#,
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
        #expect(signer.verifier.verdict(on: document).fault == .malformed)
        #expect(signer.verifier.verdict(on: try signer.document()).isGenuine)
        #expect(signer.verifier.verdict(on: document).fault == .malformed)
    }

    @Test(arguments: [0, 1, 32, 63, 65, 96, 128])
    func `a signature of another length than 64 bytes is none`(count: Int) throws {
        let document = try signer.document()
        let forged = signer.replacing(
            signatureOf: document,
            by: [UInt8](repeating: 1, count: count)
        )
        #expect(signer.verifier.verdict(on: forged).fault == .signature)
    }

    @Test func `a header may be as long as its limit, and no byte longer`() throws {
        let frame = signer.header(extra: #","kid":"""#).utf8.count
        for (surplus, isGenuine) in [(0, true), (1, false), (2, false), (3, false), (400, false)] {
            let count = SignatureLimits.headerBytesMax - frame + surplus
            let filler = String(repeating: "k", count: count)
            let document = try signer.document(
                header: signer.header(extra: #","kid":"\#(filler)""#)
            )
            #expect(signer.verifier.verdict(on: document).isGenuine == isGenuine, "\(surplus)")
        }
    }

    @Test func `a header may nest as deep as its limit, and no deeper`() throws {
        for (depth, isGenuine) in [(1, true), (3, true), (4, false), (1000, false)] {
            let list = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
            let document = try signer.document(header: signer.header(extra: #","kid":\#(list)"#))
            #expect(signer.verifier.verdict(on: document).isGenuine == isGenuine, "\(depth)")
        }
    }

    /// The third certificate is not looked at, so that its length alone can be wrong.
    @Test func `a certificate may be as long as its limit, and no byte longer`() throws {
        for (surplus, isGenuine) in [(0, true), (1, false), (2, false), (3, false)] {
            let count = SignatureLimits.certificateBytesMax + surplus
            let third = Base64.text([UInt8](repeating: 0x30, count: count))
            let list = Array(signer.authority.x5c[..<2] + [third])
            let document = try signer.document(header: signer.header(x5c: list))
            #expect(signer.verifier.verdict(on: document).isGenuine == isGenuine, "\(surplus)")
        }
    }
}
