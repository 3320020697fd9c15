/// Makes the tree of a text that a scanner has accepted; it checks nothing again.
struct JSONBuilder {
    private let bytes: UnsafeRawBufferPointer
    private var index = 0

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    mutating func value() -> JSONValue {
        skipSpace()
        switch bytes[index] {
        case UInt8(ascii: "\""): return .string(string())
        case UInt8(ascii: "{"): return .object(object())
        case UInt8(ascii: "["): return .array(array())
        case UInt8(ascii: "t"):
            index += 4
            return .bool(true)
        case UInt8(ascii: "f"):
            index += 5
            return .bool(false)
        case UInt8(ascii: "n"):
            index += 4
            return .null
        default: return .number(number())
        }
    }

    private mutating func skipSpace() {
        while index < bytes.count {
            switch bytes[index] {
            case 0x20, 0x0A, 0x0D, 0x09: index += 1
            default: return
            }
        }
    }

    private mutating func string() -> String {
        let start = index + 1
        index = start
        var isEscaped = false
        skipPlain()
        while bytes[index] != UInt8(ascii: "\"") {
            if bytes[index] == UInt8(ascii: "\\") {
                isEscaped = true
                index += 1
            }
            index += 1
            skipPlain()
        }
        // SAFETY: the text was accepted as a whole, so each string in it ends within it.
        let text = UnsafeRawBufferPointer(rebasing: bytes[start..<index])
        index += 1
        guard isEscaped else { return String(decoding: text, as: UTF8.self) }
        return String(decoding: JSONText.decoded(text), as: UTF8.self)
    }

    private mutating func skipPlain() {
        // SAFETY: both ends are those of `bytes`, and `index` stands between them.
        guard let start = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
        index = JSONScanner.skipPlain(start + index, start + bytes.count) - start
    }

    private mutating func number() -> JSONNumber {
        let start = index
        while index < bytes.count, Self.isNumeric(bytes[index]) { index += 1 }
        return JSONNumber(checked: String(decoding: bytes[start..<index], as: UTF8.self))
    }

    private static func isNumeric(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"),
            UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"):
            true
        default: false
        }
    }

    private mutating func array() -> [JSONValue] {
        var elements: [JSONValue] = []
        while opensNext(closing: UInt8(ascii: "]")) { elements.append(value()) }
        return elements
    }

    private mutating func object() -> JSONObject {
        var members: [JSONObject.Member] = []
        while opensNext(closing: UInt8(ascii: "}")) {
            let key = string()
            skipSpace()
            index += 1
            members.append(JSONObject.Member(key: key, value: value()))
        }
        return JSONObject(members)
    }

    /// Steps over a bracket or comma to the next element; false behind the closing bracket.
    private mutating func opensNext(closing: UInt8) -> Bool {
        skipSpace()
        if bytes[index] != closing { index += 1 }
        skipSpace()
        guard bytes[index] == closing else { return true }
        index += 1
        return false
    }
}
