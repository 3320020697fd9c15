/// The limits of this room.
package enum TelemetryLimits {
    /// A longer text from outside is cut in logs.
    package static let logTextCharactersMax = 256
    /// How many fields one line shows.
    package static let logFieldsMax = 64
    /// Lines that wait to be written.
    package static let logLinesMax = 2_048
    /// Their bytes; as much again is being written.
    package static let logBytesMax = 1 << 20
    /// How long the end of the process waits for the log to be written.
    package static let logFlushMilliseconds = 1_000
    /// Lines of one kind a minute about those who are not known to be a store.
    package static let logSampledLinesMax = 20
}
