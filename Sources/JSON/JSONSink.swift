/// Where compact JSON is written.
///
/// Only `"`, `\` and control characters are escaped. Inlinable, because replies are written from
/// room to room.
package protocol JSONSink: ~Copyable {
    /// Appends `bytes` as they are.
    mutating func append(bytes: UnsafeRawBufferPointer)
}

extension JSONSink where Self: ~Copyable {
    /// Appends `text` as a JSON string, quoted and escaped.
    @inlinable
    package mutating func appendString(_ text: String) {
        var copy = text
        copy.withUTF8 { appendString(bytes: UnsafeRawBufferPointer($0)) }
    }

    /// Appends UTF-8 as a JSON string, quoted and escaped.
    @inlinable
    package mutating func appendString(bytes text: UnsafeRawBufferPointer) {
        appendLiteral("\"")
        var start = 0
        for index in text.indices where JSONText.isEscaped(text[index]) {
            // SAFETY: `start` and `index` are places in the text, the former not behind the latter.
            append(bytes: UnsafeRawBufferPointer(rebasing: text[start..<index]))
            appendEscape(of: text[index])
            start = index + 1
        }
        append(bytes: UnsafeRawBufferPointer(rebasing: text[start...]))
        appendLiteral("\"")
    }

    /// Appends a tree.
    @inlinable
    package mutating func appendValue(_ value: JSONValue) {
        switch value {
        case .null: appendLiteral("null")
        case .bool(let value): appendLiteral(value ? "true" : "false")
        case .number(let value):
            var text = value.text
            text.withUTF8 { append(bytes: UnsafeRawBufferPointer($0)) }
        case .string(let value): appendString(value)
        case .array(let elements):
            appendLiteral("[")
            for index in elements.indices {
                if index > 0 { appendLiteral(",") }
                appendValue(elements[index])
            }
            appendLiteral("]")
        case .object(let object): appendObject(object)
        }
    }

    /// Appends an object, its members in their order.
    @inlinable
    package mutating func appendObject(_ object: JSONObject) {
        appendLiteral("{")
        for index in object.members.indices {
            if index > 0 { appendLiteral(",") }
            appendString(object.members[index].key)
            appendLiteral(":")
            appendValue(object.members[index].value)
        }
        appendLiteral("}")
    }

    @inlinable
    mutating func appendLiteral(_ text: StaticString) {
        append(
            // SAFETY: a static text lies in the program, as long as it says.
            bytes: UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
        )
    }

    @usableFromInline
    mutating func appendEscape(of byte: UInt8) {
        withUnsafeBytes(of: JSONText.escape(byte)) { escape in
            let count = escape[1] == UInt8(ascii: "u") ? 6 : 2
            // SAFETY: an escape has at least six bytes.
            append(bytes: UnsafeRawBufferPointer(rebasing: escape[..<count]))
        }
    }
}

extension [UInt8]: JSONSink {
    /// Appends `bytes` as they are.
    @inlinable
    package mutating func append(bytes: UnsafeRawBufferPointer) { append(contentsOf: bytes) }
}
