import JSON
import Testing

private func scan(_ bytes: [UInt8], depthMax: Int = JSONLimits.depthMax) -> JSONFailure? {
    do throws(JSONFailure) {
        _ = try JSONValue.parse(bytes, depthMax: depthMax)
        return nil
    } catch {
        return error
    }
}

private func scan(_ text: String) -> JSONFailure? { scan(Array(text.utf8)) }

/// The grammar of RFC 8259, rule by rule: what must be accepted and what must not.
@Suite struct AcceptanceTests {
    @Test(arguments: [
        ("literal null", "null"), ("literal true", "true"), ("literal false", "false"),
        ("lone string", "\"a\""), ("lone number", "0"), ("empty array", "[]"),
        ("empty object", "{}"), ("white space of all kinds", " \t\n\r[ \t\n\r1 , 2 ]\r\n\t "),
        ("space inside an object", "{ \"a\" : 1 , \"b\" : 2 }"),
        ("nested", "[[[{\"a\":[{}]}]]]"), ("minus zero", "-0"), ("minus zero fraction", "-0.0"),
        ("fraction", "1.25"), ("exponent", "1e3"), ("capital exponent", "1E3"),
        ("signed exponents", "[1e+3,1e-3]"), ("huge exponent", "1e400"), ("tiny", "1e-400"),
        ("long integer", "123456789012345678901234567890"),
        ("simple escapes", "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\""),
        ("escaped letters in both cases", "\"\\u00e9\\u00E9\""),
        ("escaped NUL", "\"\\u0000\""), ("escaped pair", "\"\\uD834\\uDD1E\""),
        ("escaped noncharacter", "\"\\uFFFF\""), ("raw two bytes", "\"é\""),
        ("raw three bytes", "\"€\""), ("raw four bytes", "\"𝄞\""),
        ("raw DEL", "\"\u{7F}\""), ("line separators", "\"\u{2028}\u{2029}\""),
        ("first and last of each length", "\"\u{80}\u{7FF}\u{800}\u{FFFF}\u{10000}\u{10FFFF}\""),
        ("around the surrogates", "\"\u{D7FF}\u{E000}\""), ("empty key", "{\"\":0}"),
        ("keys that differ in case", "{\"a\":1,\"A\":2}"),
        ("the same key in different objects", "{\"a\":{\"a\":1},\"b\":{\"a\":2}}"),
        ("a key equal to a value", "{\"a\":\"b\",\"b\":\"a\"}"),
        ("normal forms are not folded", "{\"\u{E9}\":1,\"e\u{301}\":2}"),
        ("a string of eight and nine", "[\"12345678\",\"123456789\"]"),
        ("an escape at each place of a word", "\"\\n234567\\n2345678\\n\""),
    ])
    func `accepted`(name: String, text: String) {
        #expect(scan(text) == nil, "\(name)")
    }

    @Test(arguments: [
        ("nothing", ""), ("only space", "  "), ("a byte order mark", "\u{FEFF}{}"),
        ("two values", "1 2"), ("closing bracket behind", "[]]"), ("comma behind", "1,"),
        ("NUL behind", "1\u{0}"), ("form feed as space", "\u{C}1"), ("no-break space", "\u{A0}1"),
        ("capital literal", "True"), ("cut literal", "tru"), ("long literal", "nulll"),
        ("NaN", "NaN"), ("Infinity", "Infinity"), ("minus infinity", "-Infinity"),
        ("plus sign", "+1"), ("lone minus", "-"), ("leading zero", "01"),
        ("negative leading zero", "-01"), ("point first", ".5"), ("point last", "1."),
        ("point before exponent", "1.e1"), ("empty exponent", "1e"), ("signed nothing", "1e+"),
        ("two points", "1.2.3"), ("hexadecimal", "0x1"), ("fullwidth digit", "１"),
        ("fraction in exponent", "1e1.5"), ("letters behind", "1a"), ("two signs", "--1"),
        ("single quotes", "'a'"), ("open string", "\"a"), ("backslash at the end", "\"\\"),
        ("unknown escape", "\"\\a\""), ("escaped apostrophe", "\"\\'\""),
        ("capital escape", "\"\\N\""), ("short unicode escape", "\"\\u00e\""),
        ("hexadecimal escape", "\"\\x41\""), ("no digits", "\"\\uZZZZ\""),
        ("raw tab", "\"\t\""), ("raw newline", "\"\n\""), ("raw NUL", "\"\u{0}\""),
        ("raw unit separator", "\"1234567\u{1F}\""),
        ("lone high half", "\"\\uD834\""), ("lone low half", "\"\\uDD1E\""),
        ("high before a letter", "\"\\uD834a\""), ("high before an escape", "\"\\uD834\\n......\""),
        ("high before high", "\"\\uD834\\uD834\""),
        ("halves in the wrong order", "\"\\uDD1E\\uD834\""),
        ("open array", "["), ("array without end", "[1"), ("comma in an empty array", "[,]"),
        ("comma last", "[1,]"), ("comma first", "[,1]"), ("two commas", "[1,,2]"),
        ("no comma", "[1 2]"), ("colon in an array", "[1:2]"), ("wrong bracket", "[1}"),
        ("open object", "{"), ("key alone", "{\"a\"}"), ("no value", "{\"a\":}"),
        ("no colon", "{\"a\" 1}"), ("two colons", "{\"a\"::1}"),
        ("comma last in object", "{\"a\":1,}"),
        ("bare key", "{a:1}"), ("number as key", "{1:1}"), ("single-quoted key", "{'a':1}"),
        ("semicolon", "{\"a\":1;\"b\":2}"), ("comment", "[1/*c*/]"), ("line comment", "[1]//c"),
        ("duplicate key", "{\"a\":1,\"a\":1}"),
        ("duplicate by escape", "{\"id\":1,\"\\u0069d\":2}"),
        ("duplicate of two escapes", "{\"\\u0069d\":1,\"i\\u0064\":2}"),
        ("duplicate by a pair", "{\"𝄞\":1,\"\\uD834\\uDD1E\":2}"),
        ("duplicate empty keys", "{\"\":1,\"\":2}"),
        ("nested duplicate", "[{\"x\":{\"a\":1,\"a\":2}}]"),
        ("duplicate with a value between", "{\"a\":{\"b\":1},\"c\":[{}],\"a\":2}"),
    ])
    func `refused`(name: String, text: String) {
        #expect(scan(text) != nil, "\(name)")
    }

    @Test(
        arguments: [
            ("lone continuation", [0x80]), ("lone last continuation", [0xBF]),
            ("overlong slash", [0xC0, 0xAF]), ("overlong two", [0xC1, 0xBF]),
            ("overlong three", [0xE0, 0x9F, 0xBF]), ("overlong four", [0xF0, 0x8F, 0xBF, 0xBF]),
            ("first surrogate", [0xED, 0xA0, 0x80]), ("last surrogate", [0xED, 0xBF, 0xBF]),
            ("above the last scalar", [0xF4, 0x90, 0x80, 0x80]),
            ("five bytes", [0xF8, 0x88, 0x80, 0x80, 0x80]),
            ("FE", [0xFE]), ("FF", [0xFF]), ("cut two", [0xC3]), ("cut three", [0xE2, 0x82]),
            ("cut four", [0xF0, 0x9D, 0x84]), ("wrong second", [0xE2, 0x28, 0xA1]),
            ("wrong third", [0xE2, 0x82, 0x28]), ("wrong fourth", [0xF0, 0x9D, 0x84, 0x28]),
            ("latin 1", [0xE9]),
        ] as [(String, [UInt8])]
    )
    func `invalid UTF-8 is refused in values and keys, at every place of a word`(
        name: String,
        bytes: [UInt8]
    ) {
        for lead in 0..<9 {
            let text = Array(repeating: UInt8(ascii: "x"), count: lead) + bytes
            let quote = UInt8(ascii: "\"")
            #expect(scan([quote] + text + [quote]) != nil, "\(name) behind \(lead)")
            let key = [UInt8(ascii: "{"), quote] + text + Array("\":1}".utf8)
            #expect(scan(key) != nil, "\(name) in a key behind \(lead)")
        }
        #expect(scan([0x22, 0x78] + bytes) != nil, "\(name) at the end")
    }

    @Test func `all scalars are accepted raw and escaped, and nothing else in between`() throws {
        for value in UInt32(0x20)...0x10FFFF where value % 7 == 0 || value < 0x3000 {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let raw = JSONValue.string(String(Character(scalar)))
            #expect(try JSONValue.parse(raw.bytes) == raw)
            #expect(raw.byteCount == raw.bytes.count)
        }
    }

    @Test func `a text cut at any byte is refused`() throws {
        let text = Array("{\"a\":[1.5e-3,true,null,\"\\uD834\\uDD1E€\"],\"b\":{\"c\":false}}".utf8)
        #expect(scan(text) == nil)
        for count in 0..<text.count {
            #expect(scan(Array(text[..<count])) != nil, "cut at \(count)")
        }
    }

    @Test func `every single byte changed is refused or still means something`() throws {
        let text = Array("{\"ab\":[1,\"x\"],\"c\":true}".utf8)
        for index in text.indices {
            for byte in UInt8.min...UInt8.max {
                var changed = text
                changed[index] = byte
                guard let value = try? JSONValue.parse(changed) else { continue }
                #expect(try JSONValue.parse(value.bytes) == value)
                #expect(value.byteCount == value.bytes.count)
            }
        }
    }

    @Test func `depth counts arrays and objects alike`() {
        let nest = { (open: String, inside: String, close: String, count: Int) in
            String(repeating: open, count: count) + inside + String(repeating: close, count: count)
        }
        #expect(scan(nest("[", "", "]", 32)) == nil)
        #expect(scan(nest("[", "", "]", 33)) == .tooDeep(at: 32))
        #expect(scan(nest("{\"a\":", "1", "}", 32)) == nil)
        #expect(scan(nest("{\"a\":", "1", "}", 33)) == .tooDeep(at: 160))
        #expect(scan(nest("[{\"a\":", "1", "}]", 16)) == nil)
        #expect(scan(nest("[{\"a\":", "[]", "}]", 16)) != nil)
        #expect(scan(nest("[", "", "", 1_000_000)) == .tooDeep(at: 32))
        #expect(scan(Array("[[]]".utf8), depthMax: 1) == .tooDeep(at: 1))
    }

    @Test func `an object has at most a thousand members`() {
        let object = { (count: Int) in
            "{" + (0..<count).map { "\"k\($0)\":\($0)" }.joined(separator: ",") + "}"
        }
        #expect(scan(object(JSONLimits.membersMax)) == nil)
        guard case .tooManyMembers = scan(object(JSONLimits.membersMax + 1)) else {
            Issue.record("one member too many was not noticed")
            return
        }
    }

    @Test(arguments: [2, 3, 15, 16, 17, 18, 31, 32, 33, 64, 65, 999, 1_000])
    func `a duplicate is found among any number of keys`(count: Int) {
        let members = (0..<count).map { "\"key\($0)\":\($0)" }
        #expect(scan("{" + members.joined(separator: ",") + "}") == nil)
        for place in Set([0, 1, count / 2, count - 2]) where place < count - 1 {
            var changed = members
            changed[count - 1] = "\"key\(place)\":0"
            guard case .duplicateKey = scan("{" + changed.joined(separator: ",") + "}") else {
                Issue.record("key \(place) of \(count)")
                continue
            }
            changed[count - 1] = "\"\\u006bey\(place)\":0"
            guard case .duplicateKey = scan("{" + changed.joined(separator: ",") + "}") else {
                Issue.record("escaped key \(place) of \(count)")
                continue
            }
        }
    }

    @Test func `a failure names the byte`() {
        #expect(scan("[1,x]") == .syntax(at: 3))
        #expect(scan("[1") == .truncated(at: 2))
        #expect(scan("1 2") == .trailingBytes(at: 2))
        #expect(scan("{\"a\":1,\"a\":2}") == .duplicateKey(at: 8))
        #expect(scan("\"\\uD834\"") == .loneSurrogate(at: 1))
        #expect(scan([0x22, 0xFF, 0x22]) == .invalidUTF8(at: 1))
        #expect("\(JSONFailure.tooDeep(at: 3))" == "nested too deep at byte 3")
    }
}
