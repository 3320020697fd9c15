/// Why a document is not genuine: a kind for the program, a sentence for the log.
package struct ForgeryReason: Error, Hashable, Sendable, CustomStringConvertible {
    /// What kind of defect.
    package enum Kind: Hashable, Sendable {
        /// Not a signed document of the shape that Apple sends.
        case malformed
        /// The signature does not hold.
        case signature
        /// The certificates are not Apple's, not for this, or not of this time.
        case chain
    }

    /// What kind of defect.
    package let kind: Kind
    /// What exactly, for people.
    ///
    /// Holds nothing of the document itself.
    package let detail: String

    init(_ kind: Kind, _ detail: String) {
        self.kind = kind
        self.detail = detail
    }

    package var description: String { detail }
}
