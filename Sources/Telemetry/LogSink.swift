import Glibc
import Logging
import Synchronization

/// Where log lines go: to a file descriptor, at or above a level that can be changed at any time.
///
/// Each line is one `write` by whoever logs it, until a thread calls `writeLines`. From then on
/// lines wait in a buffer for that thread, so that nobody waits for whoever reads the log.
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
    private let buffer = LogBuffer()
    /// Whether a thread writes what is in the buffer.
    private let hasWriter = Atomic<Bool>(false)

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

    /// Whether a line may have to wait for a reader: in a pipe, a socket and a terminal it may.
    package var mayWait: Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
    }

    /// Whether lines wait in the buffer for a thread that writes them.
    package var isBuffered: Bool { hasWriter.load(ordering: .acquiring) }

    /// Lines that found no room in the buffer, or nobody who reads the log.
    package var droppedLines: Int { buffer.droppedLines }

    /// Writes what is logged from now on, until `close`; meant for a thread of its own.
    package func writeLines() {
        hasWriter.store(true, ordering: .releasing)
        while let batch = buffer.take() {
            if !emit(batch.bytes) { buffer.noteLost(batch.lines) }
            guard batch.dropped > 0 else { continue }
            emit(
                bytes(
                    .warning,
                    "Log lines were dropped: nobody took them in time",
                    [(LogKey.count.rawValue, "\(batch.dropped)")]
                )
            )
        }
    }

    /// Waits until what was logged is written, as long as the end of a process may wait for that;
    /// answers whether it is.
    @discardableResult
    package func flush() -> Bool {
        buffer.waitUntilWritten(within: TelemetryLimits.logFlushMilliseconds)
    }

    /// Ends `writeLines` once nothing waits; what is logged after it is written at once.
    package func close() {
        hasWriter.store(false, ordering: .releasing)
        buffer.close()
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
        let line = bytes(level, message, fields)
        if isBuffered { buffer.add(line) } else { emit(line) }
    }

    private func bytes(
        _ level: Logger.Level,
        _ message: String,
        _ fields: [(String, String)]
    ) -> [UInt8] {
        let line = LogLine(
            milliseconds: LogSink.now(),
            level: level.rawValue,
            message: message,
            fields: fields.sorted { $0.0 < $1.0 }
        )
        return Array((format == .json ? line.json : line.text).utf8)
    }

    /// Writes all of `bytes`; false where that cannot be done.
    @discardableResult
    private func emit(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                // Somebody else has made the descriptor one that does not wait.
                var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&ready, 1, -1)
            } else if errno != EINTR {
                // Nobody reads the log any more.
                return false
            }
        }
        return true
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
