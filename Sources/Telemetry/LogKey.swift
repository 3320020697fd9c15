/// The keys of log fields.
///
/// A key that is not here cannot be logged, and none is for a user's id, a token, a signed document
/// or a secret.
package enum LogKey: String, Sendable, CaseIterable {
    /// What happened, in one word for machines.
    case event
    case address
    case batchSize
    case bytes
    case catalogVersion
    case code
    case connection
    case count
    case days
    case digest
    case durationMs
    case environment
    case error
    case gid
    case host
    case key
    case level
    case listener
    case method
    case notificationId
    case path
    case pid
    case port
    case product
    case reason
    case requestId
    case result
    case role
    case rules
    case seq
    case signal
    case source
    case status
    case subtype
    /// How many lines of the same kind were not logged since the last one that was.
    case suppressed
    case table
    /// The last four characters of a transaction id.
    case transactionLast4
    case type
    case uid
    case version
}
