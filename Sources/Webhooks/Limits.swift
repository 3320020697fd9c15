/// What is special about requests of stores; `HTTPLimits` has the rest.
enum WebhookLimits {
    /// Hops of X-Forwarded-For are literals of this length at most, a port included.
    static let forwardedHopBytesMax = 64
}
