import Chance
import Forgery
import Signatures
import Testing

/// Containers that are cut, turned over or put together anew.
@Suite struct `Receipts that were tampered with` {
    private let chains: ReceiptChains
    private let good: [UInt8]

    init() throws {
        chains = try ReceiptChains()
        good = try chains.authority.envelope(ReceiptChains.content())
            .der(signedBy: chains.authority.leafKey)
    }

    @Test func `a receipt that is cut anywhere is refused`() {
        #expect(chains.verdict(good).isGenuine)
        for count in good.indices {
            #expect(chains.verdict(Array(good[..<count])).fault == .malformed, "\(count) bytes")
        }
        for tail: [UInt8] in [[0], [0x30, 0x00], good] {
            #expect(chains.verdict(good + tail).fault == .malformed)
        }
    }

    /// Some bits are not signed and mean nothing: those of the third certificate, of versions, of
    /// parameters.
    @Test func `a bit turned over never changes what a receipt says`() throws {
        var generator = SplitMix64(seed: 0x5eed_0004)
        var genuine = 0
        for place in good.indices {
            var turned = good
            turned[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
            guard case .genuine(let content) = chains.verdict(turned) else { continue }
            genuine += 1
            #expect(content.content == ReceiptChains.content(), "byte \(place)")
        }
        let root = try chains.authority.rootDER()
        #expect(genuine < root.count + 40)
    }

    @Test func `every bit of the signature and of the content counts`() throws {
        let envelope = try chains.authority.envelope(ReceiptChains.content())
        let signature = try chains.authority.leafKey.signature(over: envelope.input, .sha256)
        for place in signature.indices {
            var turned = signature
            turned[place] ^= 1 << UInt8(place % 8)
            let verdict = chains.verdict(envelope.der(signature: turned))
            #expect(verdict.fault == .signature, "byte \(place)")
        }
        for place in envelope.content.indices {
            var turned = envelope
            turned.content[place] ^= 1 << UInt8(place % 8)
            let verdict = chains.verdict(turned.der(signature: signature))
            #expect(verdict.fault == .signature, "byte \(place)")
        }
    }

    /// The signature is over attributes; without them, they stand as the content.
    ///
    /// What reads the content has to refuse them, and here does.
    @Test func `signed attributes do not pass for a content`() throws {
        var envelope = try chains.authority.envelope(ReceiptChains.content())
        let digest = ReceiptHash.sha256.digest(envelope.content)
        envelope.signAttributes(type: "1.2.840.113549.1.7.1", digest: digest)
        let signature = try chains.authority.leafKey.signature(over: envelope.input, .sha256)
        #expect(chains.verdict(envelope.der(signature: signature)).isGenuine)
        envelope.content = envelope.input
        envelope.attributes = nil
        #expect(chains.verdict(envelope.der(signature: signature)).fault == .malformed)
    }
}
