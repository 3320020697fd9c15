import Testing
import Wire

@Suite struct FrameDecoderTests {
    private func step(
        _ bytes: [UInt8],
        from start: Int = 0,
        max: Int = 1 << 20
    ) -> FrameDecoder.Step {
        bytes.withUnsafeBytes { FrameDecoder(frameBytesMax: max).step($0, from: start) }
    }

    @Test func `a frame is found as soon as it is whole, and not before`() {
        let bytes: [UInt8] = [0, 0, 0, 3, 1, 2, 3, 0, 0, 0, 1, 9]
        for count in 0..<4 { #expect(step(Array(bytes[..<count])) == .needMore(bytes: 4)) }
        for count in 4..<7 { #expect(step(Array(bytes[..<count])) == .needMore(bytes: 7)) }
        for count in 7...12 { #expect(step(Array(bytes[..<count])) == .frame(4..<7)) }
        #expect(step(bytes, from: 7) == .frame(11..<12))
        #expect(step(bytes, from: 12) == .needMore(bytes: 4))
    }

    @Test(arguments: [1, 255, 256, 65_536])
    func `what was framed is found again`(count: Int) {
        let body = [UInt8](repeating: 7, count: count)
        let frame = FrameDecoder.frame(body)
        #expect(step(frame) == .frame(4..<4 + count) && Array(frame[4...]) == body)
    }

    @Test func `a length is judged by its four bytes alone`() {
        #expect(step([0, 0, 1, 0], max: 256) == .needMore(bytes: 260))
        #expect(
            step([0, 0, 1, 1], max: 256) == .refused(FrameFault(length: 257, frameBytesMax: 256))
        )
        #expect(step([0, 0, 0, 0]) == .refused(FrameFault(length: 0, frameBytesMax: 1 << 20)))
        #expect(
            step([255, 255, 255, 255])
                == .refused(FrameFault(length: 0xFFFF_FFFF, frameBytesMax: 1 << 20))
        )
        #expect(step([1, 0, 0, 0], max: 16 << 20) == .needMore(bytes: 4 + (16 << 20)))
    }

    @Test(arguments: ["{\"js", "[{\"j", "Cont", "GET ", "POST", "PUT "])
    func `text in the place of a length is recognised`(text: String) {
        guard case .refused(let fault) = step(Array(text.utf8), max: 16 << 20) else {
            Issue.record("\(text) was taken for a length")
            return
        }
        #expect(fault.message.contains("missing length prefix?"))
        #expect(fault.failure.code == .invalidRequest)
    }

    @Test func `a little-endian length is recognised`() {
        guard case .refused(let fault) = step([40, 0, 0, 0]) else {
            Issue.record("a little-endian 40 was taken for a length")
            return
        }
        #expect(fault.message.contains("little-endian"))
        #expect(
            FrameFault(length: 0, frameBytesMax: 9).message
                == "A frame of 0 bytes; allowed are 1 to 9."
        )
    }
}
