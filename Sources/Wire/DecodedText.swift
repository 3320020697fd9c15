import JSON

/// Keeps decoded copies of the few strings that contain escapes, until the next frame.
@usableFromInline
final class DecodedText {
    // One thread's, and no access encloses another: nothing that a look at every frame could find.
    @exclusivity(unchecked) private var copies: [UnsafeMutableRawBufferPointer] = []

    init() {}

    deinit { removeAll() }

    /// What `text`, the inside of a string, stands for.
    @usableFromInline
    func copy(of text: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        let decoded = JSONText.decoded(text)
        // SAFETY: freed by `removeAll`, when no view of the frame is in use any more.
        let copy = UnsafeMutableRawBufferPointer.allocate(
            byteCount: max(decoded.count, 1),
            alignment: 1
        )
        copy.copyBytes(from: decoded)
        copies.append(copy)
        return UnsafeRawBufferPointer(rebasing: copy[..<decoded.count])
    }

    func removeAll() {
        guard !copies.isEmpty else { return }
        for copy in copies { copy.deallocate() }
        copies.removeAll()
    }
}
