/// An id as it may stand in a path: letters, digits, `-`, `_`, `.` and `~`, at most 128 of them,
/// and not only dots.
///
/// What somebody passes as a transaction id cannot lead to another path.
package struct StoreName: Hashable, Sendable {
    /// The id.
    package let text: String

    /// The id `text`, or nil where it is none.
    package init?(_ text: String) {
        let bytes = text.utf8
        guard (1...Limits.storeNameBytesMax).contains(bytes.count),
            bytes.allSatisfy(Self.isPlain), !bytes.allSatisfy({ $0 == UInt8(ascii: ".") })
        else { return nil }
        self.text = text
    }

    /// Of the unreserved characters (RFC 3986, section 2.3).
    static func isPlain(_ byte: UInt8) -> Bool {
        byte.isLetterOrDigit || "-_.~".utf8.contains(byte)
    }
}

extension UInt8 {
    /// Whether it is a letter or a digit of ASCII.
    package var isLetterOrDigit: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }
}
