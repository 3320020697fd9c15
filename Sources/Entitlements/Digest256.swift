/// A SHA-256, as four big-endian words, so that it can be compared and stored without a heap.
package struct Digest256: Hashable, Comparable, Sendable {
    /// The words, most significant first.
    package let words: (UInt64, UInt64, UInt64, UInt64)

    /// The digest made of these words.
    package init(_ first: UInt64, _ second: UInt64, _ third: UInt64, _ fourth: UInt64) {
        words = (first, second, third, fourth)
    }

    /// The digest with these 32 bytes.
    package init(bytes: [UInt8]) {
        precondition(bytes.count == 32, "a SHA-256 has 32 bytes")
        words = bytes.withUnsafeBytes { bytes in
            func word(_ start: Int) -> UInt64 {
                UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: start, as: UInt64.self))
            }
            return (word(0), word(8), word(16), word(24))
        }
    }

    package static func == (left: Digest256, right: Digest256) -> Bool { left.words == right.words }
    package static func < (left: Digest256, right: Digest256) -> Bool { left.words < right.words }
    package func hash(into hasher: inout Hasher) { hasher.combine(words.0 ^ words.3) }
}
