/// One purchase or one period of a subscription, as the store remembers it.
package struct SimulatedTransaction: Codable, Hashable, Sendable {
    /// Its number.
    package let id: String
    /// The number of the first of its line.
    package var originalID: String
    /// The number of this period across devices.
    package let webOrderLineItemID: String
    /// What was bought.
    package let product: Product
    /// When it begins; may be to come, where a renewal is announced.
    package let purchaseDate: Int64
    /// When the line began.
    package let originalPurchaseDate: Int64
    /// When it ends, for a subscription.
    package var expiresDate: Int64?
    /// How many were bought.
    package let quantity: Int64
    /// The user, as the app named them.
    package internal(set) var token: String?
    /// Whether it came through Family Sharing.
    package let isFamilyShared: Bool
    /// Whether it follows another without the user's doing.
    package let isRenewal: Bool
    /// What it cost, in thousandths.
    package internal(set) var price: Int64
    /// The offer it came with.
    package let offer: Offer?
    /// The line it was migrated from.
    package var previousOriginalID: String?
    /// Whether a higher product took its place.
    package var isUpgraded = false
    /// When and why it was taken back.
    package var revocation: Revocation?
    /// The product's present description, where the app describes products itself.
    package var commerce: Commerce?
    /// When the app's server said that it has given what was bought.
    package var finished: Int64?
    /// Where it stands in a commitment that is paid by the month; nil for what is paid at once.
    package internal(set) var commitment: Commitment?
    /// When anything about it changed last: the signing time of the notification that told it.
    package internal(set) var modified: Int64?

    /// A year that the customer has promised to pay for, month by month.
    package struct Commitment: Codable, Hashable, Sendable {
        /// Which of the payments this is, from 1.
        package let number: Int64
        /// How many there are.
        package let count: Int64
        /// When the last of them ends.
        package let expires: Int64
        /// What all of them cost, in thousandths.
        package let price: Int64
    }

    /// Why a transaction was taken back.
    package struct Revocation: Codable, Hashable, Sendable {
        /// Under Apple's names.
        package enum Kind: String, Codable, CaseIterable, Sendable {
            case fullRefund = "REFUND_FULL"
            case proratedRefund = "REFUND_PRORATED"
            case family = "FAMILY_REVOKE"
        }

        /// When.
        package let date: Int64
        /// 0 other, 1 an issue in the app.
        package let reason: Int64
        /// Refunded in full, in part, or withdrawn.
        package let kind: Kind
        /// How much of it, in thousandths of a percent.
        package let percentage: Int64
    }

    /// What the app told the store about its product (Advanced Commerce).
    package struct Commerce: Codable, Hashable, Sendable {
        /// The app's own name of the item.
        package var sku: String
        /// What the user reads.
        package var displayName: String
        /// In thousandths.
        package var price: Int64
        /// The request that said so.
        package var requestID: String
        /// When an item that was bought beside this one was paid back by itself.
        package var itemRefunded: Int64?
    }
}
