/// A SHA-256, folded to half its length.
///
/// It tells apart what one caller names: the idempotency keys of one user, and the arguments that
/// were sent under one key. To make two that are alike takes 2⁶⁴ attempts, and whoever makes them
/// deceives themselves alone. Each first answer keeps two of them.
package struct Digest128: Hashable, Comparable, Sendable {
    /// The words, most significant first.
    package let words: (UInt64, UInt64)

    /// The digest made of these words.
    package init(_ first: UInt64, _ second: UInt64) { words = (first, second) }

    /// Both halves of `digest`, one over the other.
    package init(_ digest: Digest256) {
        let (first, second, third, fourth) = digest.words
        words = (first ^ third, second ^ fourth)
    }

    package static func == (left: Digest128, right: Digest128) -> Bool { left.words == right.words }
    package static func < (left: Digest128, right: Digest128) -> Bool { left.words < right.words }
    package func hash(into hasher: inout Hasher) { hasher.combine(words.0 ^ words.1) }
}
