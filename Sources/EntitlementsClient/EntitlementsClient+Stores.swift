import JSON

extension EntitlementsClient {
    /// Asks the stores about `userID` now, at most once in 60 s for a user.
    ///
    /// - Returns: The account after it; in between it is the present one, and nothing was applied.
    /// - Throws: `overloaded` when a store cannot be reached.
    public func reconcile(_ userID: String) async throws(ClientError) -> Reconciliation {
        try await write(
            "reconcile",
            ["userId": .string(userID)],
            isRepeatable: true,
            timeout: storeTimeout
        )
    }

    /// Signs a promotional offer, as StoreKit asks the server to.
    ///
    /// - Parameters:
    ///   - offerID: The offer.
    ///   - productID: The product that it is of.
    ///   - userID: Who gets it.
    ///   - applicationUsername: What the app gives StoreKit as the customer; the user's token where
    ///     absent.
    /// - Returns: The signature, in both forms.
    /// - Throws: `not_found` where there is nobody, `invalid_params` without a key of Apple's.
    public func signOffer(
        _ offerID: String,
        of productID: String,
        for userID: String,
        applicationUsername: String? = nil
    ) async throws(ClientError) -> SignedOffer {
        var parameters: JSONObject = [
            "userId": .string(userID), "productId": .string(productID), "offerId": .string(offerID),
        ]
        parameters["applicationUsername"] = applicationUsername.map { .string($0) }
        return try await read("signOffer", parameters, timeout: storeTimeout)
    }

    /// Signs whether a customer gets an introductory offer, as StoreKit asks the server to.
    ///
    /// - Parameters:
    ///   - isAllowed: Whether they do.
    ///   - productID: The product.
    ///   - userID: Who buys it.
    ///   - transactionID: Names the customer to Apple; found by the daemon where absent.
    /// - Returns: The signature.
    /// - Throws: `not_found` where no transaction is known of the user.
    public func signIntroductoryOffer(
        _ isAllowed: Bool,
        of productID: String,
        for userID: String,
        transactionID: String? = nil
    ) async throws(ClientError) -> SignedEligibility {
        var parameters: JSONObject = [
            "userId": .string(userID), "productId": .string(productID),
            "allowIntroductoryOffer": .bool(isAllowed),
        ]
        parameters["transactionId"] = transactionID.map { .string($0) }
        return try await read("signIntroductoryOffer", parameters, timeout: storeTimeout)
    }

    /// Answers Apple's question about a purchase whose refund is asked for; for support.
    public func sendConsumption(
        _ report: ConsumptionReport,
        about transactionID: String
    ) async throws(ClientError) -> StoreReply {
        var parameters = report.parameters
        parameters["transactionId"] = .string(transactionID)
        return try await write(
            "sendConsumption",
            parameters,
            isRepeatable: true,
            timeout: storeTimeout
        )
    }

    /// Puts off a renewal; for support.
    ///
    /// Never sent twice: look before you ask again.
    ///
    /// - Parameters:
    ///   - transactionID: Any transaction of the subscription.
    ///   - days: How many, at most 90.
    ///   - reasonCode: Apple's number for why: 0 undeclared, 1 satisfaction, 2 other, 3 outage.
    ///   - requestIdentifier: What Apple calls this request; made up where absent.
    /// - Returns: What Apple says.
    /// - Throws: `not_found` for a transaction that Apple does not know.
    public func extendRenewal(
        of transactionID: String,
        byDays days: Int,
        reasonCode: Int,
        requestIdentifier: String? = nil
    ) async throws(ClientError) -> StoreReply {
        var parameters: JSONObject = [
            "transactionId": .string(transactionID), "extendByDays": .integer(Int64(days)),
            "extendReasonCode": .integer(Int64(reasonCode)),
        ]
        parameters["requestIdentifier"] = requestIdentifier.map { .string($0) }
        return try await write(
            "extendRenewal",
            parameters,
            isRepeatable: false,
            timeout: storeTimeout
        )
    }

    /// Waits for a test notification of a store, `app_store` or `google_play`; for admins.
    public func testNotification(
        of store: String = "app_store",
        timeoutSeconds: Int = 60
    ) async throws(ClientError) -> TestDelivery {
        try await write(
            "testNotification",
            ["store": .string(store), "timeoutSeconds": .integer(Int64(timeoutSeconds))],
            isRepeatable: false,
            timeout: storeTimeout + .seconds(timeoutSeconds)
        )
    }
}
