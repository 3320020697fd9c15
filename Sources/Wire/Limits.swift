/// What a frame and the requests in it may cost at most.
package enum WireLimits {
    /// With more unsent bytes nothing more is pushed to a connection.
    package static let unsentPushBytesMax = 256 << 10
    /// The bytes of the length in front of each frame.
    package static let headerBytes = 4
    /// The longest frame, unless configured.
    package static let frameBytesMax = 1 << 20
    /// How many requests one batch may hold.
    package static let batchRequestsMax = 100
    /// How many bytes of an `id` are echoed.
    package static let idBytesMax = 128
    /// How many requests of one connection may wait for their answer.
    package static let unansweredPerConnectionMax = 1_024
    /// How many requests of one RPC thread may wait for their answer.
    package static let unansweredPerThreadMax = 65_536
    /// What `retryAfterMs` says when too many requests wait.
    package static let overloadRetryMs: Int64 = 100
    /// What is kept free in a batch's reply for each part still to come: an error and its id.
    static let batchPartReserveBytes = 512
    /// What a reply buffer holds at first.
    static let replyBytesFirst = 64 << 10
}
