import JSON
import Testing

@Suite struct ScannerTests {
    private func members(
        _ members: UnsafeBufferPointer<JSONMember>,
        of text: [UInt8]
    ) -> [String] {
        members.map { member in
            let key = text[Int(member.keyStart)..<Int(member.keyEnd)]
            let value = text[Int(member.valueStart)..<Int(member.valueEnd)]
            return String(decoding: key, as: UTF8.self) + "="
                + String(decoding: value, as: UTF8.self)
        }
    }

    @Test func `members of the root and of what is directly inside are found`() throws {
        let text = Array(
            """
            { "a" : {"x":1,"y":{"z":2}} , "b":[{"q":1},2] ,"c": "s\\n", "d":{}, "e":{"w":null} }
            """
            .utf8
        )
        var scanner = JSONScanner()
        try text.withUnsafeBytes { bytes in
            try scanner.scan(bytes)
            let root = scanner.rootMembers
            #expect(
                members(root, of: text) == [
                    "a={\"x\":1,\"y\":{\"z\":2}}", "b=[{\"q\":1},2]", "c=\"s\\n\"", "d={}",
                    "e={\"w\":null}",
                ]
            )
            #expect(root.map(\.innerCount) == [2, 0, 0, 0, 1])
            #expect(root.map(\.valueIsEscaped) == [false, false, true, false, false])
            let inner = scanner.innerMembers
            #expect(members(inner, of: text) == ["x=1", "y={\"z\":2}", "w=null"])
            #expect(root[4].innerStart == 2)
        }
    }

    @Test func `elements of a root array are counted and nothing of them is kept`() throws {
        var scanner = JSONScanner()
        for (text, count) in [
            ("[]", 0), ("[1]", 1), (" [ {\"a\":{\"b\":1}} , [1,2,3] ] ", 2), ("{}", 0),
        ] {
            try Array(text.utf8).withUnsafeBytes { try scanner.scan($0) }
            #expect(scanner.rootElements == count)
            #expect(scanner.rootMembers.isEmpty && scanner.innerMembers.isEmpty)
        }
    }

    @Test func `the first value of a longer text is found with its end`() throws {
        var scanner = JSONScanner()
        let ends = try Array("  {\"a\":1}  ,2".utf8)
            .withUnsafeBytes { bytes in
                try scanner.scanFirst(of: bytes)
            }
        #expect(ends == 11)
        #expect(scanner.rootMembers.count == 1)
    }

    @Test func `a scanner used again forgets what was before`() throws {
        var scanner = JSONScanner()
        let bad = Array("{\"a\":{\"b\":1},\"a\":2}".utf8)
        _ = bad.withUnsafeBytes { bytes in
            #expect(throws: JSONFailure.duplicateKey(at: 14)) { try scanner.scan(bytes) }
        }
        try Array("{\"a\":{\"c\":1}}".utf8).withUnsafeBytes { try scanner.scan($0) }
        #expect(scanner.rootMembers.count == 1 && scanner.innerMembers.count == 1)
    }

    @Test func `many members make the tables grow`() throws {
        let inner = (0..<900).map { "\"k\($0)\":{\"n\":\($0)}" }.joined(separator: ",")
        let text = Array("{\"p\":{\(inner)},\"q\":{\(inner)}}".utf8)
        var scanner = JSONScanner()
        try text.withUnsafeBytes { try scanner.scan($0) }
        #expect(scanner.rootMembers.map(\.innerCount) == [900, 900])
        #expect(scanner.innerMembers.count == 1_800)
    }
}
