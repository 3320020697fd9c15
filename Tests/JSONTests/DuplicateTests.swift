import Chance
import Testing

@testable import JSON

/// Looking for a key twice costs as much as the text is long, however its keys are written.
@Suite struct DuplicateTests {
    /// What a scan of `text` found, and what looking for duplicates cost.
    private func scan(_ text: String) -> (failure: JSONFailure?, work: DuplicateWork) {
        var scanner = JSONScanner()
        do {
            try Array(text.utf8).withUnsafeBytes { try scanner.scan($0) }
        } catch {
            return (error as? JSONFailure, scanner.work)
        }
        return (nil, scanner.work)
    }

    private func object(_ keys: [String]) -> String {
        "{" + keys.map { "\"\($0)\":1" }.joined(separator: ",") + "}"
    }

    @Test func `a small object with escapes reads each key once and compares none`() {
        let keys = (0..<16).map { "\\u0061\\u0062\\u0063\($0)" }
        let small = object(keys)
        let (failure, work) = scan(
            "[" + [String](repeating: small, count: 500).joined(separator: ",") + "]"
        )
        #expect(failure == nil)
        #expect(work.hashedBytes == 500 * keys.reduce(0) { $0 + $1.utf8.count })
        #expect(work.comparedKeys == 0)
    }

    @Test func `long keys that begin alike are read once`() {
        let prefix = String(repeating: "p", count: 60_000)
        let keys = (10..<26).map { prefix + "\($0)" }
        let (failure, work) = scan(object(keys))
        #expect(failure == nil)
        #expect(work == DuplicateWork(hashedBytes: 16 * 60_002, comparedKeys: 0))
    }

    @Test func `as many members as there may be are read once`() {
        let keys = (0..<JSONLimits.membersMax).map { "\\u006b\($0)" }
        let (failure, work) = scan(object(keys))
        #expect(failure == nil)
        #expect(work.hashedBytes == keys.reduce(0) { $0 + $1.utf8.count })
        // Of 32 bits of each hash; one pair in twenty runs.
        #expect(work.comparedKeys <= 4)
    }

    @Test(arguments: [JSONLimits.pairwiseKeyBytesMax, JSONLimits.pairwiseKeyBytesMax + 1])
    func `short plain keys are compared pairwise, longer ones by their hashes`(_ count: Int) {
        let keys = (10..<26).map { String(repeating: "k", count: count - 2) + "\($0)" }
        let (failure, work) = scan(object(keys))
        #expect(failure == nil)
        #expect((work.hashedBytes == 0) == (count <= JSONLimits.pairwiseKeyBytesMax))
        guard case .duplicateKey = scan(object(keys + [keys[3]])).failure else {
            Issue.record("the same key of \(count) bytes twice")
            return
        }
    }

    @Test func `random objects are judged as by comparing every pair of decoded keys`() {
        var chance = SplitMix64.told()
        let scalars = ["a", "b", "/", "\"", "\\", "\n", "é", "€", "𝄞", "\u{7F}", "\u{0}"]
            .map { $0.unicodeScalars.first.unsafelyUnwrapped }
        var found = 0
        for _ in 0..<6_000 {
            let count = chance.pick([1, 2, 3, 8, 15, 16, 17, 40])
            let length = chance.pick([1, 2, 4, 9, 80])
            var text = "{"
            var keys: [(decoded: [Unicode.Scalar], start: Int)] = []
            for index in 0..<count {
                if index > 0 { text += "," }
                let decoded = (0..<chance.pick(length + 1)).map { _ in chance.pick(scalars) }
                let start = text.utf8.count + 1
                text += "\"" + decoded.map { written($0, &chance) }.joined() + "\":0"
                keys.append((decoded, start))
            }
            text += "}"
            let duplicate = keys.indices.first { later in
                keys[..<later].contains { $0.decoded == keys[later].decoded }
            }
            if duplicate != nil { found += 1 }
            let expected = duplicate.map { JSONFailure.duplicateKey(at: keys[$0].start) }
            #expect(scan(text).failure == expected, "\(text)")
        }
        #expect((500..<5_500).contains(found))
    }

    /// One of the ways to write a scalar in a string.
    private func written(_ scalar: Unicode.Scalar, _ chance: inout SplitMix64) -> String {
        let short: [Unicode.Scalar: String] = ["\"": "\\\"", "\\": "\\\\", "/": "\\/", "\n": "\\n"]
        let mustEscape = scalar.value < 0x20 || scalar == "\"" || scalar == "\\"
        if !mustEscape, chance.chance() { return String(scalar) }
        if let short = short[scalar], chance.chance() { return short }
        return UTF16.encode(scalar).unsafelyUnwrapped
            .map { unit in
                let digits = String(unit, radix: 16, uppercase: chance.chance())
                return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            }
            .joined()
    }

    @Test func `what a text of many members took is given back with the next`() throws {
        var scanner = JSONScanner()
        let keys = (0..<JSONLimits.membersMax).map { "k\($0)" }
        let large = Array("{\"a\":\(object(keys))}".utf8)
        try large.withUnsafeBytes { try scanner.scan($0) }
        #expect(scanner.inner.capacity >= JSONLimits.membersMax)
        #expect(scanner.hashSlots.capacity >= JSONLimits.membersMax * 2)
        try Array("{}".utf8).withUnsafeBytes { try scanner.scan($0) }
        #expect(scanner.stack.capacity <= JSONLimits.keptMembersMax)
        #expect(scanner.inner.capacity <= JSONLimits.keptMembersMax)
        #expect(scanner.hashSlots.capacity <= JSONLimits.keptMembersMax * 4)
    }

    @Test func `a name is found however it is escaped`() {
        for (text, isName) in [
            ("userId", true), (#"\u0075serId"#, true),
            (#"\u0075\u0073\u0065\u0072\u0049\u0064"#, true),
            (#"userI\u0064x"#, false), (#"user\u0049"#, false), (#"\u0055serId"#, false),
            ("", false),
            (String(repeating: #"\u0075"#, count: 50_000), false),
        ] {
            let bytes = Array(text.utf8)
            #expect(
                bytes.withUnsafeBytes { JSONText.stands($0, for: "userId") } == isName,
                "\(text.prefix(60))"
            )
        }
    }
}
