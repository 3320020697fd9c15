/// The keys of log fields.
///
/// A key that is not here cannot be logged, and none is for a user's id, a token, a signed document
/// or a secret.
package enum LogKey: String, Sendable, CaseIterable {
    /// What happened, in one word for machines.
    case event
    case address
    /// The port of the HTTPS door for callers.
    case apiPort
    case bytes
    case catalogVersion
    /// The id of a change that an outbox tells.
    case change
    case count
    case days
    case durationMs
    case environment
    case error
    case key
    case outbox
    case path
    case pid
    case port
    case product
    case reason
    case result
    case rules
    case seq
    case source
    case status
    /// How many lines of the same kind were not logged since the last one that was.
    case suppressed
    /// The last four characters of a transaction id.
    case transactionLast4
    case type
    case version
}
