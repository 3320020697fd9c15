import Entitlements
import JSON

/// Why an answer cannot be used, in words for the log; it contains nothing of the answer.
package struct AnswerFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// In words.
    package let description: String

    init(_ description: String) { self.description = description }
}

/// Google's answer about one subscription: the used part of a SubscriptionPurchaseV2.
///
/// Google's JSON omits false and empty values. Members that decide about access are read strictly;
/// members that are only shown count as absent if they have another type. The customer's name and
/// address, which `subscribeWithGoogleInfo` may have, are not read.
package struct PlaySubscription: Hashable, Sendable {
    /// An earlier, expired purchase; Google names it until the new one is acknowledged.
    package struct Former: Hashable, Sendable {
        /// The purchase.
        package var token: PurchaseToken?
        /// The account id that the app gave then.
        package var accountID: String?
    }

    /// The state; nil if it is unknown.
    package var state: SubscriptionState?
    /// The state as Google writes it.
    package var stateWord: String
    /// When it began; nil while nothing is paid.
    package var started: Moment?
    /// The order that was tried last, if Google still names it.
    package var latestOrderID: String?
    /// The purchase that this one continues or replaces.
    package var linked: PurchaseToken?
    /// Whether the purchase still needs an acknowledgement.
    package var isUnacknowledged: Bool
    /// Whether a licence tester bought it, without paying.
    package var isTest: Bool
    /// The account id that the app gave.
    package var accountID: String?
    /// The expired purchase, if the subscription was bought again outside the app.
    package var former: Former?
    /// When a pause ends automatically.
    package var resumes: Moment?
    /// How it was cancelled.
    package var cancellation: Cancellation?
    /// The country.
    package var region: String?
    /// The items: one, and one more for each add-on.
    package var items: [PlayLineItem]

    /// Reads an answer of `purchases.subscriptionsv2.get`.
    package init(_ body: [UInt8]) throws(AnswerFault) {
        guard let value = try? JSONValue.parse(body, depthMax: PlayLimits.documentDepthMax),
            value.object != nil
        else { throw AnswerFault("the answer is no object of strict JSON") }
        guard let word = PlayText.name(value["subscriptionState"]?.string) else {
            throw AnswerFault("the answer names no subscriptionState")
        }
        stateWord = word
        state = SubscriptionState(rawValue: word)
        started = try PlayField.moment("startTime", of: value)
        latestOrderID = PlayText.name(value["latestOrderId"]?.string)
        linked = try PlayField.token("linkedPurchaseToken", of: value)
        isUnacknowledged = PlayField.isUnacknowledged(value)
        isTest = value["testPurchase"]?.object != nil
        accountID = value["externalAccountIdentifiers"]
            .flatMap { PlayText.accountID($0["obfuscatedExternalAccountId"]?.string) }
        if let context = value["outOfAppPurchaseContext"], context.object != nil {
            let identifiers = context["expiredExternalAccountIdentifiers"]
            former = Former(
                token: try PlayField.token("expiredPurchaseToken", of: context),
                accountID: PlayText.accountID(identifiers?["obfuscatedExternalAccountId"]?.string)
            )
        }
        resumes = try value["pausedStateContext"]
            .flatMap { (context) throws(AnswerFault) in
                try PlayField.moment("autoResumeTime", of: context)
            }
        cancellation = Self.cancellation(value["canceledStateContext"])
        region = PlayText.name(value["regionCode"]?.string)
        let list = value["lineItems"]?.array ?? []
        guard list.count <= PlayLimits.itemsMax else { throw AnswerFault("too many lineItems") }
        items = []
        for entry in list { items.append(try PlayLineItem(entry)) }
    }

    private static func cancellation(_ context: JSONValue?) -> Cancellation? {
        guard let context, context.object != nil else { return nil }
        if let user = context["userInitiatedCancellation"] {
            return .user(at: user["cancelTime"]?.string)
        }
        if context["replacementCancellation"] != nil { return .replacement }
        if context["systemInitiatedCancellation"] != nil { return .system }
        if context["developerInitiatedCancellation"] != nil { return .developer }
        return .other
    }
}
