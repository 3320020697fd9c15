/// Why a document goes no further; the raw value is `data.reason` in proto/errors.json.
package enum DocumentFault: String, Error, Hashable, Sendable, CaseIterable {
    /// Not a signed document at all.
    case malformed
    /// The signature does not hold.
    case signature
    /// The certificates do not lead to a trusted root.
    case chain
    /// Another app's.
    case bundle
    /// An environment that does not exist here.
    case environment
    /// Another app's, by its Apple id.
    case app
    /// JSON without a signature, as it is or in base64.
    case unsigned
    /// Genuine, but not of the kind that belongs here, or at odds with the others.
    case wrongDocument = "wrong_document"
    /// Signed more than five minutes in the future.
    case futureDate = "future_date"
    /// Made by Xcode, which signs with a key that everybody has.
    case xcode
}

extension DocumentFault {
    /// What a text that is no signed document is: JSON that nobody has signed, as it is or in
    /// base64, or nothing that is known.
    ///
    /// StoreKit's `jsonRepresentation` is such JSON; apps send it in base64, as data goes through
    /// JSON.
    package init(ofMalformed text: [UInt8]) {
        let text = text.drop { Self.isSpace($0) }
        // A brace, and behind it a quote, a space, a tab or a line break; the same in base64.
        let isJSON = text.first == UInt8(ascii: "{")
        let isEncoded =
            text.starts(with: Array("ey".utf8)) || text.starts(with: Array("ew".utf8))
        self =
            isJSON || isEncoded && text.allSatisfy { Self.isSpace($0) || Self.isBase64($0) }
            ? .unsigned : .malformed
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0a || byte == 0x0d
    }

    /// Of either alphabet of base64 (RFC 4648), or padding.
    private static func isBase64(_ byte: UInt8) -> Bool {
        byte.isLetterOrDigit || "+/-_=".utf8.contains(byte)
    }
}
