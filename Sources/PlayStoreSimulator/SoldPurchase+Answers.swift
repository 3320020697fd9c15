import JSON

// What the Android Publisher API says of a purchase.
extension SoldPurchase {
    /// A SubscriptionPurchaseV2.
    var subscription: JSONObject {
        var answer: JSONObject = [
            "kind": "androidpublisher#subscriptionPurchaseV2", "regionCode": "US",
            "subscriptionState": .string("SUBSCRIPTION_STATE_\(state.rawValue)"),
            "acknowledgementState": .string(acknowledgement), "etag": .string(orderID),
        ]
        answer["startTime"] = started.map { Self.time($0) }
        answer["linkedPurchaseToken"] = isOutOfApp ? nil : linked.map { .string($0) }
        if isTest { answer["testPurchase"] = [:] }
        if let accountID {
            answer["externalAccountIdentifiers"] = [
                "obfuscatedExternalAccountId": .string(accountID)
            ]
        }
        if isOutOfApp, !isAcknowledged, let linked {
            var context: JSONObject = ["expiredPurchaseToken": .string(linked)]
            if let formerAccountID {
                context["expiredExternalAccountIdentifiers"] = [
                    "obfuscatedExternalAccountId": .string(formerAccountID)
                ]
            }
            answer["outOfAppPurchaseContext"] = .object(context)
        }
        if let resumes { answer["pausedStateContext"] = ["autoResumeTime": Self.time(resumes)] }
        answer["canceledStateContext"] = cancellationContext
        var items = [lineItem]
        if let next, state != .expired {
            items[0]["deferredItemReplacement"] = ["productId": .string(next.productID)]
            items.append([
                "productId": .string(next.productID), "autoRenewingPlan": [:],
                "offerDetails": ["basePlanId": .string(next.basePlanID)],
            ])
        }
        if let added {
            var entry = lineItem
            entry["productId"] = .string(added.productID)
            entry["offerDetails"] = ["basePlanId": .string(added.basePlanID)]
            items.append(entry)
        }
        answer["lineItems"] = .array(items.map { .object($0) })
        return answer
    }

    private var lineItem: JSONObject {
        var entry: JSONObject = [
            "productId": .string(item.productID),
            "offerDetails": ["basePlanId": .string(item.basePlanID)],
            "offerPhase": isTrial ? ["freeTrial": [:]] : ["basePrice": [:]],
        ]
        entry["expiryTime"] = expires.map { Self.time($0) }
        if payments > 0 { entry["latestSuccessfulOrderId"] = .string(orderID) }
        switch item.plan {
        case .renewing:
            var plan: JSONObject = [
                "recurringPrice": [
                    "currencyCode": "USD", "units": .string("\(item.price / 1_000)"),
                    "nanos": .integer(item.price % 1_000 * 1_000_000),
                ]
            ]
            // Google leaves out what is false.
            if renews { plan["autoRenewEnabled"] = true }
            if endsWithCommitment {
                plan["installmentDetails"] = [
                    "initialCommittedPaymentsCount": 12, "remainingCommittedPaymentsCount": 3,
                    "subsequentCommittedPaymentsCount": 12, "pendingCancellation": [:],
                ]
            }
            entry["autoRenewingPlan"] = .object(plan)
        case .prepaid: entry["prepaidPlan"] = [:]
        case .oneTime: break
        }
        return entry
    }

    private var cancellationContext: JSONValue? {
        guard let cancellation else { return nil }
        var inner: JSONObject = [:]
        if cancellation == "user" { inner["cancelTime"] = cancelled.map { Self.time($0) } }
        let name =
            cancellation == "replacement"
            ? "replacementCancellation" : "\(cancellation)InitiatedCancellation"
        return .object(JSONObject([.init(key: name, value: .object(inner))]))
    }

    /// A ProductPurchaseV2.
    var product: JSONObject {
        let word =
            switch state {
            case .pending: "PENDING"
            case .active: refunded >= quantity ? "CANCELLED" : "PURCHASED"
            case .paused, .grace, .hold, .canceled, .expired, .pendingCanceled: "CANCELLED"
            }
        let offer: JSONObject = [
            "quantity": .integer(quantity), "refundableQuantity": .integer(refundable),
            "consumptionState": .string(
                "CONSUMPTION_STATE_" + (isConsumed ? "CONSUMED" : "YET_TO_BE_CONSUMED")
            ),
        ]
        var answer: JSONObject = [
            "kind": "androidpublisher#productPurchaseV2", "regionCode": "US",
            "purchaseStateContext": ["purchaseState": .string(word)],
            "acknowledgementState": .string(acknowledgement),
            "productLineItem": [
                [
                    "productId": .string(item.productID),
                    "productOfferDetails": .object(offer),
                ]
            ],
        ]
        // There is no order before it is paid.
        if payments > 0 { answer["orderId"] = .string(order) }
        answer["purchaseCompletionTime"] = started.map { Self.time($0) }
        answer["obfuscatedExternalAccountId"] = accountID.map { .string($0) }
        if isTest { answer["testPurchaseContext"] = ["fopType": "TEST"] }
        return answer
    }

    private var acknowledgement: String {
        "ACKNOWLEDGEMENT_STATE_" + (isAcknowledged ? "ACKNOWLEDGED" : "PENDING")
    }

    private static func time(_ milliseconds: Int64) -> JSONValue {
        .string(PlayMoment.text(milliseconds))
    }
}
