import Entitlements
import JSON

/// An answer that cannot be used, in words for the log; nothing of the answer is in it.
package struct AnswerFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// In words.
    package let description: String

    init(_ description: String) { self.description = description }
}

/// What Google says of one subscription: a SubscriptionPurchaseV2, as far as it is used.
///
/// JSON of Google's leaves out what is false or empty. What decides about access is read strictly;
/// what is only shown is absent where it is of another form. The customer's name and address, which
/// `subscribeWithGoogleInfo` may have, are not read.
package struct PlaySubscription: Hashable, Sendable {
    /// A purchase that had expired; Google tells of it until the new one is acknowledged.
    package struct Former: Hashable, Sendable {
        /// The purchase.
        package var token: PurchaseToken?
        /// The account id that the app gave then.
        package var accountID: String?
    }

    /// The state; nil where it is none that is known.
    package var state: SubscriptionState?
    /// The state as Google writes it.
    package var stateWord: String
    /// When it was granted; nil while nothing is paid.
    package var started: Moment?
    /// The order that was tried last, where Google still says so.
    package var latestOrderID: String?
    /// The purchase that this one goes on from or replaces.
    package var linked: PurchaseToken?
    /// Whether Google waits to hear that the purchase was seen.
    package var isUnacknowledged: Bool
    /// Whether a licence tester bought it, without paying.
    package var isTest: Bool
    /// The account id that the app gave.
    package var accountID: String?
    /// The purchase that had expired, where it was bought again outside of the app.
    package var former: Former?
    /// When a pause ends by itself.
    package var resumes: Moment?
    /// How it was cancelled.
    package var cancellation: Cancellation?
    /// The country.
    package var region: String?
    /// What is sold with it: one item, or one for each add-on too.
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
            .flatMap { PlayText.name($0["obfuscatedExternalAccountId"]?.string) }
        if let context = value["outOfAppPurchaseContext"], context.object != nil {
            let identifiers = context["expiredExternalAccountIdentifiers"]
            former = Former(
                token: try PlayField.token("expiredPurchaseToken", of: context),
                accountID: PlayText.name(identifiers?["obfuscatedExternalAccountId"]?.string)
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
