import Logging

/// Brings swift-log's events to a sink.
struct SinkLogHandler: LogHandler {
    var metadata: Logger.Metadata = [:]
    var metadataProvider: Logger.MetadataProvider?

    private let sink: LogSink
    private var ownLevel: Logger.Level?

    init(sink: LogSink) {
        self.sink = sink
    }

    /// The sink's level, unless this logger was given its own.
    var logLevel: Logger.Level {
        get { ownLevel ?? sink.level }
        set { ownLevel = newValue }
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        var all = metadata
        if let provided = metadataProvider?.get() { all.merge(provided) { $1 } }
        if let own = event.metadata { all.merge(own) { $1 } }
        if let error = event.error { all[LogKey.error.rawValue] = "\(error)" }
        sink.write(event.level, event.message.description, all.map { ($0.key, "\($0.value)") })
    }
}

extension Logger {
    /// Logs with typed keys.
    package func log(
        level: Logger.Level,
        _ message: @autoclosure () -> Logger.Message,
        fields: @autoclosure () -> [LogKey: String]
    ) {
        log(level: level, message(), metadata: plain(fields()))
    }

    /// Logs at debug with typed keys.
    package func debug(
        _ message: @autoclosure () -> Logger.Message,
        fields: @autoclosure () -> [LogKey: String]
    ) {
        debug(message(), metadata: plain(fields()))
    }

    /// Logs at info with typed keys.
    package func info(
        _ message: @autoclosure () -> Logger.Message,
        fields: @autoclosure () -> [LogKey: String]
    ) {
        info(message(), metadata: plain(fields()))
    }

    /// Logs at warning with typed keys.
    package func warning(
        _ message: @autoclosure () -> Logger.Message,
        fields: @autoclosure () -> [LogKey: String]
    ) {
        warning(message(), metadata: plain(fields()))
    }

    /// Logs at error with typed keys.
    package func error(
        _ message: @autoclosure () -> Logger.Message,
        fields: @autoclosure () -> [LogKey: String]
    ) {
        error(message(), metadata: plain(fields()))
    }
}

private func plain(_ fields: [LogKey: String]) -> Logger.Metadata {
    var metadata: Logger.Metadata = [:]
    for (key, value) in fields { metadata[key.rawValue] = .string(value) }
    return metadata
}
