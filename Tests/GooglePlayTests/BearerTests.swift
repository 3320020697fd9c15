import Entitlements
import GooglePlay
import JSON
import Testing

/// Bearer tokens of pushes: which are Google's, for us.
struct BearerTests {
    private static let body = Array("{}".utf8)

    @Test func `each token of the vectors gets the verdict that is written there`() throws {
        let vectors = try BearerVectors()
        for entry in vectors.cases {
            let verdict = entry.authority.verdict(
                onPush: Self.body,
                authorization: entry.authorization,
                keys: vectors.keys,
                at: entry.now
            )
            #expect(verdict.word == entry.verdict, "\(entry)")
            if case .genuine(let push) = verdict { #expect(push.body == Self.body) }
        }
        let refused = vectors.cases.count { $0.verdict != "genuine" }
        #expect(refused >= 60 && vectors.cases.count - refused >= 10)
    }

    @Test func `each reason for a refusal has a case`() throws {
        let words = Set(try BearerVectors().cases.map(\.verdict))
        for fault in BearerFault.allCases { #expect(words.contains(fault.rawValue)) }
    }

    @Test func `a well-formed token without keys is undecided, and garbage is refused`() throws {
        let vectors = try BearerVectors()
        let good = try #require(vectors.cases.first)
        func word(_ authorization: [UInt8]?) -> String {
            good.authority
                .verdict(
                    onPush: Self.body,
                    authorization: authorization,
                    keys: nil,
                    at: good.now
                )
                .word
        }
        #expect(word(good.authorization) == "undecided")
        #expect(word(nil) == "missing")
        #expect(word(Array("Bearer x".utf8)) == "malformed")
    }

    @Test func `no token survives a change of one character, wherever it is`() throws {
        let vectors = try BearerVectors()
        let good = try #require(vectors.cases.first)
        let text = try #require(good.authorization)
        var accepted: [Int] = []
        for place in 7..<text.count {
            var changed = text
            changed[place] = text[place] == UInt8(ascii: "A") ? UInt8(ascii: "B") : 0x41
            let verdict = good.authority.verdict(
                onPush: Self.body,
                authorization: changed,
                keys: vectors.keys,
                at: good.now
            )
            if case .genuine = verdict { accepted.append(place) }
        }
        #expect(accepted.isEmpty)
    }
}
