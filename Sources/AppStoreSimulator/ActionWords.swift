/// What may be said beside an action: each looks at what it needs.
package struct ActionWords: Sendable {
    /// The product's id, or the end of it.
    package var product: String?
    /// A free trial of this length.
    package var trial: Period?
    /// An offer.
    package var offer: Offer?
    /// Through Family Sharing.
    package var isFamilyShared = false
    /// Under the names of before 2024.
    package var isLegacy = false
    /// Without a grace period.
    package var hasNoGrace = false
    /// Promised for a year and paid by the month.
    package var isMonthly = false
    /// With a grace period whose end is not named.
    package var hasOpenGrace = false
    /// Why a subscription ends.
    package var reason: RenewalState.Intent?
    /// Which transaction is meant.
    package var transaction = TransactionChoice.current
    /// How much is refunded.
    package var percentage: Int64 = 100
    /// How many of those bought together are refunded; nil for all.
    package var units: Int64?
    /// Why a refund is asked for.
    package var consumptionReason = "UNINTENDED_PURCHASE"
    /// Whether a price increase is accepted.
    package var isAccepted = false
    /// Whether a cancellation follows a price increase.
    package var isAfterPriceIncrease = false
    /// How many are bought.
    package var quantity: Int64 = 1
    /// How many days are given.
    package var days: Int64 = 7
    /// A new price, in thousandths.
    package var price: Int64 = 5_990
    /// New words for the product.
    package var displayName = "A better name"

    /// Nothing said.
    package init() {}
}
