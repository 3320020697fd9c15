extension JSONScanner {
    /// Checks a string from behind its opening quote; returns the place behind the closing one.
    mutating func string(
        _ start: UnsafePointer<UInt8>
    ) throws(JSONFailure) -> UnsafePointer<UInt8> {
        var cursor = start
        stringIsEscaped = false
        while true {
            cursor = Self.skipPlain(cursor, end)
            guard cursor < end else { throw .truncated(at: offset(cursor)) }
            switch cursor.pointee {
            case UInt8(ascii: "\""):
                return cursor + 1
            case UInt8(ascii: "\\"):
                stringIsEscaped = true
                cursor = try escape(cursor)
            case 0x00..<0x20:
                throw .syntax(at: offset(cursor))
            case 0x80...:
                cursor = try scalar(cursor)
            default:
                cursor += 1
            }
        }
    }

    /// Skips bytes that mean themselves: ASCII without quotes, backslashes and control characters.
    ///
    /// Eight at a time: a byte of `special` has its top bit set where such a byte stands. Borrows
    /// can set bits above the lowest one set, never below, and only the lowest is used.
    @inline(__always)
    static func skipPlain(
        _ start: UnsafePointer<UInt8>,
        _ end: UnsafePointer<UInt8>
    ) -> UnsafePointer<UInt8> {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let tops: UInt64 = 0x8080_8080_8080_8080
        var cursor = start
        while end - cursor >= 8 {
            // SAFETY: the loop's condition leaves eight readable bytes.
            let word = UInt64(
                littleEndian: UnsafeRawPointer(cursor).loadUnaligned(as: UInt64.self)
            )
            let quote = word ^ (ones &* UInt64(UInt8(ascii: "\"")))
            let backslash = word ^ (ones &* UInt64(UInt8(ascii: "\\")))
            let control = (word &- ones &* 0x20) & ~word
            let special =
                (((quote &- ones) & ~quote) | ((backslash &- ones) & ~backslash) | control | word)
                & tops
            if special != 0 { return cursor + special.trailingZeroBitCount / 8 }
            cursor += 8
        }
        while cursor < end, Self.isPlain(cursor.pointee) { cursor += 1 }
        return cursor
    }

    @inline(__always)
    private static func isPlain(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte < 0x80 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }

    /// Checks one escape at its backslash; a high surrogate takes its low half with it.
    private func escape(
        _ backslash: UnsafePointer<UInt8>
    ) throws(JSONFailure) -> UnsafePointer<UInt8> {
        guard backslash + 1 < end else { throw .truncated(at: offset(backslash + 1)) }
        switch backslash[1] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
            UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            return backslash + 2
        case UInt8(ascii: "u"):
            let unit = try codeUnit(backslash + 2)
            guard unit & 0xF800 == 0xD800 else { return backslash + 6 }
            guard unit < 0xDC00, end - backslash >= 12, backslash[6] == UInt8(ascii: "\\"),
                backslash[7] == UInt8(ascii: "u")
            else { throw .loneSurrogate(at: offset(backslash)) }
            let low = try codeUnit(backslash + 8)
            guard low & 0xFC00 == 0xDC00 else { throw .loneSurrogate(at: offset(backslash)) }
            return backslash + 12
        default:
            throw .syntax(at: offset(backslash + 1))
        }
    }

    private func codeUnit(_ start: UnsafePointer<UInt8>) throws(JSONFailure) -> UInt32 {
        var unit: UInt32 = 0
        for index in 0..<4 {
            let cursor = start + index
            guard cursor < end else { throw .truncated(at: offset(cursor)) }
            guard let digit = JSONText.hexDigit(cursor.pointee) else {
                throw .syntax(at: offset(cursor))
            }
            unit = unit << 4 | digit
        }
        return unit
    }

    /// Checks one scalar outside ASCII by the table of well-formed sequences (Unicode, 3-7).
    private func scalar(
        _ start: UnsafePointer<UInt8>
    ) throws(JSONFailure) -> UnsafePointer<UInt8> {
        let length: Int
        var second: ClosedRange<UInt8> = 0x80...0xBF
        switch start.pointee {
        case 0xC2...0xDF: length = 2
        case 0xE0: (length, second) = (3, 0xA0...0xBF)
        case 0xE1...0xEC, 0xEE, 0xEF: length = 3
        case 0xED: (length, second) = (3, 0x80...0x9F)
        case 0xF0: (length, second) = (4, 0x90...0xBF)
        case 0xF1...0xF3: length = 4
        case 0xF4: (length, second) = (4, 0x80...0x8F)
        default: throw .invalidUTF8(at: offset(start))
        }
        guard end - start >= length, second.contains(start[1]) else {
            throw .invalidUTF8(at: offset(start))
        }
        for index in 2..<max(length, 2) where start[index] & 0xC0 != 0x80 {
            throw .invalidUTF8(at: offset(start))
        }
        return start + length
    }

    /// Checks a number: no leading zeros, digits on both sides of the point and in the exponent.
    func number(_ start: UnsafePointer<UInt8>) throws(JSONFailure) -> UnsafePointer<UInt8> {
        var cursor = start
        if cursor.pointee == UInt8(ascii: "-") { cursor += 1 }
        guard cursor < end else { throw .truncated(at: offset(cursor)) }
        if cursor.pointee == UInt8(ascii: "0") {
            cursor += 1
        } else {
            cursor = try digits(cursor)
        }
        if cursor < end, cursor.pointee == UInt8(ascii: ".") {
            cursor = try digits(cursor + 1)
        }
        if cursor < end, cursor.pointee | 0x20 == UInt8(ascii: "e") {
            cursor += 1
            if cursor < end,
                cursor.pointee == UInt8(ascii: "+") || cursor.pointee == UInt8(ascii: "-")
            {
                cursor += 1
            }
            cursor = try digits(cursor)
        }
        return cursor
    }

    @inline(__always)
    private func digits(_ start: UnsafePointer<UInt8>) throws(JSONFailure) -> UnsafePointer<UInt8> {
        var cursor = start
        while cursor < end, cursor.pointee &- UInt8(ascii: "0") < 10 { cursor += 1 }
        guard cursor > start else {
            throw cursor < end ? .syntax(at: offset(cursor)) : .truncated(at: offset(cursor))
        }
        return cursor
    }
}
