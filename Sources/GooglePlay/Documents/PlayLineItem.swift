import Entitlements
import JSON

/// One item of a subscription: `lineItems[]` of a SubscriptionPurchaseV2.
package struct PlayLineItem: Hashable, Sendable {
    /// How it is paid.
    package enum Plan: Hashable, Sendable {
        /// It renews automatically, unless the customer has turned that off.
        case autoRenewing(isOn: Bool)
        /// It is paid for a time, and topped up by hand.
        case prepaid
        /// Google does not say.
        case unknown
    }

    /// The offer phase of the present period.
    package enum Phase: Hashable, Sendable {
        case free
        case introductory
        case full
    }

    /// What was bought.
    package var productID: String
    /// The end of access unless it is prolonged; nil while nothing is paid.
    package var expires: Moment?
    /// The order that paid for the present period; nil if the item is not owned yet.
    package var orderID: String?
    /// How it is paid.
    package var plan: Plan
    /// The base plan.
    package var basePlanID: String?
    /// The offer on it.
    package var offerID: String?
    /// The offer phase of the present period.
    package var phase: Phase
    /// The product that replaces it when the period ends.
    package var nextProductID: String?
    /// Whether it is removed when the period ends.
    package var isRemoved: Bool
    /// Whether it ends with its period, by itself.
    package var isEnding: Bool { isRemoved || plan == .autoRenewing(isOn: false) }
    /// Whether it ends with the last payment of an instalment commitment.
    package var endsWithCommitment: Bool
    /// The price of a renewal, in thousandths of the currency.
    package var price: Int64?
    /// The currency, of ISO 4217.
    package var currency: String?

    init(_ value: JSONValue) throws(AnswerFault) {
        guard let product = PlayText.name(value["productId"]?.string) else {
            throw AnswerFault("a line item without its productId")
        }
        productID = product
        expires = try PlayField.moment("expiryTime", of: value)
        orderID = PlayText.name(value["latestSuccessfulOrderId"]?.string)
        let renewing = value["autoRenewingPlan"].flatMap { $0.object == nil ? nil : $0 }
        plan =
            if let renewing {
                .autoRenewing(isOn: renewing["autoRenewEnabled"]?.bool == true)
            } else {
                value["prepaidPlan"]?.object == nil ? .unknown : .prepaid
            }
        basePlanID = PlayText.name(value["offerDetails"]?["basePlanId"]?.string)
        offerID = PlayText.name(value["offerDetails"]?["offerId"]?.string)
        phase = Self.phase(value["offerPhase"])
        nextProductID = PlayText.name(value["deferredItemReplacement"]?["productId"]?.string)
        isRemoved = value["deferredItemRemoval"]?.object != nil
        endsWithCommitment =
            renewing?["installmentDetails"]?["pendingCancellation"]?.object != nil
        (price, currency) = Self.money(renewing?["recurringPrice"])
    }

    /// The same items in an order that does not depend on the answer: Google promises none, and the
    /// first item gives the purchase its id and its beginning.
    static func inOrder(_ items: [PlayLineItem]) -> [PlayLineItem] {
        func name(_ item: PlayLineItem) -> [String] {
            [item.productID, item.basePlanID ?? "", item.offerID ?? "", item.orderID ?? ""]
        }
        return items.sorted { name($0).lexicographicallyPrecedes(name($1)) }
    }

    /// The phase; that of a proration period is the one in which the change of plan was made.
    private static func phase(_ value: JSONValue?) -> Phase {
        let former = value?["prorationPeriod"]?["originalOfferPhaseType"]?.string
        if value?["freeTrial"] != nil || former == "FREE_TRIAL" { return .free }
        let isIntroductory = value?["introductoryPrice"] != nil || former == "INTRODUCTORY"
        return isIntroductory ? .introductory : .full
    }

    /// Reads a `Money`: whole units as a text, and billionths of a unit.
    private static func money(_ value: JSONValue?) -> (Int64?, String?) {
        guard let value, let currency = PlayText.name(value["currencyCode"]?.string) else {
            return (nil, nil)
        }
        guard let units = whole(value["units"]), (0..<1_000_000_000_000).contains(units),
            let nanos = whole(value["nanos"]), (0..<1_000_000_000).contains(nanos)
        else { return (nil, currency) }
        return (units * 1_000 + nanos / 1_000_000, currency)
    }

    /// A whole number, as a text or not; Google omits 0.
    private static func whole(_ value: JSONValue?) -> Int64? {
        guard let value, !value.isNull else { return 0 }
        return value.string.flatMap { Int64($0) } ?? value.int64
    }
}

/// Members of Google's answers that decide about access: an absent one is nil, and another type is
/// a fault.
enum PlayField {
    static func moment(_ member: String, of value: JSONValue) throws(AnswerFault) -> Moment? {
        guard let found = value[member], !found.isNull else { return nil }
        guard let moment = found.string.flatMap(PlayTime.moment) else {
            throw AnswerFault("\(member) is no time")
        }
        return moment
    }

    static func token(
        _ member: String,
        of value: JSONValue
    ) throws(AnswerFault) -> PurchaseToken? {
        guard let found = value[member], !found.isNull else { return nil }
        guard let token = found.string.flatMap({ PurchaseToken($0) }) else {
            throw AnswerFault("\(member) is no purchase token")
        }
        return token
    }

    static func isUnacknowledged(_ value: JSONValue) -> Bool {
        value["acknowledgementState"]?.string == "ACKNOWLEDGEMENT_STATE_PENDING"
    }
}
