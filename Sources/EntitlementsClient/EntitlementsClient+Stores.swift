import JSON

extension EntitlementsClient {
    /// Asks the stores about `userID` now, at most once in 60 s for a user.
    ///
    /// - Returns: The account after it; in between it is the present one, and nothing was applied.
    /// - Throws: `overloaded` when a store cannot be reached.
    public func reconcile(_ userID: String) async throws(ClientError) -> Reconciliation {
        try await write("reconcile", ["userId": .string(userID)], isSlow: true)
    }

    /// Begins to ask the stores about everything, and does not wait for the end; for support.
    ///
    /// How far it is stands under `reconcile` in the `json` of `stats`.
    ///
    /// - Returns: Whether it is under way.
    /// - Throws: `invalid_params` where the daemon can ask no store.
    @discardableResult
    public func reconcile() async throws(ClientError) -> Bool {
        let result = try await result(of: "reconcile", [:], timeout: writeTimeout)
        guard let isRunning = result["running"]?.bool else {
            throw .malformedReply("running in the result of reconcile is not what is documented")
        }
        return isRunning
    }

    /// Signs a promotional offer, as StoreKit asks the server to.
    ///
    /// - Parameters:
    ///   - offerID: The offer.
    ///   - productID: The product that it is of.
    ///   - userID: Who gets it.
    ///   - appAccountToken: The token that the app gives StoreKit with the purchase; the one that
    ///     `registerAccount` answers where absent.
    ///   - applicationUsername: What the app gives StoreKit as the customer in place of a token;
    ///     empty for a purchase with neither.
    ///   - transactionID: Any transaction of the customer's, or the app transaction's id; found by
    ///     the daemon where absent.
    ///   - bundleID: One of the configured apps; the default one where absent.
    ///   - minSeq: What the answer must reflect.
    /// - Returns: The signature, in both forms.
    /// - Throws: `ownership_conflict` when the token is another user's, `invalid_params` without a
    ///   key of Apple's.
    public func signOffer(
        _ offerID: String,
        of productID: String,
        for userID: String,
        appAccountToken: String? = nil,
        applicationUsername: String? = nil,
        transactionID: String? = nil,
        bundleID: String? = nil,
        minSeq: Int64? = nil
    ) async throws(ClientError) -> SignedOffer {
        var parameters = question(about: userID, minSeq)
        parameters["productId"] = .string(productID)
        parameters["offerId"] = .string(offerID)
        parameters["appAccountToken"] = appAccountToken.map { .string($0) }
        parameters["applicationUsername"] = applicationUsername.map { .string($0) }
        parameters["transactionId"] = transactionID.map { .string($0) }
        parameters["bundleId"] = bundleID.map { .string($0) }
        return try await read("signOffer", parameters, isSlow: true)
    }

    /// Signs whether a customer gets an introductory offer, as StoreKit asks the server to.
    ///
    /// - Parameters:
    ///   - isAllowed: Whether they do.
    ///   - productID: The product.
    ///   - userID: Who buys it.
    ///   - transactionID: Names the customer to Apple; found by the daemon where absent.
    ///   - bundleID: One of the configured apps; the default one where absent.
    ///   - minSeq: What the answer must reflect.
    /// - Returns: The signature.
    /// - Throws: `invalid_params` where no transaction is named, and none is known of the user.
    public func signIntroductoryOffer(
        _ isAllowed: Bool = true,
        of productID: String,
        for userID: String,
        transactionID: String? = nil,
        bundleID: String? = nil,
        minSeq: Int64? = nil
    ) async throws(ClientError) -> SignedEligibility {
        var parameters = question(about: userID, minSeq)
        parameters["productId"] = .string(productID)
        parameters["allowIntroductoryOffer"] = .bool(isAllowed)
        parameters["transactionId"] = transactionID.map { .string($0) }
        parameters["bundleId"] = bundleID.map { .string($0) }
        return try await read("signIntroductoryOffer", parameters, isSlow: true)
    }

    /// Answers Apple's question about a purchase whose refund is asked for; for support.
    ///
    /// - Parameters:
    ///   - report: What you tell Apple.
    ///   - transactionID: The purchase.
    ///   - bundleID: One of the configured apps; whichever knows the transaction where absent.
    /// - Returns: What Apple says.
    /// - Throws: `not_found` for a transaction that Apple does not know.
    public func sendConsumption(
        _ report: ConsumptionReport,
        about transactionID: String,
        bundleID: String? = nil
    ) async throws(ClientError) -> StoreReply {
        var parameters = report.parameters
        parameters["transactionId"] = .string(transactionID)
        parameters["bundleId"] = bundleID.map { .string($0) }
        return try await write("sendConsumption", parameters, isSlow: true)
    }

    /// Puts off a renewal; for support.
    ///
    /// In doubt it is not sent again: look before you ask once more.
    ///
    /// - Parameters:
    ///   - transactionID: Any transaction of the subscription.
    ///   - days: How many, at most 90.
    ///   - reasonCode: Apple's number for why: 0 undeclared, 1 satisfaction, 2 other, 3 outage.
    ///   - requestIdentifier: What Apple calls this request; made up where absent.
    ///   - bundleID: One of the configured apps; whichever knows the transaction where absent.
    /// - Returns: What Apple says.
    /// - Throws: `not_found` for a transaction that Apple does not know.
    public func extendRenewal(
        of transactionID: String,
        byDays days: Int,
        reasonCode: Int,
        requestIdentifier: String? = nil,
        bundleID: String? = nil
    ) async throws(ClientError) -> StoreReply {
        var parameters: JSONObject = [
            "transactionId": .string(transactionID), "extendByDays": .integer(Int64(days)),
            "extendReasonCode": .integer(Int64(reasonCode)),
        ]
        parameters["requestIdentifier"] = requestIdentifier.map { .string($0) }
        parameters["bundleId"] = bundleID.map { .string($0) }
        return try await write("extendRenewal", parameters, isSlow: true)
    }

    /// Waits for a test notification of a store, `app_store` or `google_play`; for admins.
    public func testNotification(
        of store: String = "app_store",
        timeoutSeconds: Int = 60
    ) async throws(ClientError) -> TestDelivery {
        try await write(
            "testNotification",
            ["store": .string(store), "timeoutSeconds": .integer(Int64(timeoutSeconds))],
            timeout: storeTimeout + .seconds(timeoutSeconds),
            isSlow: true
        )
    }
}
