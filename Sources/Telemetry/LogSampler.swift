import Logging
import Synchronization

/// Lets a few lines of each kind through each minute: strangers could fill the log otherwise.
///
/// Kinds are words of the program: nothing that a stranger sends becomes one.
package final class LogSampler: Sendable {
    private struct Window {
        var began: ContinuousClock.Instant
        var count = 0
        var suppressed = 0
    }

    private let windows = Mutex<[String: Window]>([:])

    /// A sampler that has seen nothing.
    package init() {}

    /// Answers nil where a line of `kind` is not to be logged now, else how many were not since the
    /// last one that was.
    package func admit(_ kind: String, at now: ContinuousClock.Instant = .now) -> Int? {
        windows.withLock { windows in
            var window = windows[kind] ?? Window(began: now)
            defer { windows[kind] = window }
            if now - window.began >= .seconds(60) {
                window.began = now
                window.count = 0
            }
            guard window.count < TelemetryLimits.logSampledLinesMax else {
                window.suppressed += 1
                return nil
            }
            window.count += 1
            defer { window.suppressed = 0 }
            return window.suppressed
        }
    }

    /// Logs what became of an unknown sender; a few lines of each kind, not one for each sender.
    package func debug(
        _ message: Logger.Message,
        _ key: LogKey,
        _ kind: String,
        to logger: Logger
    ) {
        guard logger.logLevel <= .debug, let suppressed = admit(kind) else { return }
        var fields = [key: kind]
        if suppressed > 0 { fields[.suppressed] = "\(suppressed)" }
        logger.debug(message, fields: fields)
    }
}
