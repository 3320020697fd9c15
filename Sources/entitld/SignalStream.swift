import Glibc
import Threads

/// The signals that the daemon listens to, one at a time, as ordinary values.
enum SignalStream {
    /// A signal.
    enum Signal: Sendable {
        case terminate
        case reload
    }

    private static let numbers = [SIGTERM, SIGINT, SIGHUP]

    /// Keeps the signals from being delivered anywhere but to `signals`.
    static func block() {
        var set = set
        pthread_sigmask(SIG_BLOCK, &set, nil)
        signal(SIGPIPE, SIG_IGN)
    }

    /// The signals as they come.
    static func signals() throws -> AsyncStream<Signal> {
        let (stream, continuation) = AsyncStream<Signal>.makeStream()
        // Ends with the process: there is nothing to wake it up for.
        _ = try NamedThread(named: "signals") {
            var set = set
            var number: Int32 = 0
            while sigwait(&set, &number) == 0 {
                continuation.yield(number == SIGHUP ? .reload : .terminate)
            }
        }
        return stream
    }

    private static var set: sigset_t {
        var set = sigset_t()
        sigemptyset(&set)
        for number in numbers { sigaddset(&set, number) }
        return set
    }
}
