/// What a load may cost at most.
package enum LoadLimits {
    /// Connections of one run.
    package static let connectionsMax = 20_000
    /// Requests of one connection that wait for their answers.
    package static let inFlightMax = 65_536
    /// Accounts that a load is spread over.
    package static let accountsMax = 100_000_000
    /// Requests of one batch: the daemon takes no more.
    package static let batchMax = 100
    /// The longest path that a Unix socket can have.
    static let socketPathBytesMax = 107
    /// What one read asks for.
    static let readBytes = 64 << 10
    /// The longest reply that is taken.
    static let replyBytesMax = 1 << 20
    /// Requests of one connection are sent when so much has been written.
    static let writeBytesMax = 64 << 10
    /// How long replies may still come after the end.
    static let drainMilliseconds: Int64 = 2_000
    /// How long nothing at all may come from the server.
    static let silenceMilliseconds: Int64 = 30_000
    /// How many draws of a zipf distribution are made before a run; they are then used in turn.
    static let zipfDraws = 1 << 20
    /// Bytes of an error that are shown.
    static let errorBytesShown = 400
    /// Grants with an end that are sent before their answers are awaited.
    static let expiryGrantsTogether = 256
    /// Seeding: connections, requests in flight for each, and how long it may take.
    static let seedingConnections = 16
    static let seedingInFlight = 64
    static let seedingSecondsMax = 7_200.0
    /// Requests that one connection is sent at once, when many are due.
    static let pieceMax = 64
}
