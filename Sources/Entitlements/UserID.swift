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
        guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
        guard !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else { return nil }
        self.bytes = bytes
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
