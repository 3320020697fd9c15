/// Finds frames in a stream of bytes: a 4-byte big-endian length, then so many bytes.
///
/// Pure and without state: it looks at what has arrived and says what is next. A length is judged
/// as soon as its four bytes are there, before any memory is taken for the frame.
@usableFromInline
package struct FrameDecoder: Sendable {
    /// What stands at a place in the stream.
    @usableFromInline
    package enum Step: Equatable, Sendable {
        /// Nothing whole yet: the frame ends so many bytes behind `start`, header included, or its
        /// header does while even that is incomplete.
        case needMore(bytes: Int)
        /// The frame's body; the next frame starts at its upper bound.
        case frame(Range<Int>)
        /// A length that is not allowed. The connection ends here.
        case refused(FrameFault)
    }

    /// The longest body.
    @usableFromInline package let frameBytesMax: Int

    /// A decoder of frames up to `frameBytesMax`.
    package init(frameBytesMax: Int = WireLimits.frameBytesMax) {
        precondition(frameBytesMax > 0, "a frame has at least one byte")
        self.frameBytesMax = frameBytesMax
    }

    /// What stands at `start` in `bytes`.
    @inlinable
    package func step(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Step {
        guard bytes.count - start >= 4 else { return .needMore(bytes: 4) }
        let length = Int(
            UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: start, as: UInt32.self))
        )
        guard length >= 1, length <= frameBytesMax else {
            return .refused(FrameFault(length: length, frameBytesMax: frameBytesMax))
        }
        let end = start + 4 + length
        return end <= bytes.count ? .frame(start + 4..<end) : .needMore(bytes: 4 + length)
    }

    /// The same the other way: `body` with its length in front.
    package static func frame(_ body: some Collection<UInt8>) -> [UInt8] {
        var frame: [UInt8] = []
        frame.reserveCapacity(WireLimits.headerBytes + body.count)
        withUnsafeBytes(of: UInt32(body.count).bigEndian) { frame.append(contentsOf: $0) }
        frame.append(contentsOf: body)
        return frame
    }
}
