import JSON

/// Writes payloads in Apple's shape, all signed at one
/// moment.
struct Payloads {
    let settings: StoreSettings
    let signed: Int64

    /// The outer object of notifications about a purchase.
    func data(status: Int64?, consumptionReason: String?) -> JSONObject {
        var object: JSONObject = [
            "appAppleId": .integer(settings.appAppleID),
            "bundleId": .string(settings.bundleID),
            "bundleVersion": "1",
            "environment": environment,
        ]
        object["status"] = status.map { .integer($0) }
        object["consumptionRequestReason"] = consumptionReason.map { .string($0) }
        return object
    }

    func transaction(_ transaction: SimulatedTransaction, of subscriber: Subscriber) -> JSONObject {
        let isSubscription = transaction.product.kind == .autoRenewable
        var payload: JSONObject = [
            "transactionId": .string(transaction.id),
            "originalTransactionId": .string(transaction.originalID),
        ]
        if isSubscription {
            payload["webOrderLineItemId"] = .string(transaction.webOrderLineItemID)
        }
        payload["bundleId"] = .string(settings.bundleID)
        payload["productId"] = .string(transaction.product.id)
        if isSubscription {
            payload["subscriptionGroupIdentifier"] = .string(StoreSettings.group)
        }
        payload["purchaseDate"] = .integer(transaction.purchaseDate)
        payload["originalPurchaseDate"] = .integer(transaction.originalPurchaseDate)
        payload["expiresDate"] = transaction.expiresDate.map { .integer($0) }
        payload["quantity"] = .integer(transaction.quantity)
        payload["type"] = .string(transaction.product.kind.rawValue)
        payload["appAccountToken"] = transaction.token.map { .string($0) }
        payload["inAppOwnershipType"] = transaction.isFamilyShared ? "FAMILY_SHARED" : "PURCHASED"
        payload["signedDate"] = .integer(signed)
        if let revocation = transaction.revocation { add(revocation, to: &payload) }
        if transaction.isUpgraded { payload["isUpgraded"] = true }
        if let offer = transaction.offer { add(offer, to: &payload) }
        payload["environment"] = environment
        payload["transactionReason"] = transaction.isRenewal ? "RENEWAL" : "PURCHASE"
        payload["storefront"] = "USA"
        payload["storefrontId"] = "143441"
        payload["price"] = .integer(transaction.price)
        payload["currency"] = "USD"
        payload["appTransactionId"] = .string(subscriber.appTransactionID)
        payload["previousOriginalTransactionId"] = transaction.previousOriginalID.map {
            .string($0)
        }
        if let commitment = transaction.commitment {
            payload["billingPlanType"] = "MONTHLY"
            payload["commitmentInfo"] = [
                "billingPeriodNumber": .integer(commitment.number),
                "totalBillingPeriods": .integer(commitment.count),
                "commitmentPrice": .integer(commitment.price),
                "commitmentExpiresDate": .integer(commitment.expires),
            ]
        }
        if let commerce = transaction.commerce {
            payload["advancedCommerceInfo"] = .object(transactionInfo(commerce, transaction))
        }
        return payload
    }

    /// The customer's download of the app.
    func appTransaction(of subscriber: Subscriber) -> JSONObject {
        let first = subscriber.transactions.first?.originalPurchaseDate
        return [
            "receiptType": environment,
            "appAppleId": .integer(settings.appAppleID),
            "bundleId": .string(settings.bundleID),
            "applicationVersion": "1",
            "versionExternalIdentifier": 1,
            "receiptCreationDate": .integer(signed),
            "originalPurchaseDate": .integer(subscriber.joined ?? first ?? signed),
            "originalApplicationVersion": "1",
            "appTransactionId": .string(subscriber.appTransactionID),
            "originalPlatform": "iOS",
        ]
    }

    /// Nil for a customer without a subscription.
    func renewal(of subscriber: Subscriber) -> JSONObject? {
        guard let state = subscriber.renewal, let current = subscriber.current(at: signed),
            let end = subscriber.paidUntil(at: signed)
        else { return nil }
        var payload: JSONObject = ["originalTransactionId": .string(current.originalID)]
        payload["expirationIntent"] = state.expirationIntent.map { .integer($0.rawValue) }
        payload["autoRenewProductId"] = .string(state.productID)
        payload["productId"] = .string(current.product.id)
        payload["autoRenewStatus"] = .integer(state.isOn ? 1 : 0)
        payload["isInBillingRetryPeriod"] = state.isInBillingRetry.map { .bool($0) }
        payload["priceIncreaseStatus"] = state.priceIncrease.map { .integer($0) }
        payload["gracePeriodExpiresDate"] = state.graceUntil.map { .integer($0) }
        if let offer = state.offer { add(offer, to: &payload) }
        payload["signedDate"] = .integer(signed)
        payload["environment"] = environment
        payload["recentSubscriptionStartDate"] = .integer(state.recentStart)
        payload["renewalDate"] = .integer(end)
        if state.isOn, let next = settings.products.first(where: { $0.id == state.productID }) {
            let monthly = state.isCommitmentOn == nil ? nil : subscriber.lastCommitted?.price
            let price = monthly ?? state.offer?.price(of: next) ?? next.price
            payload["currency"] = "USD"
            payload["renewalPrice"] = .integer(price)
        }
        if let isOn = state.isCommitmentOn, let last = subscriber.lastCommitted?.commitment {
            payload["renewalBillingPlanType"] = "MONTHLY"
            payload["commitmentInfo"] = [
                "commitmentAutoRenewProductId": .string(state.productID),
                "commitmentAutoRenewStatus": .integer(isOn ? 1 : 0),
                "commitmentRenewalBillingPlanType": "MONTHLY",
                "commitmentRenewalDate": .integer(last.expires),
                "commitmentRenewalPrice": .integer(last.price),
            ]
        }
        payload["appTransactionId"] = .string(subscriber.appTransactionID)
        payload["appAccountToken"] = current.token.map { .string($0) }
        if let commerce = current.commerce {
            payload["advancedCommerceInfo"] = .object(renewalInfo(commerce, current))
        }
        return payload
    }

    private var environment: JSONValue { .string(settings.environment.rawValue) }

    private func add(_ revocation: SimulatedTransaction.Revocation, to payload: inout JSONObject) {
        payload["revocationDate"] = .integer(revocation.date)
        payload["revocationReason"] = .integer(revocation.reason)
        payload["revocationType"] = .string(revocation.kind.rawValue)
        if revocation.kind != .family {
            payload["revocationPercentage"] = .integer(revocation.percentage)
        }
    }

    private func add(_ offer: Offer, to payload: inout JSONObject) {
        payload["offerType"] = .integer(offer.kind.rawValue)
        payload["offerIdentifier"] = offer.id.map { .string($0) }
        payload["offerDiscountType"] = .string(offer.discount.rawValue)
        payload["offerPeriod"] = .string(offer.period.description)
    }

    private func transactionInfo(
        _ commerce: SimulatedTransaction.Commerce,
        _ transaction: SimulatedTransaction
    ) -> JSONObject {
        var items: [JSONValue] = [.object(item(commerce.sku, commerce))]
        if let date = commerce.itemRefunded {
            var refunded = item(commerce.sku + ".extra", commerce)
            refunded["refunds"] = [
                [
                    "refundAmount": .integer(commerce.price), "refundDate": .integer(date),
                    "refundReason": "UNSATISFIED_WITH_PURCHASE", "refundType": "FULL",
                ]
            ]
            refunded["revocationDate"] = .integer(date)
            items.append(.object(refunded))
        }
        var info = shared(commerce, transaction)
        info["estimatedTax"] = 0
        info["taxExclusivePrice"] = .integer(commerce.price)
        info["taxRate"] = "0"
        info["items"] = .array(items)
        return info
    }

    private func renewalInfo(
        _ commerce: SimulatedTransaction.Commerce,
        _ transaction: SimulatedTransaction
    ) -> JSONObject {
        var info = shared(commerce, transaction)
        info["consistencyToken"] = .string(transaction.id)
        info["items"] = .array([.object(item(commerce.sku, commerce))])
        return info
    }

    private func item(_ sku: String, _ commerce: SimulatedTransaction.Commerce) -> JSONObject {
        [
            "SKU": .string(sku),
            "description": .string(commerce.displayName),
            "displayName": .string(commerce.displayName),
            "price": .integer(commerce.price),
        ]
    }

    private func shared(
        _ commerce: SimulatedTransaction.Commerce,
        _ transaction: SimulatedTransaction
    ) -> JSONObject {
        var info: JSONObject = [
            "requestReferenceId": .string(commerce.requestID),
            "taxCode": "C003-00-2",
            "descriptors": [
                "description": .string(commerce.displayName),
                "displayName": .string(commerce.displayName),
            ],
        ]
        info["period"] = transaction.product.period.map { .string($0.description) }
        return info
    }
}
