/// The limits of this room.
///
/// A test reaches each of them.
package enum PlayLimits {
    /// Bytes of an Authorization header's value; Google's tokens have about 800.
    package static let authorizationBytesMax = 8 << 10
    /// How deep the JSON of a token goes.
    static let tokenDepthMax = 4
    /// Bytes of a `kid`, an audience, an e-mail address.
    static let nameBytesMax = 255
    /// How far the clocks of Google and this host may differ; Google's library for Node allows the
    /// same (google-auth-library-nodejs, `OAuth2Client`).
    package static let skewSeconds: Int64 = 300
    /// The same in milliseconds.
    static let skewMilliseconds = skewSeconds * 1_000
    /// The longest validity of a token; Google's library for Node refuses more.
    package static let tokenLifetimeSeconds: Int64 = 86_400
    /// Bytes of a key set; Google's has about 1,000.
    package static let keySetBytesMax = 64 << 10
    /// Keys of a set.
    package static let keysMax = 32
    /// The shortest and the longest validity of keys, regardless of the answer's header, and the
    /// validity if the header names none.
    package static let keySetSecondsMin: Int64 = 60
    /// See `keySetSecondsMin`.
    package static let keySetSecondsMax: Int64 = 86_400
    /// See `keySetSecondsMin`.
    package static let keySetSecondsUnnamed: Int64 = 3_600
    /// The pause between two attempts to fetch keys that are missing or too old.
    package static let keyFetchPauseMilliseconds: Int64 = 5_000
    /// The pause between two attempts to find a key that no set has had so far.
    ///
    /// It is needed because anybody can send a token that names an unknown key.
    package static let unknownKeyPauseMilliseconds: Int64 = 60_000
    /// Bytes of the body of a push; those of Google Play have about 1,500.
    package static let pushBytesMax = 128 << 10
    /// Bytes of a purchase token: as many as the key of a purchase may have.
    ///
    /// Google's have some 150 to 200.
    package static let tokenBytesMax = 255
    /// How deep the JSON of a push or of an answer goes.
    static let documentDepthMax = 16
    /// Items of one purchase: as many as Google allows in a subscription (its page "Subscription
    /// with add-ons"); it names no number for an order of one-time products.
    package static let itemsMax = 50
    /// Bytes of a product's, a base plan's, an order's or an account's name that are kept.
    static let wordBytesMax = 255
    /// Bytes of a file with a service account's key; Google's have about 2,400.
    package static let accountFileBytesMax = 64 << 10
    /// How long an assertion is valid; Google accepts an hour at most.
    static let assertionSeconds: Int64 = 3_600
    /// How long before its end an access token is renewed.
    static let credentialMarginSeconds: Int64 = 300
    /// Bytes of an access token; Google says at most 2,048.
    static let accessTokenBytesMax = 2_048
    /// Voided purchases of one page; Google's maximum, and what it gives where nothing is named.
    package static let voidedPageMax = 1_000
    /// How far back Google lists voided purchases.
    package static let voidedReachMilliseconds: Int64 = 30 * 24 * 3600 * 1000
    /// How far before the end of the last walk through the voided purchases the next one begins.
    static let voidedOverlapMilliseconds: Int64 = 24 * 3600 * 1000
    /// The distance that a walk keeps from the limit of 30 days, because it takes some time.
    static let voidedMarginMilliseconds: Int64 = 3600 * 1000
}
