/// The bytes that the checked inside of a string stands for, one after the other, without a copy.
struct DecodedBytes {
    private let text: UnsafeRawBufferPointer
    private var index = 0
    /// The rest of a decoded scalar, its next byte lowest.
    private var rest: UInt32 = 0
    private var restCount = 0

    init(_ text: UnsafeRawBufferPointer) { self.text = text }

    /// The next byte; nil behind the last one.
    mutating func next() -> UInt8? {
        if restCount > 0 {
            restCount -= 1
            defer { rest >>= 8 }
            return UInt8(truncatingIfNeeded: rest)
        }
        guard index < text.count else { return nil }
        let byte = text[index]
        guard byte == UInt8(ascii: "\\") else {
            index += 1
            return byte
        }
        let escape = JSONText.escape(in: text, at: index)
        index = escape.end
        (rest, restCount) = escape.utf8
        return next()
    }

    /// Whether both stand for the same bytes.
    static func isSame(_ one: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer) -> Bool {
        var (left, right) = (DecodedBytes(one), DecodedBytes(other))
        while let byte = left.next() {
            if right.next() != byte { return false }
        }
        return right.next() == nil
    }
}
