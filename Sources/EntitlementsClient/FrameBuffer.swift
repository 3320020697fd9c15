import Wire

/// Bytes as they come from the socket, cut into frames.
struct FrameBuffer {
    /// What was received and not yet taken out as a frame.
    var bytes: [UInt8] = []

    private var start = 0
    private let decoder: FrameDecoder

    init(frameBytesMax: Int) { decoder = FrameDecoder(frameBytesMax: frameBytesMax) }

    /// The next whole frame's body; nil until more has come.
    mutating func next() throws(ClientError) -> [UInt8]? {
        switch bytes.withUnsafeBytes({ decoder.step($0, from: start) }) {
        case .needMore:
            bytes.removeSubrange(..<start)
            start = 0
            return nil
        case .frame(let body):
            start = body.upperBound
            return Array(bytes[body])
        case .refused(let fault):
            throw .malformedReply("a reply announces \(fault.length) bytes")
        }
    }
}
