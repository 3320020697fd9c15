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
            var (utf8, end) = escape(in: text, at: index)
            for _ in 0..<utf8.count {
                bytes.append(UInt8(truncatingIfNeeded: utf8.bytes))
                utf8.bytes >>= 8
            }
            index = end
        }
    }

    /// What `text`, the checked inside of a string, stands for.
    package static func decoded(_ text: UnsafeRawBufferPointer) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        decode(text, into: &bytes)
        return bytes
    }

    /// Whether `text`, the checked inside of a string, stands for `bytes`; nothing is copied.
    package static func stands(_ text: UnsafeRawBufferPointer, for bytes: StaticString) -> Bool {
        // No escape is shorter than what it stands for.
        let count = bytes.utf8CodeUnitCount
        guard text.count >= count, text.count <= count * 6 else { return false }
        var decoded = DecodedBytes(text)
        for index in 0..<count where decoded.next() != bytes.utf8Start[index] { return false }
        return decoded.next() == nil
    }

    static func hexDigit(_ byte: UInt8) -> UInt32? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte - UInt8(ascii: "A") + 10)
        default: nil
        }
    }

    /// What the escape at `backslash` stands for, as UTF-8 whose first byte is lowest, and where it
    /// ends.
    ///
    /// The scanner has seen that it is a whole one.
    static func escape(
        in text: UnsafeRawBufferPointer,
        at backslash: Int
    ) -> (utf8: (bytes: UInt32, count: Int), end: Int) {
        precondition(backslash + 1 < text.count, "the scanner has seen whole escapes")
        let byte: UInt8
        switch text[backslash + 1] {
        case UInt8(ascii: "b"): byte = 0x08
        case UInt8(ascii: "f"): byte = 0x0C
        case UInt8(ascii: "n"): byte = 0x0A
        case UInt8(ascii: "r"): byte = 0x0D
        case UInt8(ascii: "t"): byte = 0x09
        case UInt8(ascii: "u"):
            let unit = codeUnit(text, at: backslash + 2)
            guard unit & 0xFC00 == 0xD800 else { return (utf8(of: unit), backslash + 6) }
            let low = codeUnit(text, at: backslash + 8)
            return (utf8(of: 0x10000 + ((unit & 0x3FF) << 10 | (low & 0x3FF))), backslash + 12)
        case let itself: byte = itself
        }
        return ((UInt32(byte), 1), backslash + 2)
    }

    private static func codeUnit(_ text: UnsafeRawBufferPointer, at start: Int) -> UInt32 {
        var unit: UInt32 = 0
        for index in start..<start + 4 { unit = unit << 4 | (hexDigit(text[index]) ?? 0) }
        return unit
    }

    private static func utf8(of scalar: UInt32) -> (bytes: UInt32, count: Int) {
        let tail = { (shift: UInt32) in 0x80 | (scalar >> shift & 0x3F) }
        switch scalar {
        case ..<0x80: return (scalar, 1)
        case ..<0x800: return (0xC0 | scalar >> 6 | tail(0) << 8, 2)
        case ..<0x10000: return (0xE0 | scalar >> 12 | tail(6) << 8 | tail(0) << 16, 3)
        default:
            return (0xF0 | scalar >> 18 | tail(12) << 8 | tail(6) << 16 | tail(0) << 24, 4)
        }
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
