/// The text inside a string's quotes, and what it stands for.
package enum JSONText {
    /// Appends what `text`, the checked inside of a string, stands for.
    package static func decode(_ text: UnsafeRawBufferPointer, into bytes: inout [UInt8]) {
        var index = 0
        while index < text.count {
            let start = index
            while index < text.count, text[index] != UInt8(ascii: "\\") { index += 1 }
            bytes.append(contentsOf: text[start..<index])
            guard index < text.count else { return }
            index = decodeEscape(text, at: index, into: &bytes)
        }
    }

    /// What `text`, the checked inside of a string, stands for.
    package static func decoded(_ text: UnsafeRawBufferPointer) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        decode(text, into: &bytes)
        return bytes
    }

    static func hexDigit(_ byte: UInt8) -> UInt32? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte - UInt8(ascii: "A") + 10)
        default: nil
        }
    }

    private static func decodeEscape(
        _ text: UnsafeRawBufferPointer,
        at backslash: Int,
        into bytes: inout [UInt8]
    ) -> Int {
        precondition(backslash + 1 < text.count, "the scanner has seen whole escapes")
        switch text[backslash + 1] {
        case UInt8(ascii: "b"): bytes.append(0x08)
        case UInt8(ascii: "f"): bytes.append(0x0C)
        case UInt8(ascii: "n"): bytes.append(0x0A)
        case UInt8(ascii: "r"): bytes.append(0x0D)
        case UInt8(ascii: "t"): bytes.append(0x09)
        case UInt8(ascii: "u"):
            let unit = codeUnit(text, at: backslash + 2)
            guard unit & 0xFC00 == 0xD800 else {
                append(unit, to: &bytes)
                return backslash + 6
            }
            let low = codeUnit(text, at: backslash + 8)
            append(0x10000 + ((unit & 0x3FF) << 10 | (low & 0x3FF)), to: &bytes)
            return backslash + 12
        case let itself: bytes.append(itself)
        }
        return backslash + 2
    }

    private static func codeUnit(_ text: UnsafeRawBufferPointer, at start: Int) -> UInt32 {
        var unit: UInt32 = 0
        for index in start..<start + 4 { unit = unit << 4 | (hexDigit(text[index]) ?? 0) }
        return unit
    }

    private static func append(_ scalar: UInt32, to bytes: inout [UInt8]) {
        guard let scalar = Unicode.Scalar(scalar) else {
            preconditionFailure("the scanner has seen whole surrogate pairs")
        }
        bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    }

    /// Whether a string has `byte` escaped.
    @inlinable @inline(__always)
    package static func isEscaped(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    /// The six bytes of an escape; the short ones use the first two.
    static func escape(_ byte: UInt8) -> (UInt8, UInt8, UInt8, UInt8, UInt8, UInt8) {
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
}
