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
    /// - Returns: The token to hand to the store.
    /// - Throws: `ownership_conflict` when the token is another user's.
    public func registerAccount(
        _ userID: String,
        appAccountToken: String? = nil
    ) async throws(ClientError) -> Registration {
        var parameters: JSONObject = ["userId": .string(userID)]
        parameters["appAccountToken"] = appAccountToken.map { .string($0) }
        return try Registration(
            await write("registerAccount", parameters, isRepeatable: true)
        )
    }

    /// Links `purchase` to `userID` once its signature holds.
    ///
    /// Doing it again changes nothing, so the call is repeated after a lost connection; `applied`
    /// is then false.
    ///
    /// - Parameters:
    ///   - purchase: The signed transaction, and what the app claims about it.
    ///   - userID: The user.
    /// - Returns: The account after it.
    /// - Throws: `verification_failed` with a `reason`, `claim_mismatch` with a `field`,
    ///   `ownership_conflict` when the purchase is another user's.
    public func verifyPurchase(
        _ purchase: Purchase,
        for userID: String
    ) async throws(ClientError) -> Verification {
        var parameters: JSONObject = [
            "userId": .string(userID),
            "signedTransaction": .string(purchase.signedTransaction),
        ]
        parameters["signedRenewalInfo"] = purchase.signedRenewalInfo.map { .string($0) }
        parameters["productId"] = purchase.productID.map { .string($0) }
        parameters["transactionId"] = purchase.transactionID.map { .string($0) }
        parameters["originalTransactionId"] = purchase.originalTransactionID.map { .string($0) }
        parameters["appAccountToken"] = purchase.appAccountToken.map { .string($0) }
        return try Verification(
            await write("verifyPurchase", parameters, isRepeatable: true)
        )
    }

    /// Gives `userID` the access of a plan; for admins.
    ///
    /// - Parameters:
    ///   - grant: What is given. Its key makes repeating it safe.
    ///   - userID: The user.
    /// - Returns: The grant's name and the account after it.
    /// - Throws: `invalid_params` for an unknown plan, `idempotency_mismatch` when the key was
    ///   used for something else.
    public func grantEntitlement(
        _ grant: GrantRequest,
        to userID: String
    ) async throws(ClientError) -> GrantReceipt {
        var parameters: JSONObject = [
            "userId": .string(userID),
            "plan": .string(grant.plan),
            "idempotencyKey": .string(grant.idempotencyKey),
        ]
        parameters["expiresAt"] = grant.expiresAt.map { .string(UTCTime.text($0)) }
        parameters["startsAt"] = grant.startsAt.map { .string(UTCTime.text($0)) }
        parameters["store"] = grant.store.map { .string($0) }
        parameters["reason"] = grant.reason.map { .string($0) }
        return try GrantReceipt(
            await write("grantEntitlement", parameters, isRepeatable: true)
        )
    }

    /// Takes the grant back that `grantEntitlement` named; for admins.
    ///
    /// It has no key: after a lost connection ask for the status before you repeat it.
    ///
    /// - Parameters:
    ///   - grant: Its name.
    ///   - userID: The user.
    ///   - reason: Why, for the history.
    /// - Returns: The account after it.
    /// - Throws: `not_found` when the user has no such grant.
    public func revokeGrant(
        _ grant: String,
        of userID: String,
        reason: String? = nil
    ) async throws(ClientError) -> RevocationReceipt {
        var parameters: JSONObject = ["userId": .string(userID), "grant": .string(grant)]
        parameters["reason"] = reason.map { .string($0) }
        return try RevocationReceipt(
            await write("revokeGrant", parameters, isRepeatable: false)
        )
    }
}
