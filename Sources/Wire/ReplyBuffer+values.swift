import JSON

extension ReplyBuffer {
    /// Appends a moment, in milliseconds since 1970, as a JSON string.
    package mutating func appendTime(_ milliseconds: Int64) {
        append(byte: UInt8(ascii: "\""))
        TimeText(milliseconds).write(into: &self)
        append(byte: UInt8(ascii: "\""))
    }

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
