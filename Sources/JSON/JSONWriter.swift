/// Writes compact JSON; commas come by themselves.
///
/// Only `"`, `\` and control characters are escaped. The caller keeps the order: keys and values
/// by turns in an object, one value at the root.
package struct JSONWriter: Sendable {
    /// What was written so far.
    package var bytes: [UInt8] = []
    private var needsComma = false

    /// A writer of nothing yet.
    package init() {}

    /// Opens an object.
    package mutating func beginObject() { open(UInt8(ascii: "{")) }

    /// Closes an object.
    package mutating func endObject() { close(UInt8(ascii: "}")) }

    /// Opens an array.
    package mutating func beginArray() { open(UInt8(ascii: "[")) }

    /// Closes an array.
    package mutating func endArray() { close(UInt8(ascii: "]")) }

    /// Writes a key that needs no escape.
    package mutating func key(_ key: StaticString) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        bytes.append(
            contentsOf: UnsafeBufferPointer(start: key.utf8Start, count: key.utf8CodeUnitCount)
        )
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    /// Writes a key.
    @_disfavoredOverload
    package mutating func key(_ key: String) {
        string(key)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    /// Writes a string.
    package mutating func string(_ value: String) {
        var copy = value
        copy.withUTF8 { string(bytes: UnsafeRawBufferPointer($0)) }
    }

    /// Writes a string of UTF-8.
    package mutating func string(bytes text: UnsafeRawBufferPointer) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        Self.escape(text) { bytes.append(contentsOf: $0) }
        bytes.append(UInt8(ascii: "\""))
        needsComma = true
    }

    /// Writes an integer.
    package mutating func integer(_ value: Int64) {
        separate()
        bytes.append(contentsOf: String(value).utf8)
        needsComma = true
    }

    /// Writes `true` or `false`.
    package mutating func bool(_ value: Bool) { word(value ? "true" : "false") }

    /// Writes `null`.
    package mutating func null() { word("null") }

    /// Writes a value that is JSON already.
    package mutating func raw(_ value: [UInt8]) {
        separate()
        bytes.append(contentsOf: value)
        needsComma = true
    }

    /// Writes a value that is JSON already.
    package mutating func raw(_ value: UnsafeRawBufferPointer) {
        separate()
        bytes.append(contentsOf: value)
        needsComma = true
    }

    /// Writes a tree.
    package mutating func value(_ value: JSONValue) {
        switch value {
        case .null: null()
        case .bool(let value): bool(value)
        case .number(let value): word(value.text)
        case .string(let value): string(value)
        case .array(let elements):
            beginArray()
            for element in elements { self.value(element) }
            endArray()
        case .object(let object):
            beginObject()
            for member in object.members {
                key(member.key)
                self.value(member.value)
            }
            endObject()
        }
    }

    /// Hands the escaped form of `text` to `write`, piece by piece.
    package static func escape(
        _ text: UnsafeRawBufferPointer,
        _ write: (UnsafeRawBufferPointer) -> Void
    ) {
        var start = 0
        for index in text.indices where isEscaped(text[index]) {
            if start < index { write(UnsafeRawBufferPointer(rebasing: text[start..<index])) }
            withUnsafeBytes(of: escapeSequence(text[index])) { sequence in
                let count = sequence[1] == UInt8(ascii: "u") ? 6 : 2
                write(UnsafeRawBufferPointer(rebasing: sequence[..<count]))
            }
            start = index + 1
        }
        if start < text.count { write(UnsafeRawBufferPointer(rebasing: text[start...])) }
    }

    @inline(__always)
    private static func isEscaped(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    /// The six bytes of an escape; the short ones use the first two.
    private static func escapeSequence(
        _ byte: UInt8
    ) -> (
        UInt8, UInt8, UInt8, UInt8, UInt8, UInt8
    ) {
        let short: UInt8? =
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): byte
            case 0x08: UInt8(ascii: "b")
            case 0x09: UInt8(ascii: "t")
            case 0x0A: UInt8(ascii: "n")
            case 0x0C: UInt8(ascii: "f")
            case 0x0D: UInt8(ascii: "r")
            default: nil
            }
        let zero = UInt8(ascii: "0")
        if let short { return (UInt8(ascii: "\\"), short, zero, zero, zero, zero) }
        let low = byte & 0x0F
        let digit = low < 10 ? zero + low : UInt8(ascii: "a") + low - 10
        return (UInt8(ascii: "\\"), UInt8(ascii: "u"), zero, zero, zero + byte >> 4, digit)
    }

    @inline(__always)
    private mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
    }

    private mutating func word(_ word: String) {
        separate()
        bytes.append(contentsOf: word.utf8)
        needsComma = true
    }

    private mutating func open(_ bracket: UInt8) {
        separate()
        bytes.append(bracket)
        needsComma = false
    }

    private mutating func close(_ bracket: UInt8) {
        bytes.append(bracket)
        needsComma = true
    }
}
