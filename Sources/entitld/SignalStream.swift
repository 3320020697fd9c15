import Glibc
import Synchronization
import Threads

/// The signals that the daemon listens to, one at a time, as ordinary values.
///
/// A handler writes the signal's number to a pipe and a thread reads it there. Blocking the signals
/// and waiting for them would be simpler, but the runtime unblocks them all in the main thread.
enum SignalStream {
    /// A signal.
    enum Signal: Sendable {
        case terminate
        case reload
    }

    private static let writeEnd = Atomic<Int32>(-1)

    /// Takes the signals over; from here on none of them ends the process by itself.
    static func signals() throws -> AsyncStream<Signal> {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else {
            throw Stop(code: 78, sentence: "No pipe could be made: errno \(errno).")
        }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let readEnd = ends[0]
        writeEnd.store(ends[1], ordering: .sequentiallyConsistent)
        for number in [SIGTERM, SIGINT, SIGHUP] {
            var action = sigaction()
            action.__sigaction_handler.sa_handler = { number in
                // SAFETY: write is async-signal-safe; nothing else happens here.
                var byte = UInt8(truncatingIfNeeded: number)
                _ = write(SignalStream.writeEnd.load(ordering: .relaxed), &byte, 1)
            }
            action.sa_flags = SA_RESTART
            sigaction(number, &action, nil)
        }
        let (stream, continuation) = AsyncStream<Signal>.makeStream()
        // Ends with the process: there is nothing to wake it up for.
        _ = try NamedThread(named: "signals") {
            var byte: UInt8 = 0
            while true {
                guard read(readEnd, &byte, 1) == 1 else { continue }
                EarlyEnd.signalled(Int32(byte))
                continuation.yield(Int32(byte) == SIGHUP ? .reload : .terminate)
            }
        }
        return stream
    }
}
