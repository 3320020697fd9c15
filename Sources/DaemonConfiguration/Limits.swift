/// What a configuration may ask for, each with its unit.
package enum ConfigurationLimits {
    /// A configuration or catalog file longer than this is not read.
    package static let fileBytesMax = 1 << 20
    /// A secret or certificate longer than this is not read.
    package static let secretBytesMax = 1 << 20
    /// `sun_path` holds 108 bytes, the last of them NUL.
    package static let socketPathBytesMax = 107
    /// Bytes of a certificate's serial number (RFC 5280, section 4.1.2.2).
    package static let serialBytesMax = 20
    /// How deep lists and maps may be nested.
    package static let depthMax = 16
    /// Duplicate keys that are looked for in one file before the first is reported.
    package static let duplicatesMax = 8
    /// The elements of one list.
    package static let listCountMax = 10_000
    /// The same bound as on a user's credits in one command.
    package static let creditsMax = 1_000_000_000
    /// Bytes of a feature's name.
    package static let featureBytesMax = 64
    /// Features of one plan, and those that credits may pay for.
    package static let featuresMax = 64
    /// Characters of a key of metadata at Stripe.
    package static let metadataKeyCharactersMax = 40
    /// Days of one purchase: a century.
    package static let daysMax = 36_525
    /// Systems that are told of changes: each has a thread.
    package static let outboxesMax = 16
    /// Bytes of an outbox's name.
    package static let outboxNameBytesMax = 32
    /// Seconds for which a loss of access may be held back: a week.
    package static let settleSecondsMax = 7 * 86_400
    /// Tokens of the HTTPS door.
    package static let tokensMax = 1_000
    /// Bytes of a token's name.
    package static let tokenNameBytesMax = 64
}
