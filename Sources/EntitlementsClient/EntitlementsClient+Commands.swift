import JSON

extension EntitlementsClient {
    /// Begins the account of `userID`, or links another token to it.
    ///
    /// Doing it again changes nothing, so the call is repeated after a lost connection; `created`
    /// is then false.
    ///
    /// - Parameters:
    ///   - userID: The user.
    ///   - appAccountToken: A UUID; without it the daemon derives one from the user.
    ///   - signedAppTransaction: The signed app transaction, where the catalog gives free credits
    ///     once for each.
    /// - Returns: The token to hand to the store.
    /// - Throws: `ownership_conflict` when the token is another user's, `verification_failed` with
    ///   a `reason`.
    public func registerAccount(
        _ userID: String,
        appAccountToken: String? = nil,
        signedAppTransaction: String? = nil
    ) async throws(ClientError) -> Registration {
        var parameters: JSONObject = ["userId": .string(userID)]
        parameters["appAccountToken"] = appAccountToken.map { .string($0) }
        parameters["signedAppTransaction"] = signedAppTransaction.map { .string($0) }
        return try await write("registerAccount", parameters)
    }

    /// Links `purchase` to `userID` once its signature holds.
    ///
    /// Doing it again changes nothing, so the call is repeated after a lost connection; `applied`
    /// is then false.
    ///
    /// - Parameters:
    ///   - purchase: The signed transaction or its id, and what the app claims about it.
    ///   - userID: The user.
    /// - Returns: The account after it.
    /// - Throws: `verification_failed` with a `reason`, `claim_mismatch` with a `field`,
    ///   `ownership_conflict` when the purchase is another user's.
    public func verifyPurchase(
        _ purchase: Purchase,
        for userID: String
    ) async throws(ClientError) -> Verification {
        var parameters: JSONObject = ["userId": .string(userID)]
        parameters["signedTransaction"] = purchase.signedTransaction.map { .string($0) }
        parameters["purchaseToken"] = purchase.purchaseToken.map { .string($0) }
        parameters["checkoutSession"] = purchase.checkoutSession.map { .string($0) }
        parameters["stripeSubscription"] = purchase.stripeSubscription.map { .string($0) }
        parameters["signedRenewalInfo"] = purchase.signedRenewalInfo.map { .string($0) }
        parameters["productId"] = purchase.productID.map { .string($0) }
        parameters["transactionId"] = purchase.transactionID.map { .string($0) }
        parameters["originalTransactionId"] = purchase.originalTransactionID.map { .string($0) }
        parameters["appAccountToken"] = purchase.appAccountToken.map { .string($0) }
        return try await write("verifyPurchase", parameters, isSlow: true)
    }

    /// Links what a device knows of its user's purchases, as its `Restore Purchases` asks for.
    ///
    /// What becomes of a purchase that is another user's is configured in the daemon. One document
    /// that does not verify fails the call, and nothing is applied.
    ///
    /// - Parameters:
    ///   - signedTransactions: Signed transactions.
    ///   - purchaseTokens: What Google Play gave the device; 1 to 100 of both together.
    ///   - receiptData: An app receipt in base64, in the place of both.
    ///   - userID: The user.
    ///   - appAccountToken: A signed token that nobody registered, named as the user's: one that
    ///     your server computed, never one that a device sent.
    /// - Returns: The account after it, and what became of each subscription.
    /// - Throws: `verification_failed` with a `reason`.
    public func restorePurchases(
        _ signedTransactions: [String] = [],
        purchaseTokens: [String] = [],
        receiptData: String? = nil,
        for userID: String,
        appAccountToken: String? = nil
    ) async throws(ClientError) -> Restoration {
        var parameters: JSONObject = ["userId": .string(userID)]
        let isOther = !purchaseTokens.isEmpty || receiptData != nil
        if !signedTransactions.isEmpty || !isOther {
            parameters["signedTransactions"] = .array(signedTransactions.map { .string($0) })
        }
        if !purchaseTokens.isEmpty {
            parameters["purchaseTokens"] = .array(purchaseTokens.map { .string($0) })
        }
        parameters["receiptData"] = receiptData.map { .string($0) }
        parameters["appAccountToken"] = appAccountToken.map { .string($0) }
        return try await write("restorePurchases", parameters, isSlow: true)
    }

    /// Gives what an anonymous account has to the one that logged in.
    ///
    /// Purchases, tokens, grants, credits, holds and the history go; free credits stay once. The
    /// first account is gone after it: a write that names it is `ownership_conflict` with the
    /// reason `merged`.
    ///
    /// - Parameters:
    ///   - guestID: The anonymous account.
    ///   - userID: The account that logged in.
    ///   - idempotencyKey: Names this call; to repeat it is safe under any key.
    /// - Returns: The account that has everything now.
    /// - Throws: `ownership_conflict` when one of the two went into another account before.
    public func mergeAccounts(
        from guestID: String,
        into userID: String,
        idempotencyKey: String? = nil
    ) async throws(ClientError) -> MergeReceipt {
        let parameters: JSONObject = [
            "fromUserId": .string(guestID), "intoUserId": .string(userID),
        ]
        let key = idempotencyKey ?? IdempotencyKey.fresh()
        return try await write("mergeAccounts", parameters, under: key)
    }

    /// Links the purchases of an app receipt, from the time before signed transactions.
    ///
    /// - Parameters:
    ///   - receiptData: The receipt in base64.
    ///   - userID: The user.
    ///   - productID: The product that is asked about.
    ///   - appAccountToken: A token that nobody registered, on one of the purchases, named as the
    ///     user's.
    /// - Returns: Whether it gives access, and the account after it.
    /// - Throws: `verification_failed` or `ownership_conflict`, each with a `reason`.
    public func verifyReceipt(
        _ receiptData: String,
        for userID: String,
        productID: String? = nil,
        appAccountToken: String? = nil
    ) async throws(ClientError) -> ReceiptVerification {
        var parameters: JSONObject = [
            "userId": .string(userID), "receiptData": .string(receiptData),
        ]
        parameters["productId"] = productID.map { .string($0) }
        parameters["appAccountToken"] = appAccountToken.map { .string($0) }
        return try await write("verifyReceipt", parameters, isSlow: true)
    }
}
