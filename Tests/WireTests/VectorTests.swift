import Foundation
import JSON
import Testing
import Wire

@Suite struct VectorTests {
    @Test func `the request vectors hold`() throws {
        let cases = try #require(try Vectors.file("vectors/rpc/requests.json")["cases"]?.array)
        #expect(cases.count >= 70)
        for vector in cases {
            var bench = Bench()
            let name = vector["name"]?.string ?? "?"
            let replies = bench.ask(try #require(vector["send"]?.string))
            #expect(Vectors.matches(replies, try #require(vector["expect"])), "\(name): \(replies)")
        }
    }

    @Test func `the vectors of bytes hold`() throws {
        let cases = try #require(try Vectors.file("vectors/rpc/bytes.json")["cases"]?.array)
        #expect(cases.count >= 8)
        for vector in cases {
            var bench = Bench()
            let replies = bench.ask(Vectors.bytes(hex: try #require(vector["sendHex"]?.string)))
            #expect(
                Vectors.matches(replies, try #require(vector["expect"])),
                "\(vector["name"]?.string ?? "?")"
            )
            #expect(bench.ask("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}").count == 1)
        }
    }

    @Test func `the error table and the code agree in both directions`() throws {
        let rows = try #require(try Vectors.file("errors.json").array)
        #expect(
            Set(rows.compactMap { $0["code"]?.int64 })
                == Set(ErrorCode.allCases.map { Int64($0.rawValue) })
        )
        #expect(rows.count == ErrorCode.allCases.count)
        for row in rows {
            let code = try #require(row["code"]?.int64.flatMap { ErrorCode(rawValue: Int($0)) })
            #expect(row.object?.keys == ["code", "name", "when", "retryable", "closes"])
            #expect(row["name"]?.string == code.name)
            #expect(row["retryable"]?.bool == code.isRetryable)
            #expect(row["closes"]?.bool == code.mayClose)
            #expect(row["when"]?.string?.hasSuffix(".") == true)
        }
    }

    @Test func `the examples in framing.md are true to the byte`() throws {
        let sections = try Vectors.text("framing.md").components(separatedBy: "\n### ").dropFirst()
        #expect(sections.count == 12)
        for section in sections {
            let block = section.components(separatedBy: "```")[1]
            var sent: [UInt8] = []
            var expected: [UInt8] = []
            var isReply = false
            for line in block.split(separator: "\n") where !line.contains("#") {
                if line.hasPrefix("←") { isReply = true }
                let bytes = Vectors.bytes(hex: String(line.dropFirst()))
                if isReply { expected += bytes } else { sent += bytes }
            }
            var bench = Bench()
            #expect(!sent.isEmpty)
            #expect(bench.replies(to: sent) == expected, "\(section.prefix(60))")
        }
    }
}
