/// What a frame and the requests in it may cost at most.
package enum WireLimits {
    /// The bytes of the length in front of each frame.
    package static let headerBytes = 4
    /// The longest frame, unless configured.
    package static let frameBytesMax = 1 << 20
    /// How many requests one batch may hold.
    package static let batchRequestsMax = 100
    /// How long an `id` may be: it is echoed byte for byte.
    package static let idBytesMax = 4_096
    /// How many requests of one connection may wait for their answer.
    package static let unansweredPerConnectionMax = 1_024
    /// What a request that waits for its answer costs beside its own bytes.
    package static let unansweredBytesEach = 1_024
    /// What one connection may keep elsewhere, such as what it watches.
    ///
    /// Enough for 10,000 users with the longest ids.
    package static let watchedBytesPerConnectionMax = 4 << 20
    /// How many requests of one RPC thread may wait for their answer.
    package static let unansweredPerThreadMax = 65_536
    /// What `retryAfterMs` says when too many requests wait.
    package static let overloadRetryMs: Int64 = 100
    /// What a reply buffer holds at first.
    static let replyBytesFirst = 64 << 10
}
