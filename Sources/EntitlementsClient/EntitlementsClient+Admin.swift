import JSON

extension EntitlementsClient {
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
        ]
        parameters["expiresAt"] = grant.expiresAt.map { .string(UTCTime.text($0)) }
        parameters["startsAt"] = grant.startsAt.map { .string(UTCTime.text($0)) }
        parameters["store"] = grant.store.map { .string($0) }
        parameters["reason"] = grant.reason.map { .string($0) }
        return try await write("grantEntitlement", parameters, under: grant.idempotencyKey)
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
    /// - Throws: `not_found` when the user has no such grant, or has it no more.
    public func revokeGrant(
        _ grant: String,
        of userID: String,
        reason: String? = nil
    ) async throws(ClientError) -> RevocationReceipt {
        var parameters: JSONObject = ["userId": .string(userID), "grant": .string(grant)]
        parameters["reason"] = reason.map { .string($0) }
        return try await write("revokeGrant", parameters)
    }

    /// Gives a purchase to another user; for support.
    ///
    /// It has no key, and to repeat it would overrule what was decided in between: after a lost
    /// connection look first whose the purchase is.
    ///
    /// - Parameters:
    ///   - originalTransactionID: What the store calls the purchase.
    ///   - store: Its store, `app_store` unless named.
    ///   - userID: Who is to have it.
    ///   - reason: Why, for the history.
    /// - Returns: The account that has it.
    /// - Throws: `not_found` when nothing is known of the purchase.
    public func movePurchase(
        _ originalTransactionID: String,
        of store: String = "app_store",
        to userID: String,
        reason: String
    ) async throws(ClientError) -> MoveReceipt {
        let parameters: JSONObject = [
            "store": .string(store), "originalTransactionId": .string(originalTransactionID),
            "toUserId": .string(userID), "reason": .string(reason),
        ]
        return try await write("movePurchase", parameters)
    }

    /// Whose something is that is called `text`: a user id, a token, or a number of any store.
    public func find(
        _ text: String,
        minSeq: Int64? = nil
    ) async throws(ClientError) -> [FoundName] {
        let parameters = question(["text": .string(text)], minSeq)
        return try await read("find", parameters, member: "matches", timeout: writeTimeout)
    }

    /// Gives `userID` credits; for admins.
    ///
    /// - Parameters:
    ///   - credits: How many, until when, and why. Its key makes repeating it safe.
    ///   - userID: The user.
    /// - Returns: What can be spent after it.
    /// - Throws: `idempotency_mismatch` when the key was used for something else.
    public func grantCredits(
        _ credits: CreditGrant,
        to userID: String
    ) async throws(ClientError) -> CreditGrantReceipt {
        try await credit("grantCredits", credits, userID)
    }

    /// Corrects the credits of `userID`, up or down; for admins.
    ///
    /// It stops at 0.
    ///
    /// - Parameters:
    ///   - credits: How many, and why. Its key makes repeating it safe.
    ///   - userID: The user.
    /// - Returns: What can be spent after it.
    /// - Throws: `idempotency_mismatch` when the key was used for something else.
    public func adjustCredits(
        _ credits: CreditGrant,
        of userID: String
    ) async throws(ClientError) -> CreditGrantReceipt {
        try await credit("adjustCredits", credits, userID)
    }

    /// Erases everything about `userID`; for admins.
    ///
    /// It has no key: after a lost connection repeat it, which does no harm.
    ///
    /// - Returns: Whether there was anything to erase.
    /// - Throws: `ClientError` when the daemon does not answer, or refuses.
    public func eraseUser(_ userID: String) async throws(ClientError) -> Erasure {
        try await write("eraseUser", ["userId": .string(userID)])
    }

    /// Everything that is kept about `userID`; for admins.
    ///
    /// - Parameters:
    ///   - userID: The user.
    ///   - minSeq: What each page must reflect.
    /// - Returns: The record, put together from its pages.
    /// - Throws: `ClientError` when a page does not come or is not what is documented.
    public func exportUser(
        _ userID: String,
        minSeq: Int64? = nil
    ) async throws(ClientError) -> PersonalRecord {
        var pages = ExportPages(of: userID)
        while true {
            let page = try await result(
                of: "exportUser",
                question(pages.parameters, minSeq),
                timeout: writeTimeout
            )
            if try pages.take(page) { return try PersonalRecord(pages.whole) }
        }
    }

    private func credit(
        _ method: String,
        _ credits: CreditGrant,
        _ userID: String
    ) async throws(ClientError) -> CreditGrantReceipt {
        var parameters: JSONObject = [
            "userId": .string(userID), "amount": .integer(credits.amount),
        ]
        parameters["expiresAt"] = credits.expiresAt.map { .string(UTCTime.text($0)) }
        parameters["source"] = credits.source.map { .string($0) }
        parameters["reason"] = credits.reason.map { .string($0) }
        return try await write(method, parameters, under: credits.idempotencyKey)
    }
}
