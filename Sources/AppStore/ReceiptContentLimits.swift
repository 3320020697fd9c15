/// The limits of a receipt's content.
enum ReceiptContentLimits {
    /// Purchases in one receipt; ten years of weekly renewals are 520.
    static let purchasesMax = 4096
    /// How long before a date of cancellation a period begins that an upgrade has bought, at most.
    ///
    /// Apple sets the date within seconds.
    static let upgradeMilliseconds: Int64 = 60_000
}
