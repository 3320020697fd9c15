/// The limits of this room.
package enum StripeLimits {
    /// Bytes of a `Stripe-Signature` header; Stripe's have about 200.
    package static let headerBytesMax = 4 << 10
    /// Signatures of one header; Stripe sends one for each secret that is valid.
    package static let signaturesMax = 16
    /// Bytes of the secret of an endpoint; Stripe's have 38.
    package static let secretBytesMax = 512
    /// How far the moment of a signature may differ from the present, as in Stripe's own libraries.
    package static let toleranceMilliseconds: Int64 = 300 * 1000
    /// Bytes of the body of an event.
    package static let eventBytesMax = 1 << 20
    /// Letters of an id: the maximum that Stripe's page "Upgrades" promises.
    package static let idBytesMax = 255
    /// Bytes of a lookup key that are kept.
    ///
    /// Its length is stored in one byte; Stripe allows 200 letters, of several bytes each.
    package static let nameBytesMax = 255
    /// Lines of one visit to the payment page, items of a subscription and lines of an invoice that
    /// are read; Stripe allows 100 of a visit.
    package static let linesMax = 200
    /// How long to wait after too many requests, in ms, if Stripe does not say.
    package static let retryAfterMilliseconds: Int64 = 2 * 1000
    /// The longest pause that Stripe may ask for, in seconds.
    package static let retryAfterSecondsMax: Int64 = 3600
    /// The end of the year 9999, in seconds since 1970.
    package static let secondsMax: Int64 = 253_402_300_799
}
