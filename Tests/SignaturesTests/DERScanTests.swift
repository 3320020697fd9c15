import Testing

@testable import Signatures

/// Certificates are written in DER or not at all.
struct DERScanTests {
    @Test(arguments: [
        [0x05, 0x00], [0x01, 0x01, 0xff], [0x02, 0x01, 0x00],
        [0x02, 0x01, 0x80], [0x02, 0x02, 0x00, 0x80], [0x02, 0x02, 0xff, 0x7f], [0x03, 0x01, 0x00],
        [0x03, 0x02, 0x07, 0x80], [0x04, 0x00], [0x06, 0x03, 0x2a, 0x86, 0x48],
        [0x0c, 0x02, 0xc3, 0xa9],
        [0x13, 0x02, 0x41, 0x20], [0x30, 0x00], [0x31, 0x02, 0x05, 0x00],
        [0xa0, 0x03, 0x02, 0x01, 0x02], [0x80, 0x01, 0x99],
        [0x17, 0x0d] + Array("260101000000Z".utf8), [0x18, 0x0f] + Array("20500101000000Z".utf8),
    ])
    func `this is DER`(bytes: [UInt8]) {
        #expect(DERScan.accepts(bytes))
    }

    @Test(arguments: [
        // Nothing, half of something, and something more.
        [], [0x05], [0x05, 0x00, 0x00], [0x04, 0x02, 0x00], [0x30, 0x01, 0x05],
        // Lengths: indefinite, longer than needed, longer than anything.
        [0x30, 0x80, 0x00, 0x00], [0x04, 0x81, 0x01, 0x00], [0x04, 0x82, 0x00, 0x01, 0x00],
        [0x04, 0x84, 0x80, 0x00, 0x00, 0x00], [0x04, 0x88, 0x80, 0, 0, 0, 0, 0, 0, 0],
        [0x04, 0xff],
        // Tags: of several bytes, of types that do not occur, strings in pieces.
        [0x1f, 0x20, 0x00], [0x09, 0x00], [0x24, 0x02, 0x04, 0x00], [0x23, 0x00], [0x10, 0x00],
        // Values: booleans, integers, bits, null, identifiers.
        [0x01, 0x01, 0x01], [0x01, 0x01, 0x00], [0x01, 0x00], [0x01, 0x02, 0xff, 0xff],
        [0x02, 0x00],
        [0x02, 0x02, 0x00, 0x7f],
        [0x02, 0x02, 0xff, 0x80], [0x03, 0x00], [0x03, 0x01, 0x01], [0x03, 0x02, 0x08, 0x00],
        [0x03, 0x02, 0x07, 0xc0], [0x05, 0x01, 0x00], [0x06, 0x00], [0x06, 0x01, 0x80],
        [0x06, 0x02, 0x80, 0x01],
        // Texts: not UTF-8, NUL, not printable, not ASCII.
        [0x0c, 0x01, 0xff], [0x0c, 0x01, 0x00], [0x13, 0x01, 0x40], [0x16, 0x01, 0x80],
        // Times: an offset, no seconds, a fraction.
        [0x17, 0x11] + Array("260101000000+0000".utf8), [0x17, 0x0b] + Array("2601010000Z".utf8),
        [0x18, 0x11] + Array("20260101000000.5Z".utf8), [0x17, 0x0d] + Array("2601010000000".utf8),
    ])
    func `this is not DER`(bytes: [UInt8]) {
        #expect(!DERScan.accepts(bytes))
        // Inside something else it is not either.
        #expect(!DERScan.accepts([0x30, UInt8(bytes.count)] + bytes) || bytes.isEmpty)
    }

    @Test func `values are found by their place, and nothing where there is none`() {
        // SEQUENCE { NULL, SET { INTEGER 7, OCTET STRING } }
        let bytes: [UInt8] = [0x30, 9, 0x05, 0, 0x31, 5, 0x02, 1, 7, 0x04, 0]
        #expect(DERScan.values(at: 1, in: bytes).map(\.tag) == [0x02, 0x04])
        #expect(DERScan.values(at: 1, in: bytes).map(\.content) == [[7], []])
        #expect(DERScan.values(at: 0, in: bytes).isEmpty)
        #expect(DERScan.values(at: 2, in: bytes).isEmpty)
        #expect(DERScan.values(at: 1, 2, in: bytes).isEmpty)
        #expect(DERScan.values(at: -1, in: bytes).isEmpty)
        #expect(DERScan.values(at: 1, in: []).isEmpty)
    }

    @Test func `nesting ends at its limit`() {
        func nested(_ depth: Int) -> [UInt8] {
            (1..<depth).reduce([0x05, 0x00]) { inner, _ in [0x30, UInt8(inner.count)] + inner }
        }
        #expect(DERScan.accepts(nested(SignatureLimits.certificateDepthMax)))
        #expect(!DERScan.accepts(nested(SignatureLimits.certificateDepthMax + 1)))
    }

    @Test func `Apple's roots are DER, and not when they are cut or longer`() {
        for root in [DocumentVerifier.appleRootG3, DocumentVerifier.appleIncRoot] {
            #expect(DERScan.accepts(root))
            #expect(!DERScan.accepts(root + [0]))
            for count in root.indices { #expect(!DERScan.accepts(Array(root[..<count]))) }
        }
    }
}
