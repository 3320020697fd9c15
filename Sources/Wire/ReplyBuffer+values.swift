import JSON

extension ReplyBuffer {
    /// Appends `text` as a JSON string, quoted and escaped.
    package mutating func appendString(_ text: String) {
        var copy = text
        copy.withUTF8 { appendString(bytes: UnsafeRawBufferPointer($0)) }
    }

    /// Appends UTF-8 as a JSON string, quoted and escaped.
    package mutating func appendString(bytes text: UnsafeRawBufferPointer) {
        reserve(text.count + 2)
        append(byte: UInt8(ascii: "\""))
        JSONWriter.escape(text) { append(bytes: $0) }
        append(byte: UInt8(ascii: "\""))
    }

    /// Appends a moment, in milliseconds since 1970, as a JSON string.
    package mutating func appendTime(_ milliseconds: Int64) {
        append(byte: UInt8(ascii: "\""))
        TimeText(milliseconds).write(into: &self)
        append(byte: UInt8(ascii: "\""))
    }

    /// Appends a tree.
    package mutating func appendValue(_ value: JSONValue) { append(bytes: value.bytes) }

    /// Opens the answer to the request with this id; its result is written next.
    @inlinable
    package mutating func beginResult(id: UnsafeRawBufferPointer) {
        append("{\"jsonrpc\":\"2.0\",\"id\":")
        append(bytes: id)
        append(",\"result\":")
    }

    /// Closes the answer.
    @inlinable
    package mutating func endResult() { append(byte: UInt8(ascii: "}")) }

    /// Appends the error answer to the request with this id; nil for one that is not known.
    package mutating func appendError(_ failure: RPCFailure, id: UnsafeRawBufferPointer?) {
        append("{\"jsonrpc\":\"2.0\",\"id\":")
        if let id { append(bytes: id) } else { append("null") }
        append(",\"error\":")
        appendValue(failure.json)
        append(byte: UInt8(ascii: "}"))
    }
}
