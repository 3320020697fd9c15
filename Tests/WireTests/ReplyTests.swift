import JSON
import Testing
import Wire

@Suite struct ReplyTests {
    private func written(_ write: (inout ReplyBuffer) -> Void) -> String {
        var buffer = ReplyBuffer(capacity: 1)
        write(&buffer)
        return String(decoding: buffer.bytes, as: UTF8.self)
    }

    @Test func `integers`() {
        var values: [Int64] = [0, .max, .min, -1, 7, 10, 99, 100]
        var power: Int64 = 1
        while power < .max / 10 {
            power *= 10
            values += [power - 1, power, power + 1, -power, 1 - power]
        }
        for value in values { #expect(written { $0.appendInteger(value) } == "\(value)") }
    }

    @Test func `strings are escaped like the writer's`() {
        for text in ["", "plain", "\"\\\n\u{0}\u{1F}", "é€𝄞\u{2028}", "a\"", "\"a"] {
            let json = String(decoding: JSONValue.string(text).bytes, as: UTF8.self)
            #expect(written { $0.appendString(text) } == json)
        }
    }

    @Test func `a flat object is written as the tree of the same members`() throws {
        let flat: FlatObject = [
            "outcome": .string("a \"word\""), "left": .integer(.min), "again": .bool(false),
            "why": .null,
        ]
        let tree: JSONValue = [
            "outcome": "a \"word\"", "left": .integer(.min), "again": false, "why": nil,
        ]
        #expect(written { $0.append(flat) } == String(decoding: tree.bytes, as: UTF8.self))
        #expect(written { $0.append([:] as FlatObject) } == "{}")
    }

    @Test func `frames get their length`() {
        var buffer = ReplyBuffer(capacity: 1)
        for size in [0, 1, 300, 70_000] {
            let mark = buffer.beginFrame()
            buffer.append(bytes: Array(repeating: UInt8(ascii: "x"), count: size))
            buffer.endFrame(mark)
            let header = Array(buffer.written[mark..<mark + 4])
            #expect(header == [0, UInt8(size >> 16), UInt8(size >> 8 & 255), UInt8(size & 255)])
        }
        buffer.truncate(to: 5)
        #expect(buffer.count == 5)
        buffer.removeAll()
        #expect(buffer.bytes.isEmpty)
    }

    @Test func `results and errors`() {
        let id = Array("1.0".utf8)
        #expect(
            written { buffer in
                id.withUnsafeBytes { buffer.beginResult(id: $0) }
                buffer.appendBool(true)
                buffer.endResult()
            } == "{\"jsonrpc\":\"2.0\",\"id\":1.0,\"result\":true}"
        )
        let failure = RPCFailure(
            .verificationFailed,
            "It does not \"verify\".",
            extra: [("reason", "chain"), ("index", 2)]
        )
        #expect(
            written { $0.appendError(failure, id: nil) }
                == "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32020,\"message\":"
                + "\"It does not \\\"verify\\\".\",\"data\":{\"code\":\"verification_failed\","
                + "\"retryable\":false,\"reason\":\"chain\",\"index\":2}}}"
        )
        #expect(RPCFailure.overloaded("x", retryAfterMs: 5).json["data"]?["retryAfterMs"] == 5)
        #expect(RPCFailure(.internalError, "x", retryable: true).retryable)
    }
}
