/// The limits of this room.
package enum TelemetryLimits {
    /// A longer text from outside is cut in logs.
    package static let logTextCharactersMax = 256
    /// How many fields one line shows.
    package static let logFieldsMax = 64
}
