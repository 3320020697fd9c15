/// The token that Google gives a device for a purchase, used here as the purchase's key.
///
/// It has 1 to 255 printable ASCII characters, because it is used as a key and in paths and logs.
package struct PurchaseToken: Hashable, Sendable, CustomStringConvertible {
    /// As it was received.
    package let text: String

    /// The token `text`; nil if it has another form.
    package init?(_ text: String) {
        guard PlayText.isName(text, bytesMax: PlayLimits.tokenBytesMax) else { return nil }
        self.text = text
    }

    package var description: String { text }
}

/// Checks of Google's words before they are stored.
enum PlayText {
    /// Whether `text` has 1 to `bytesMax` bytes, all of them printable ASCII: a stored word must
    /// not be able to forge a log line.
    static func isName(_ text: String, bytesMax: Int = PlayLimits.wordBytesMax) -> Bool {
        let bytes = text.utf8
        return (1...bytesMax).contains(bytes.count)
            && bytes.allSatisfy { (0x21...0x7e).contains($0) }
    }

    /// The account id that an app gave: any text, of which only the digest is kept; nil for none.
    static func accountID(_ text: String?) -> String? { text.flatMap { $0.isEmpty ? nil : $0 } }

    /// `text` if it is a name, otherwise nil.
    static func name(_ text: String?) -> String? {
        text.flatMap { isName($0) ? $0 : nil }
    }
}
