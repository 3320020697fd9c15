/// An app's own name for a person: 1 to 256 bytes of UTF-8 without control characters.
///
/// Compared byte by byte; never normalised.
package struct UserID: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The UTF-8 bytes.
    package let bytes: [UInt8]
    /// Of the bytes, with the process's own seed: a command looks for its user many times.
    private let digest: Int

    private init(known bytes: [UInt8]) {
        var hasher = Hasher()
        bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
        self.bytes = bytes
        digest = hasher.finalize()
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(digest) }

    // The digest is a keyed hash already; to hash it once more at each look-up is a tenth of a
    // charge.
    package func _rawHashValue(seed: Int) -> Int { digest ^ seed }

    package static func == (left: UserID, right: UserID) -> Bool {
        left.digest == right.digest && left.bytes == right.bytes
    }

    /// The id with these bytes, or nil when they are none: wrong length, not UTF-8, a control
    /// character.
    package init?(_ bytes: [UInt8]) {
        guard !bytes.isEmpty, bytes.count <= Limits.userIDBytesMax else { return nil }
        guard (try? UTF8Span(validating: bytes.span)) != nil, !Self.holdsControl(bytes)
        else { return nil }
        self.init(known: bytes)
    }

    /// What stands for an erased person: control characters of ASCII alone, so that it is nobody's
    /// id.
    package init?(pseudonym bytes: [UInt8]) {
        guard !bytes.isEmpty, bytes.count <= Limits.userIDBytesMax,
            bytes.allSatisfy({ (1..<0x20).contains($0) || $0 == 0x7f })
        else { return nil }
        self.init(known: bytes)
    }

    /// Whether valid UTF-8 holds a control character: U+0000 to U+001F, U+007F to U+009F.
    private static func holdsControl(_ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBytes { holdsControl($0) }
    }

    /// The same of bytes that somebody lends.
    package static func holdsControl(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var index = 0
        while index < bytes.count {
            if index + 8 <= bytes.count,
                isPlain(bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
            {
                index += 8
                continue
            }
            let byte = bytes[index]
            if byte < 0x20 || byte == 0x7f { return true }
            if byte == 0xc2, index + 1 < bytes.count, bytes[index + 1] < 0xa0 { return true }
            index += 1
        }
        return false
    }

    /// Whether none of eight bytes is below 0x20, 0x7f or above: a set top bit would say so.
    @inline(__always)
    private static func isPlain(_ word: UInt64) -> Bool {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let control = (word &- ones &* 0x20) & ~word
        let delete = word ^ (ones &* 0x7f)
        return (control | ((delete &- ones) & ~delete) | word) & (ones &* 0x80) == 0
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
