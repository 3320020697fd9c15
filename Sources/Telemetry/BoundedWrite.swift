import Glibc

/// Writes to a descriptor that somebody may have stopped reading.
package enum BoundedWrite {
    /// Writes `bytes`, or as much of them as the other side takes within `milliseconds`; answers
    /// whether it was all.
    @discardableResult
    package static func write(
        _ bytes: [UInt8],
        to descriptor: Int32,
        within milliseconds: Int
    ) -> Bool {
        let deadline = ContinuousClock.now + .milliseconds(milliseconds)
        var rest = bytes[...]
        while !rest.isEmpty {
            let left = (deadline - ContinuousClock.now) / .milliseconds(1)
            var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            let found = poll(&ready, 1, Int32(max(0, left)))
            if found < 0, errno == EINTR { continue }
            guard found > 0 else { return false }
            // A pipe that is ready takes so much without waiting.
            let count = rest.prefix(Int(PIPE_BUF))
                .withUnsafeBytes {
                    Glibc.write(descriptor, $0.baseAddress, $0.count)
                }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR, errno != EAGAIN {
                return false
            }
        }
        return true
    }

    /// Says something on standard error, if somebody takes it.
    package static func complain(_ sentence: String) {
        write(
            Array((sentence + "\n").utf8),
            to: STDERR_FILENO,
            within: TelemetryLimits.logFlushMilliseconds
        )
    }
}
