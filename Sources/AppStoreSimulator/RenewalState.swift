/// What is to happen at the end of the period.
package struct RenewalState: Codable, Hashable, Sendable {
    /// The product of the next period.
    package var productID: String
    /// Whether there is to be a next period.
    package var isOn = true
    /// Why there was none.
    package var expirationIntent: Intent?
    /// Whether the store tries to charge; nil while there was no trouble.
    package var isInBillingRetry: Bool?
    /// Until when access goes on while it tries.
    package var graceUntil: Int64?
    /// Whether access goes on without an end being named, as was seen in production.
    package var isGraceOpen = false
    /// Whether the user agreed to a higher price: 0 no answer, 1 agreed or only told.
    package var priceIncrease: Int64?
    /// The offer of the next period.
    package var offer: Offer?
    /// When the present run of periods began.
    package var recentStart: Int64

    /// Whether a new commitment follows the one that is paid by the month; nil where none is.
    package var isCommitmentOn: Bool?

    /// Why a subscription ended; the raw value is Apple's number.
    package enum Intent: Int64, Codable, CaseIterable, Sendable {
        case cancelled = 1
        case billingError = 2
        case priceIncrease = 3
        case notForSale = 4
        case other = 5

        /// The subtype of EXPIRED that goes with it.
        var subtype: String? {
            switch self {
            case .cancelled: "VOLUNTARY"
            case .billingError: "BILLING_RETRY"
            case .priceIncrease: "PRICE_INCREASE"
            case .notForSale: "PRODUCT_NOT_FOR_SALE"
            case .other: nil
            }
        }
    }

    mutating func forgetTrouble() {
        expirationIntent = nil
        isInBillingRetry = nil
        graceUntil = nil
        isGraceOpen = false
    }
}
