import Testing
import Wire

@testable import EntitlementsClient

struct FrameBufferTests {
    @Test func `two frames come out whole at every split`() throws {
        let bodies: [[UInt8]] = [Array("{}".utf8), Array(#"{"id":1}"#.utf8)]
        let stream = bodies.flatMap { FrameDecoder.frame($0) }
        for split in 0...stream.count {
            var buffer = FrameBuffer(frameBytesMax: 64)
            var frames: [[UInt8]] = []
            for piece in [stream[..<split], stream[split...]] {
                buffer.bytes.append(contentsOf: piece)
                while let frame = try buffer.next() { frames.append(frame) }
            }
            #expect(frames == bodies, "split at \(split)")
        }
    }

    @Test(arguments: [[0, 0, 0, 0], [0, 0, 0, 65], [255, 255, 255, 255]] as [[UInt8]])
    func `a length outside the limits is refused from its four bytes`(header: [UInt8]) {
        var buffer = FrameBuffer(frameBytesMax: 64)
        buffer.bytes = header
        #expect(throws: ClientError.self) { try buffer.next() }
    }

    @Test func `the largest frame is taken`() throws {
        let body = [UInt8](repeating: 0x20, count: 64)
        var buffer = FrameBuffer(frameBytesMax: 64)
        buffer.bytes = FrameDecoder.frame(body)
        #expect(try buffer.next() == body)
        #expect(try buffer.next() == nil)
    }
}
