import Entitlements

/// An id that Stripe gave to an object: letters, digits, `_` and `-`.
///
/// It can be part of a request's path without changing where the path leads.
package struct StripeID: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// As Stripe writes it.
    package let text: String

    /// The id `text`; nil if it has another form.
    package init?(_ text: String) {
        guard (1...StripeLimits.idBytesMax).contains(text.utf8.count),
            text.utf8.allSatisfy(Self.isLetter)
        else { return nil }
        self.text = text
    }

    package var description: String { text }

    package static func < (left: StripeID, right: StripeID) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        byte.isLetterOrDigit || "_-".utf8.contains(byte)
    }
}
