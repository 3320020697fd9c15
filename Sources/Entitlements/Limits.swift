/// The bounds of the core.
///
/// Each is reached by a test.
package enum Limits {
    /// Transactions kept for one subscription: the greatest by (purchase, id).
    package static let transactionsKeptMax = 32
    /// Subscriptions and purchases of one account: `canRender` reads all that lasts in the time of
    /// a few look-ups.
    package static let subscriptionsMax = 512
    /// Purchases of one account that give nothing by themselves, packs of credits above all, and
    /// are listed in it nevertheless; the others are kept as facts.
    package static let purchasesListedMax = 256
    /// Of a purchase in a store that answers with whole states: transactions that the newest state
    /// does not name, the greatest by (purchase, id).
    package static let pastTransactionsMax = 24
    /// Users whom such a purchase named, the first ones.
    package static let namedUsersMax = 8
    /// Items that one such state names: as many as Google sells in one subscription (its page
    /// "Subscription with add-ons"); Stripe sells 20.
    package static let statedItemsMax = 50
    /// Refunds of such a purchase that are remembered, the newest: one for each transaction kept.
    package static let revocationsKeptMax = pastTransactionsMax + statedItemsMax
    /// Different account tokens remembered for one subscription.
    package static let tokensKeptMax = 8
    /// Purchases with a token that are remembered of one subscription: the newest.
    package static let claimsKeptMax = 8
    /// Tokens of one account.
    package static let accountTokensMax = 1024
    /// Bytes of a store's id that may stand in a path.
    package static let storeNameBytesMax = 128
    /// How long a store that was told to send a notification again waits before it, in s.
    package static let notificationRetrySeconds = 30
    /// Bytes of a user id, as UTF-8.
    package static let userIDBytesMax = 256
    /// No pseudonym of a name is shorter; each byte has five bits of a keyed hash.
    static let pseudonymBytesMin = 16
    /// How long Apple goes on charging a card, from the end of what was paid; the grace period is
    /// part of it.
    @inlinable package static var billingRetryMilliseconds: Int64 { 60 * 24 * 3600 * 1000 }
    /// Grants and balances looked at in the search for the next change of an answer, where a slot
    /// counts for three.
    ///
    /// They take about 17 µs. No question may take longer, whoever asks it. The search is never cut
    /// off in an account with no slot, or with 32 and no grant.
    @inlinable package static var nextChangeLooksMax: Int { 4_200 }
    /// Grants of one account that have not ended.
    package static let grantsMax = 64
    /// How many replacements of replacements are followed for what is left of a paid period.
    package static let replacementsFollowedMax = 3
    /// How long before its replacement begins a paid period may seem to end, and is replaced.
    package static let replacedEarlyMilliseconds: Int64 = 3_600_000
    /// Transactions that took the place of one purchase: each period of the other one names the id
    /// before.
    package static let replacementsKeptMax = 32
    /// Original ids under which one purchase goes on.
    package static let successorsMax = 8
    /// Users to whom one subscription is shared.
    package static let sharersMax = 64
    /// Buckets of one purse, what is held of them too, when an admin gives another one; packs come
    /// in beside them.
    package static let bucketsMax = 512
    /// Holds of one purse.
    package static let holdsMax = 256
    /// Refunds of one purse that forgave something, or took other credits for a period.
    package static let forgivenMax = 64
    /// How long it is known what the refund of a period took of other credits: 180 days, because
    /// that refund may be reversed.
    package static let coveredKeptMilliseconds: Int64 = 180 * 86_400_000
    /// Packs bought with one transaction: credits are sold by the piece, too.
    package static let packQuantityMax: Int64 = 1_000_000
    /// The greatest journal position, and the greatest id made from one: JSON numbers are exact up
    /// to here.
    package static let positionMax: UInt64 = 1 << 53
    /// Eras of all subscriptions of one account.
    package static let slotsMax = 256
    /// Of those, eras of purchases for a number of days: the newest.
    package static let datedSlotsMax = 128
    /// Purchases for a number of days that count of one transaction; Apple sells ten.
    package static let datedUnitsMax: Int64 = 255
    /// Products of purchases for a number of days that are remembered by name.
    package static let datedProductsMax = 64
    /// First answers kept with an account.
    package static let firstAnswersMax = 4
    /// Bytes of a price's name in the key of an item's period, the last ones: Stripe's own names
    /// are shorter.
    package static let itemNameBytesMax = 64
    /// Items of one payment at Google Play begin less than this apart, and payments more.
    package static let itemsApartMilliseconds: Int64 = 500
    /// How long a paid period is remembered behind its end: it may be prolonged or refunded.
    package static let periodKeptMilliseconds: Int64 = 60 * 24 * 3600 * 1000
    /// How long a notification is known again.
    package static let notificationKeptMilliseconds: Int64 = 180 * 24 * 3600 * 1000
    /// How long the first answer under an idempotency key is kept.
    package static let settlementKeptMilliseconds: Int64 = 30 * 24 * 3600 * 1000
}
