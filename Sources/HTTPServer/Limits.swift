/// What one HTTP listener allows its clients.
///
/// Tests use smaller figures.
package struct HTTPLimits: Sendable {
    /// From the connection to the end of the TLS handshake.
    package var handshakeMillisecondsMax = 5_000
    /// From the handshake, or the answer before, to the last byte of the headers.
    package var headMillisecondsMax = 5_000
    /// From an answer to the first byte of the next request, where that may be longer than
    /// `headMillisecondsMax`; nil: it may not.
    package var keepAliveMillisecondsMax: Int?
    /// From the same moment as the headers to the last byte of the body; absolute, so that a drip
    /// is cut off.
    package var requestMillisecondsMax = 15_000
    /// From the last byte of the body to the answer; after that the answer is 503.
    package var answerMillisecondsMax = 15_000
    /// How long the kernel may take to accept an answer.
    package var writeMillisecondsMax = 10_000
    /// How long the rest of a refused request is read before the connection closes.
    package var restMillisecondsMax = 2_000
    /// How much of it is read.
    package var restBytesMax = 8 << 20
    /// A request as it comes over the wire; a listener for longer bodies takes longer ones.
    package var requestBytesMax = 1 << 20
    /// One header field: name, or value.
    package var headerFieldBytesMax = 8 << 10
    /// The target and all header fields together.
    package var headerBytesMax = 16 << 10
    /// How many header fields.
    package var headerFieldsMax = 64
    /// All connections of the listener.
    package var connectionsMax = 512
    /// Those from one address, or of IPv6 from one /64.
    package var connectionsPerSourceMax = 32
    /// Requests of one connection that wait for their answer.
    package var pipelinedMax = 8

    /// What the kernel keeps for each connection: the receive buffer doubled, and as much again
    /// for what is sent.
    package static let kernelBytesEach = 4 * HTTPServerLimits.receiveBufferBytes

    /// The figures above.
    package init() {}
}

/// Figures that no test needs to change.
package enum HTTPServerLimits {
    /// How long a TLS connection that we close is kept open for the other side's close_notify.
    static let shutdownMilliseconds: Int64 = 500
    /// Connections beyond the limit: they have lost their place and are being closed.
    static let evictionsMax = 16
    /// What the kernel keeps for a connection that is not read: it doubles this for its own
    /// bookkeeping.
    static let receiveBufferBytes = 128 << 10
    /// Connections that the kernel keeps while the listener is busy.
    static let backlogMax: Int32 = 1_024
    /// How often a drain looks whether all are gone.
    static let drainStepMilliseconds = 10
    /// How many bytes may arrive for each byte of a body: chunks of one byte take six.
    package static let chunkedBytesEach = 8
    /// What Retry-After says where the answer names nothing else.
    package static let retryAfterSeconds = 60
    /// What it says where memory is short: soon others are answered.
    static let busyRetryAfterSeconds = 1
}
