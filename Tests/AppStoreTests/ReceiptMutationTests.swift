import Chance
import Entitlements
import Forgery
import JSON
import Testing

@testable import AppStore

/// What the fuzzer does for hours, in seconds and the same each time.
@Suite struct `Receipts with bytes moved about` {
    private static let contents = [
        ReceiptStage.good.bytes,
        ReceiptContent(
            bundleID: "a",
            environment: "ProductionSandbox",
            created: ReceiptStage.now,
            purchases: [ReceiptStage.month, ReceiptStage.month, ReceiptStage.month]
        )
        .bytes,
        ReceiptContent.Attribute.set([]),
    ]

    @Test func `a content that is cut anywhere is none`() {
        for content in Self.contents {
            #expect(ReceiptAttributes(content) != nil)
            for count in content.indices {
                #expect(ReceiptAttributes(Array(content[..<count])) == nil, "\(count) bytes")
            }
        }
    }

    @Test func `any bit may be turned over`() {
        let content = Self.contents[0]
        var kept = 0
        for place in content.indices {
            for bit in 0..<8 {
                var turned = content
                turned[place] ^= 1 << UInt8(bit)
                guard let attributes = ReceiptAttributes(turned) else { continue }
                kept += 1
                check(attributes, of: turned)
            }
        }
        // Values that nobody reads keep their bits to themselves; lengths and tags do not.
        #expect(kept > 0 && kept < content.count * 8)
    }

    @Test(arguments: 1...4)
    func `bytes may be put anywhere`(round: Int) {
        var mutator = Mutator(seed: Seed.told(round: round))
        var kept = 0
        for round in 0..<4_000 {
            let content = mutator.mutated(Self.contents[round % Self.contents.count])
            guard let attributes = ReceiptAttributes(content) else { continue }
            kept += 1
            check(attributes, of: content)
        }
        #expect(kept > 10)
    }

    /// Signed well after they were changed, so that nothing but the reading stands between.
    @Test func `facts of any content are sound`() throws {
        let stage = try ReceiptStage()
        var mutator = Mutator(seed: 0x0004)
        var faults: Set<ReceiptFault> = []
        for _ in 0..<600 {
            let content = mutator.mutated(Self.contents[0])
            let verdict = try stage.verdict(onContent: content)
            if let fault = verdict.fault { faults.insert(fault) }
            for fact in verdict.receipt?.facts ?? [] {
                let transaction = try #require(fact.transaction)
                let names = [fact.key.originalID, transaction.id, transaction.productID]
                #expect(names.allSatisfy(DecodedDocument.isName))
                #expect(transaction.quantity >= 1)
                #expect(transaction.expires.map { $0 >= transaction.purchased } ?? true)
            }
        }
        #expect(faults.contains(.malformed))
        #expect(faults.isDisjoint(with: [.signature, .doubleBase64, .jwsNotReceipt]))
    }

    /// Containers changed after they were signed: refused, or genuine with the same facts.
    @Test func `a container changed anywhere says the same or nothing`() throws {
        let stage = try ReceiptStage()
        let text = try stage.authority.receipt(ReceiptStage.good)
        let good = try #require(stage.verdict(onText: text).receipt)
        let bytes = try #require(Base64.bytes(text))
        var mutator = Mutator(seed: 0x7007)
        for _ in 0..<3_000 {
            let verdict = stage.verdict(onText: Base64.text(mutator.mutated(bytes)))
            #expect(verdict.receipt == nil || verdict.receipt == good)
        }
    }

    /// What was read is read again the same, and stands in the bytes.
    private func check(_ attributes: ReceiptAttributes, of content: [UInt8]) {
        #expect(ReceiptAttributes(content) == attributes)
        #expect(attributes.purchases.count <= content.count / 5)
        let texts = [attributes.bundleID, attributes.environment].compactMap { $0 }
        #expect(texts.allSatisfy { !$0.isEmpty && $0.utf8.count <= content.count })
        for purchase in attributes.purchases {
            #expect(purchase.bytes.elementsEqual(content[purchase.bytes.indices]))
        }
    }
}

/// Changes bytes as fuzzers do, repeated by its seed.
private struct Mutator {
    private var random: SplitMix64

    init(seed: UInt64) { random = SplitMix64(seed: seed) }

    private mutating func below(_ bound: Int) -> Int { random.pick(max(bound, 1)) }

    private static let telling: [UInt8] = [
        0x00, 0x01, 0x02, 0x04, 0x0c, 0x16, 0x1f, 0x30, 0x31, 0x7f, 0x80, 0x81, 0x82, 0x84, 0x88,
        0xff,
    ]

    mutating func mutated(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        for _ in 0...below(3) {
            guard !bytes.isEmpty else { return bytes }
            let place = below(bytes.count)
            switch below(8) {
            case 0: bytes[place] ^= 1 << UInt8(below(8))
            case 1, 2: bytes[place] = Self.telling[below(Self.telling.count)]
            case 3: bytes.insert(Self.telling[below(Self.telling.count)], at: place)
            case 4: bytes.remove(at: place)
            case 5: bytes.removeSubrange(place..<min(bytes.count, place + below(16)))
            case 6:
                let slice = Array(bytes[place..<min(bytes.count, place + below(64))])
                bytes.insert(contentsOf: slice, at: below(bytes.count))
            default: bytes[place] &+= UInt8(truncatingIfNeeded: below(5) - 2)
            }
        }
        return bytes
    }
}
