/// What Google gives a device for a purchase, and what the purchase is kept by.
///
/// 1 to 255 printable ASCII characters: it is a key, and stands in paths and logs.
package struct PurchaseToken: Hashable, Sendable, CustomStringConvertible {
    /// As it was received.
    package let text: String

    /// The token `text`; nil where it is none.
    package init?(_ text: String) {
        guard PlayText.isName(text, bytesMax: PlayLimits.tokenBytesMax) else { return nil }
        self.text = text
    }

    package var description: String { text }
}

/// Words of Google's, as they are kept.
enum PlayText {
    /// Whether `text` has 1 to `bytesMax` bytes, all of them printable ASCII: what is kept must not
    /// be able to forge a line of a log.
    static func isName(_ text: String, bytesMax: Int = PlayLimits.wordBytesMax) -> Bool {
        let bytes = text.utf8
        return (1...bytesMax).contains(bytes.count)
            && bytes.allSatisfy { (0x21...0x7e).contains($0) }
    }

    /// `text`, where it is a name.
    static func name(_ text: String?) -> String? {
        text.flatMap { isName($0) ? $0 : nil }
    }
}
