import CertificateAuthority
import Fixtures
import JSON
import Signatures
import Testing

@Suite struct `Signed documents` {
    private struct Desk {
        let chain: HostileChain
        let ders: [[UInt8]]
        let verifier: DocumentVerifier

        init() throws {
            chain = try Chains.chain()
            ders = try chain.ders()
            verifier = try DocumentVerifier(roots: [ders[2]])
        }

        func verdict(_ text: String, claim: String = "signedDate") -> Verdict<VerifiedDocument> {
            verifier.verdict(on: Array(text.utf8), timeClaim: claim)
        }
    }

    @Test func `what was signed is what comes out`() throws {
        let desk = try Desk()
        let payload = Array(#"{ "signedDate":\#(Chains.now), "new":[1.50,"é"] }"#.utf8)
        let text = try desk.chain.sign(payload, ders: desk.ders)
        guard case .genuine(let document) = desk.verdict(text) else {
            Issue.record("refused")
            return
        }
        #expect(document.payloadBytes == payload)
        #expect(document.digest == Digest.sha256(payload))
        #expect(document.signedDate == Chains.now)
        #expect(try document.payload == JSONValue.parse(payload))
    }

    @Test func `an app transaction names its time otherwise`() throws {
        let desk = try Desk()
        let payload = Array(#"{"receiptCreationDate":\#(Chains.now)}"#.utf8)
        let text = try desk.chain.sign(payload, ders: desk.ders)
        #expect(desk.verdict(text, claim: "receiptCreationDate").isGenuine)
        #expect(desk.verdict(text).fault == .malformed)
    }

    @Test func `base64 has one form`() throws {
        let desk = try Desk()
        for filler in 0..<3 {
            let payload = Chains.payload + Array(repeating: UInt8(ascii: " "), count: filler)
            let text = try desk.chain.sign(payload, ders: desk.ders)
            #expect(desk.verdict(text).isGenuine)
            var parts = text.split(separator: ".").map(String.init)
            let padding = (4 - parts[1].count % 4) % 4
            // The bits beyond the last byte: two where one byte is over, four where two are.
            if padding > 0 {
                let whole = parts[1]
                parts[1] = HostileSet.withTrailingBit(whole)
                #expect(desk.verdict(parts.joined(separator: ".")).fault == .malformed)
                parts[1] = whole + String(repeating: "=", count: padding)
                #expect(desk.verdict(parts.joined(separator: ".")).fault == .malformed)
            }
            parts[1] += "A"
            #expect(desk.verdict(parts.joined(separator: ".")).isGenuine == false)
        }
    }

    @Test func `r and s lie between 1 and n - 1`() throws {
        let desk = try Desk()
        let document = HostileDocument(Chains.payload, ders: desk.ders)
        let pair = try desk.chain.leafKey.pair(over: Array(document.input.utf8))
        let (r, s) = (Array(pair.prefix(32)), Array(pair.suffix(32)))
        #expect(desk.verdict(document.with(pair)).isGenuine)
        let order = HostileSet.order
        #expect(desk.verdict(document.with(r + HostileSet.difference(order, s))).isGenuine)
        let zero = [UInt8](repeating: 0, count: 32)
        let one = Array(zero.dropLast()) + [1]
        let last = HostileSet.difference(order, one)
        let full = [UInt8](repeating: 0xff, count: 32)
        for edge in [zero, one, last, order, full] {
            for signature in [edge + s, r + edge, edge + edge] {
                #expect(desk.verdict(document.with(signature)).fault == .signature)
            }
        }
    }

    @Test func `a small r or s keeps its leading zeros`() throws {
        let desk = try Desk()
        let document = HostileDocument(Chains.payload, ders: desk.ders)
        var found = 0
        for _ in 0..<5_000 where found < 4 {
            let pair = try desk.chain.leafKey.pair(over: Array(document.input.utf8))
            guard pair[0] == 0 || pair[32] == 0 else { continue }
            found += 1
            #expect(desk.verdict(document.with(pair)).isGenuine)
        }
        #expect(found == 4)
    }

    @Test func `a document beyond the limit is refused unread`() throws {
        let desk = try Desk()
        let filler = String(repeating: "x", count: SignatureLimits.documentBytesMax)
        let payload =
            JSONValue.object([
                "signedDate": .integer(Chains.now), "filler": .string(filler),
            ])
            .bytes
        #expect(desk.verdict(try desk.chain.sign(payload, ders: desk.ders)).fault == .malformed)
    }

    @Test func `a certificate beyond the limit is refused`() throws {
        let desk = try Desk()
        var list = desk.ders
        list[0] = [UInt8](repeating: 0x30, count: SignatureLimits.certificateBytesMax + 8)
        #expect(desk.verdict(try desk.chain.sign(Chains.payload, ders: list)).fault == .chain)
    }
}
