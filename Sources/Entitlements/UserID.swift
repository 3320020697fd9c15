/// An app's own name for a person: 1 to 256 bytes of UTF-8 without control characters.
///
/// Compared byte by byte; never normalised.
package struct UserID: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The UTF-8 bytes.
    package let bytes: [UInt8]

    /// The id with these bytes, or nil when they are none: wrong length, not UTF-8, a control
    /// character.
    package init?(_ bytes: [UInt8]) {
        guard !bytes.isEmpty, bytes.count <= Limits.userIDBytesMax else { return nil }
        guard (try? UTF8Span(validating: bytes.span)) != nil, !Self.holdsControl(bytes)
        else { return nil }
        self.bytes = bytes
    }

    /// Whether valid UTF-8 holds a control character: U+0000 to U+001F, U+007F to U+009F.
    private static func holdsControl(_ bytes: [UInt8]) -> Bool {
        var previous: UInt8 = 0
        for byte in bytes {
            if byte < 0x20 || byte == 0x7f { return true }
            if previous == 0xc2, byte < 0xa0 { return true }
            previous = byte
        }
        return false
    }

    /// The id with this text, or nil when it is none.
    package init?(_ text: String) {
        self.init(Array(text.utf8))
    }

    package var description: String { String(decoding: bytes, as: UTF8.self) }

    package static func < (left: UserID, right: UserID) -> Bool {
        left.bytes.lexicographicallyPrecedes(right.bytes)
    }
}
