/// The limits of this room.
enum Limits {
    /// How far in the future a signature may lie, for clocks that differ.
    static let futureMilliseconds: Int64 = 5 * 60 * 1000
    /// Bytes of a notification's body.
    static let notificationBytesMax = 128 << 10
    /// How long a token for the server is valid, in s; Apple refuses more than an hour.
    static let tokenSeconds: Int64 = 300
    /// How far back the notification history reaches in Production.
    static let productionHistoryMilliseconds: Int64 = 180 * day
    /// How far back it reaches in the sandbox.
    static let sandboxHistoryMilliseconds: Int64 = 30 * day
    /// How long Apple repeats a delivery that failed, with a margin: Apple does so for 6.5 days.
    static let repeatsMilliseconds: Int64 = 8 * day
    /// The distance that a walk keeps from the oldest end of the history, which moves during the
    /// walk.
    static let historyMarginMilliseconds: Int64 = 3_600_000

    private static let day: Int64 = 86_400_000
}
