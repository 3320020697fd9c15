/// A frame length that is not allowed.
@usableFromInline
package struct FrameFault: Equatable, Sendable {
    /// The length as read.
    package let length: Int
    /// The longest that is allowed.
    package let frameBytesMax: Int

    /// The fault of `length`.
    @usableFromInline
    package init(length: Int, frameBytesMax: Int) {
        self.length = length
        self.frameBytesMax = frameBytesMax
    }

    /// One sentence that names the likely mistake.
    ///
    /// The first byte of an allowed length is 0 or 1, so text in its place gives itself away.
    package var message: String {
        let allowed = "1 to \(frameBytesMax)"
        if length == 0 { return "A frame of 0 bytes; allowed are \(allowed)." }
        switch UInt8(truncatingIfNeeded: length >> 24) {
        case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "C"), UInt8(ascii: "G"),
            UInt8(ascii: "P"):
            return "Text where the length should be: missing length prefix? A frame starts with 4"
                + " bytes, its length as a big-endian number."
        default: break
        }
        let swapped = Int(UInt32(truncatingIfNeeded: length).byteSwapped)
        if swapped >= 1, swapped <= frameBytesMax {
            return "A frame of \(length) bytes; allowed are \(allowed)."
                + " Is the length little-endian? It must be big-endian."
        }
        return "A frame of \(length) bytes; allowed are \(allowed)."
    }

    /// The error to send before the connection closes.
    package var failure: RPCFailure { RPCFailure(.invalidRequest, message) }
}
