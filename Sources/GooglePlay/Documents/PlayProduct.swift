import Entitlements
import JSON

/// Google's answer about a purchase of one-time products: the used part of a ProductPurchaseV2.
package struct PlayProduct: Hashable, Sendable {
    /// `purchaseState`, in its two spellings.
    package enum State: Hashable, Sendable {
        case purchased
        case cancelled
        case pending
        /// A state that did not exist when this was written.
        case unknown
    }

    /// One of the products.
    package struct Item: Hashable, Sendable {
        /// What was bought.
        package var productID: String
        /// How many.
        package var quantity: Int64
        /// How many of them were refunded, with or without being taken back.
        package var refunded: Int64
        /// Whether it is consumed; a pack of credits is consumed once its credits are given.
        package var isConsumed: Bool
        /// The purchase option, which is to a one-time product what a base plan is to others.
        package var optionID: String?
        /// The offer.
        package var offerID: String?
    }

    /// The state.
    package var state: State
    /// The state as Google writes it.
    package var stateWord: String
    /// The order; absent for what was given with a promotion code.
    package var orderID: String?
    /// When it was paid.
    package var completed: Moment?
    /// Whether the purchase still needs an acknowledgement.
    package var isUnacknowledged: Bool
    /// Whether a licence tester bought it, without paying.
    package var isTest: Bool
    /// The account id that the app gave.
    package var accountID: String?
    /// The country.
    package var region: String?
    /// What was bought, in an order that does not depend on the answer: the first item has the id
    /// of the order.
    package var items: [Item]

    /// Reads an answer of `purchases.productsv2.getproductpurchasev2`.
    package init(_ body: [UInt8]) throws(AnswerFault) {
        guard let value = try? JSONValue.parse(body, depthMax: PlayLimits.documentDepthMax),
            value.object != nil
        else { throw AnswerFault("the answer is no object of strict JSON") }
        let word = value["purchaseStateContext"]?["purchaseState"]?.string
        guard let word = PlayText.name(word) else {
            throw AnswerFault("the answer names no purchaseState")
        }
        stateWord = word
        state =
            switch word {
            case "PURCHASED": .purchased
            case "CANCELLED", "CANCELED": .cancelled
            case "PENDING": .pending
            default: .unknown
            }
        orderID = PlayText.name(value["orderId"]?.string)
        completed = try PlayField.moment("purchaseCompletionTime", of: value)
        isUnacknowledged = PlayField.isUnacknowledged(value)
        isTest = value["testPurchaseContext"]?.object != nil
        accountID = PlayText.accountID(value["obfuscatedExternalAccountId"]?.string)
        region = PlayText.name(value["regionCode"]?.string)
        let list = value["productLineItem"]?.array ?? []
        guard (1...PlayLimits.itemsMax).contains(list.count) else {
            throw AnswerFault("no product, or too many")
        }
        items = []
        for entry in list { items.append(try Self.item(entry)) }
        items.sort { Self.name(of: $0).lexicographicallyPrecedes(Self.name(of: $1)) }
    }

    private static func name(of item: Item) -> [String] {
        [item.productID, item.optionID ?? "", item.offerID ?? ""]
    }

    /// Reads an item.
    ///
    /// Google omits values that are usual, such as a quantity of 1. The refundable quantity is how
    /// many were not refunded.
    private static func item(_ value: JSONValue) throws(AnswerFault) -> Item {
        guard let product = PlayText.name(value["productId"]?.string) else {
            throw AnswerFault("a product without its productId")
        }
        let offer = value["productOfferDetails"]
        let quantity = offer?["quantity"]?.int64 ?? 1
        guard (1...Limits.packQuantityMax).contains(quantity) else {
            throw AnswerFault("a quantity that is out of range")
        }
        let left = offer?["refundableQuantity"]?.int64 ?? quantity
        return Item(
            productID: product,
            quantity: quantity,
            refunded: quantity - min(max(left, 0), quantity),
            isConsumed: offer?["consumptionState"]?.string == "CONSUMPTION_STATE_CONSUMED",
            optionID: PlayText.name(offer?["purchaseOptionId"]?.string),
            offerID: PlayText.name(offer?["offerId"]?.string)
        )
    }
}
