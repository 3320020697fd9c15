import AppStoreSimulator
import ArgumentParser
import Foundation

/// What may be said beside an action.
struct ActionOptions: ParsableArguments {
    @Option(help: "The product's id, or the end of it (subscribe, upgrade, downgrade, buy).")
    var product: String?

    @Option(help: "The appAccountToken of this customer's purchases from now on; a UUID.")
    var token: String?

    @Option(help: "Begin with a free trial so long, for example P1W (subscribe).")
    var trial: Period?

    @Option(help: "With an offer of this kind (subscribe, upgrade, downgrade, redeem-offer).")
    var offer: OfferKind?

    @Option(help: "How the offer is paid.")
    var discount = OfferDiscount.payAsYouGo

    @Option(help: "How long the offer lasts.")
    var offerPeriod = Period(1, .month)

    @Flag(help: "Through Family Sharing (subscribe, buy).")
    var family = false

    @Flag(help: "Under the names of before 2024-01-23 (subscribe with an offer).")
    var legacy = false

    @Flag(help: "Promised for a year, paid by the month (subscribe, resubscribe, upgrade).")
    var monthly = false

    @Flag(help: "Without a grace period (fail-to-renew).")
    var noGrace = false

    @Flag(help: "With a grace period whose end is not named (fail-to-renew).")
    var openGrace = false

    @Option(help: "Why it ends; as things stand when absent (expire).")
    var reason: ExpiryReason?

    @Option(help: "current, previous, announced, purchase or a number (refund and its kin).")
    var transaction = TransactionChoice.current

    @Option(help: "How much is paid back (refund).")
    var percentage: Int64 = 100

    @Option(help: "How many of those bought together are paid back (refund).")
    var units: Int64?

    @Option(help: "Why a refund is asked for (consumption-request).")
    var consumptionReason = "UNINTENDED_PURCHASE"

    @Flag(help: "The customer agreed (price-increase).")
    var accepted = false

    @Flag(help: "Because of a higher price (cancel).")
    var afterPriceIncrease = false

    @Option(help: "How many (buy).")
    var quantity: Int64 = 1

    @Option(help: "How many days of the store's calendar (extend).")
    var days: Int64 = 7

    @Option(help: "In thousandths (price-change).")
    var price: Int64 = 5_990

    @Option(help: "What the user reads (metadata-update).")
    var displayName = "A better name"

    func validate() throws {
        if noGrace && openGrace { throw ValidationError("--no-grace and --open-grace disagree") }
        // StoreKit drops what is no UUID without a word; here it is said.
        if let token, UUID(uuidString: token) == nil {
            throw ValidationError("--token is a UUID")
        }
        if trial != nil && offer != nil { throw ValidationError("--trial is an offer already") }
    }

    var words: ActionWords {
        var words = ActionWords()
        words.product = product
        words.trial = trial
        words.offer = offer.map { Offer($0.kind, discount.discount, offerPeriod) }
        words.isFamilyShared = family
        words.isLegacy = legacy
        words.hasNoGrace = noGrace
        words.hasOpenGrace = openGrace
        words.reason = reason?.intent
        words.transaction = transaction
        words.percentage = percentage
        words.units = units
        words.isMonthly = monthly
        words.consumptionReason = consumptionReason
        words.isAccepted = accepted
        words.isAfterPriceIncrease = afterPriceIncrease
        words.quantity = quantity
        words.days = days
        words.price = price
        words.displayName = displayName
        return words
    }
}
