import Chance
import JSON
import Testing

@Suite struct ValueTests {
    private func parse(_ text: String) throws -> JSONValue {
        try JSONValue.parse(Array(text.utf8))
    }

    @Test func `a tree is read with its order`() throws {
        let value = try parse(
            " {\"b\": [1, true, null, \"x\"], \"a\": {\"k\\u00e9y\": -2.5}, \"\": {}} "
        )
        #expect(value.object?.keys == ["b", "a", ""])
        #expect(value["b"]?.array?.count == 4)
        #expect(value["b"]?.array?[0].int64 == 1)
        #expect(value["b"]?.array?[1].bool == true)
        #expect(value["b"]?.array?[2].isNull == true)
        #expect(value["b"]?.array?[3].string == "x")
        #expect(value["a"]?["kéy"]?.double == -2.5)
        #expect(value["missing"] == nil)
        #expect(value["a"]?.string == nil && value["b"]?.object == nil && value.array == nil)
    }

    @Test func `escapes are decoded`() throws {
        #expect(
            try parse("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u0041\\u00e9\\u20AC\\uD834\\uDD1E\"").string
                == "\"\\/\u{8}\u{C}\n\r\tA\u{E9}€𝄞"
        )
        #expect(try parse("\"plain\"").string == "plain")
        #expect(try parse("\"\\u0000x\"").string == "\u{0}x")
    }

    @Test func `only quotes, backslashes and control characters are escaped`() {
        let value = JSONValue.string("\"\\/\u{8}\t\n\u{C}\r\u{0}\u{1F}\u{7F}é€𝄞\u{2028}<>&")
        #expect(
            String(decoding: value.bytes, as: UTF8.self)
                == "\"\\\"\\\\/\\b\\t\\n\\f\\r\\u0000\\u001f\u{7F}é€𝄞\u{2028}<>&\""
        )
    }

    @Test func `what is written reads back, compact`() throws {
        let text =
            "{\"a\":[],\"b\":{},\"c\":[1,[2,3],{\"d\":\"e\"}],\"f\":-0.5e10,\"g\":false,\"h\":null}"
        let value = try parse(text)
        #expect(String(decoding: value.bytes, as: UTF8.self) == text)
    }

    @Test func `objects are equal in any order, and change in place`() {
        var object: JSONObject = ["a": 1, "b": "x"]
        #expect(object == ["b": "x", "a": 1])
        #expect(object != ["a": 1] && object != ["a": 1, "b": "y"])
        object["a"] = nil
        object["b"] = true
        object["c"] = nil
        object["d"] = [1, nil]
        #expect(object.keys == ["b", "d"])
        #expect(object["d"] == .array([1, .null]))
    }

    @Test func `random trees survive writing and reading`() throws {
        var random = SplitMix64.told()
        for _ in 0..<2_000 {
            let value = random.value(depth: 0)
            #expect(try JSONValue.parse(value.bytes) == value)
        }
    }
}

extension SplitMix64 {
    fileprivate mutating func value(depth: Int) -> JSONValue {
        switch Int.random(in: 0..<(depth < 5 ? 7 : 5), using: &self) {
        case 0: return .null
        case 1: return .bool(Bool.random(using: &self))
        case 2: return .integer(Int64.random(in: .min ... .max, using: &self))
        case 3:
            return JSONNumber(Double.random(in: -1e9...1e9, using: &self)).map { .number($0) }
                ?? .null
        case 4: return .string(text())
        case 5:
            let count = Int.random(in: 0..<5, using: &self)
            return .array((0..<count).map { _ in value(depth: depth + 1) })
        default:
            var object = JSONObject()
            for _ in 0..<Int.random(in: 0..<22, using: &self) {
                object[text()] = value(depth: depth + 1)
            }
            return .object(object)
        }
    }

    fileprivate mutating func text() -> String {
        let pool: [Unicode.Scalar] = [
            "a", "b", "\"", "\\", "\n", "\u{0}", "é", "€", "𝄞", "/", "\u{7F}",
        ]
        var text = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0..<12, using: &self) {
            text.append(pool[Int.random(in: 0..<pool.count, using: &self)])
        }
        return String(text)
    }
}
