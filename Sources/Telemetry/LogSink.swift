import Glibc
import Logging
import Synchronization

/// Where log lines go: one `write` a line to a file descriptor, at or above a level that can be
/// changed at any time.
package final class LogSink: Sendable {
    /// How a line looks.
    package enum Format: Sendable {
        /// One JSON object: ts, level, msg, then the fields.
        case json
        /// For people.
        case text
    }

    private let format: Format
    private let descriptor: Int32
    private let leastSeverity: Atomic<Int>

    /// A sink that writes to `descriptor`, standard error by default.
    package init(format: Format, level: Logger.Level, descriptor: Int32 = STDERR_FILENO) {
        self.format = format
        self.descriptor = descriptor
        leastSeverity = Atomic(LogSink.severity(of: level))
    }

    /// The least level that is written; a change holds for every logger at once.
    package var level: Logger.Level {
        get {
            let severity = leastSeverity.load(ordering: .relaxed)
            return Logger.Level.allCases.first { LogSink.severity(of: $0) == severity } ?? .info
        }
        set { leastSeverity.store(LogSink.severity(of: newValue), ordering: .relaxed) }
    }

    /// A logger that writes here.
    package func logger(_ label: String) -> Logger {
        Logger(label: label) { _ in SinkLogHandler(sink: self) }
    }

    /// Writes an event whatever the level is: for `ready`, which others wait for.
    package func announce(_ event: String, _ fields: [LogKey: String] = [:]) {
        var metadata: [(String, String)] = [(LogKey.event.rawValue, event)]
        for (key, value) in fields { metadata.append((key.rawValue, value)) }
        write(.notice, event, metadata)
    }

    func write(_ level: Logger.Level, _ message: String, _ fields: [(String, String)]) {
        let line = LogLine(
            milliseconds: LogSink.now(),
            level: level.rawValue,
            message: message,
            fields: fields.sorted { $0.0 < $1.0 }
        )
        emit(Array((format == .json ? line.json : line.text).utf8))
    }

    private func emit(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if count < 0, errno == EINTR {
                continue
            } else {
                // Nobody reads the log any more; the daemon's work is not held up by that.
                return
            }
        }
    }

    private static func now() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return time.tv_sec * 1_000 + time.tv_nsec / 1_000_000
    }

    private static func severity(of level: Logger.Level) -> Int {
        switch level {
        case .trace: 0
        case .debug: 1
        case .info: 2
        case .notice: 3
        case .warning: 4
        case .error: 5
        case .critical: 6
        }
    }
}
