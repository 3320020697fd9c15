import Glibc
import Wire

/// A connection that is written and read by one thread, frame by frame, and waits for what comes.
final class FrameSocket {
    private let descriptor: Int32
    private var bytes: [UInt8] = []
    private var room = [UInt8](repeating: 0, count: LoadLimits.readBytes)
    /// Where the next frame begins in `bytes`.
    private var start = 0

    init(_ endpoint: Endpoint) throws(LoadFailure) { descriptor = try endpoint.connect() }

    deinit { close(descriptor) }

    /// Sends each of `texts` as a frame.
    func send(_ texts: [String]) throws(LoadFailure) {
        var out: [UInt8] = []
        for text in texts {
            out += FrameDecoder.frame(text.utf8)
        }
        var sent = 0
        while sent < out.count {
            // SAFETY: the buffer is only read during the call, from a place within it.
            let taken = out.withUnsafeBytes {
                Glibc.send(
                    descriptor,
                    $0.baseAddress?.advanced(by: sent),
                    $0.count - sent,
                    Int32(MSG_NOSIGNAL)
                )
            }
            guard taken > 0 else { throw LoadFailure("the server left: errno \(errno)") }
            sent += taken
        }
    }

    /// The next frame; nil where none is whole before so long has passed.
    func frame(within milliseconds: Int64) throws(LoadFailure) -> ArraySlice<UInt8>? {
        let deadline = clockNanoseconds(CLOCK_MONOTONIC) + milliseconds * 1_000_000
        while true {
            if let found = wholeFrame() { return found }
            let left = deadline - clockNanoseconds(CLOCK_MONOTONIC)
            guard left > 0 else { return nil }
            var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&waiting, 1, Int32(min(left / 1_000_000 + 1, 1_000))) == 1 else { continue }
            try read()
        }
    }

    /// Takes what has come into `room` and forgets it; answers how many bytes it was, nil at the
    /// end.
    func skip(_ room: inout [UInt8]) -> Int? {
        let count = recv(descriptor, &room, room.count, Int32(MSG_DONTWAIT))
        if count > 0 { return count }
        return count < 0 && errno == EAGAIN ? 0 : nil
    }

    private func wholeFrame() -> ArraySlice<UInt8>? {
        let step = bytes.withUnsafeBytes { DaemonReply.decoder.step($0, from: start) }
        guard case .frame(let body) = step else { return nil }
        start = body.upperBound
        return bytes[body]
    }

    private func read() throws(LoadFailure) {
        bytes.removeFirst(start)
        start = 0
        let count = recv(descriptor, &room, room.count, 0)
        guard count > 0 else { throw LoadFailure("the server left") }
        bytes += room[..<count]
    }
}
