/// Bytes as they come from the socket, cut into frames.
struct FrameBuffer {
    /// What was received and not yet taken out as a frame.
    var bytes: [UInt8] = []

    private var start = 0
    private let frameBytesMax: Int

    init(frameBytesMax: Int) { self.frameBytesMax = frameBytesMax }

    /// The next whole frame's body; nil until more has come.
    mutating func next() throws(ClientError) -> [UInt8]? {
        let body = start + ClientLimits.headerBytes
        guard bytes.count >= body else { return nil }
        let length = bytes[start..<body].reduce(0) { $0 << 8 | Int($1) }
        guard (1...frameBytesMax).contains(length) else {
            throw .malformedReply("a reply announces \(length) bytes")
        }
        guard bytes.count >= body + length else {
            compact()
            return nil
        }
        start = body + length
        return Array(bytes[body..<start])
    }

    /// `body` with its length in front.
    static func frame(_ body: [UInt8]) -> [UInt8] {
        var frame: [UInt8] = []
        frame.reserveCapacity(ClientLimits.headerBytes + body.count)
        for shift in [24, 16, 8, 0] { frame.append(UInt8(truncatingIfNeeded: body.count >> shift)) }
        frame.append(contentsOf: body)
        return frame
    }

    private mutating func compact() {
        bytes.removeSubrange(..<start)
        start = 0
    }
}
