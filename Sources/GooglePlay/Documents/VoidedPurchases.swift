import Entitlements
import JSON

/// One page of `purchases.voidedpurchases.list`.
package struct VoidedPurchases: Hashable, Sendable {
    /// A purchase that was refunded, charged back or not acknowledged in time.
    package struct Entry: Hashable, Sendable {
        /// The purchase.
        package var token: PurchaseToken
        /// The order that was voided; for a subscription, one renewal.
        package var orderID: String?
        /// When it was voided.
        package var voided: Moment
        /// The reason, as Google numbers it; 8 means that this daemon did not acknowledge it in
        /// time.
        package var reason: Int64?
        /// Whether only some of several units were refunded.
        package var isPartial: Bool
    }

    /// Not acknowledged in time (`voidedReason`).
    package static let unacknowledged: Int64 = 8

    /// What the page lists.
    package var entries: [Entry]
    /// How many listed entries cannot be stored.
    package var skipped: Int
    /// The next page; nil at the end.
    package var nextPage: String?

    /// Reads a page.
    package init(_ body: [UInt8]) throws(AnswerFault) {
        guard let value = try? JSONValue.parse(body, depthMax: PlayLimits.documentDepthMax),
            value.object != nil
        else { throw AnswerFault("the page is no object of strict JSON") }
        let list = value["voidedPurchases"]?.array ?? []
        guard list.count <= PlayLimits.voidedPageMax else { throw AnswerFault("too long a page") }
        entries = list.compactMap(Self.entry)
        skipped = list.count - entries.count
        nextPage = value["tokenPagination"]?["nextPageToken"]?.string
        if let nextPage, nextPage.isEmpty { self.nextPage = nil }
    }

    private static func entry(_ value: JSONValue) -> Entry? {
        guard let token = value["purchaseToken"]?.string.flatMap({ PurchaseToken($0) }) else {
            return nil
        }
        let stamp = value["voidedTimeMillis"]
        guard
            let voided = stamp?.string.flatMap(PlayTime.milliseconds)
                ?? stamp?.int64.map({ Moment($0) })
        else { return nil }
        return Entry(
            token: token,
            orderID: PlayText.name(value["orderId"]?.string),
            voided: voided,
            reason: value["voidedReason"]?.int64,
            isPartial: value["voidedQuantity"] != nil
        )
    }
}
