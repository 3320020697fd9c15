/// What is special about requests of stores; `HTTPLimits` has the rest.
package enum WebhookLimits {
    /// How many bytes of bodies may wait, those of all connections together.
    ///
    /// With `freeBytesEach` this is enough for 128 KiB on every connection.
    package static let waitingBytesMax = 48 << 20
    /// How many bytes of each body are not counted there; few notifications are longer.
    package static let freeBytesEach = 32 << 10
    /// Hops of X-Forwarded-For are literals of this length at most, a port included.
    static let forwardedHopBytesMax = 64
}
