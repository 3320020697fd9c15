import EntitlementsClient
import JSON

/// The client's own types beside what the daemon answers.
enum Typed {
    /// Reads `result` as the type that the client's call for `method` returns.
    static func check(_ method: String, _ result: JSONObject) throws(ClientError) {
        guard try !checkQuestion(method, result) else { return }
        guard try !checkCommand(method, result) else { return }
        try checkUpkeep(method, result)
    }

    /// Reads the result of a question; false where `method` is none.
    private static func checkQuestion(
        _ method: String,
        _ result: JSONObject
    ) throws(ClientError) -> Bool {
        switch method {
        case "canRender": try read(RenderAnswer.self, .object(result), method)
        case "can": try read(FeatureAnswer.self, .object(result), method)
        case "getStatus": try read(AccountStatus.self, .object(result), method)
        case "getEntitlement": try read(Entitlement.self, result["entitlement"], method)
        case "getSubscriptions":
            try read([OwnedSubscription].self, result["subscriptions"], method)
        case "getCredits": try read(CreditBalance.self, .object(result), method)
        case "getManagementURL": try read(String?.self, result["url"], method)
        case "getHistory": try read(HistoryPage.self, .object(result), method)
        case "explain": try read(Explanation.self, with(["json": "{}"], result), method)
        case "signOffer": try read(SignedOffer.self, .object(result), method)
        case "signIntroductoryOffer": try read(SignedEligibility.self, .object(result), method)
        case "find": try read([FoundName].self, result["matches"], method)
        case "version": try read(DaemonVersion.self, .object(result), method)
        default: return false
        }
        return true
    }

    /// Reads the result of a command; false where `method` is none.
    private static func checkCommand(
        _ method: String,
        _ result: JSONObject
    ) throws(ClientError) -> Bool {
        let whole = JSONValue.object(result)
        // The client adds it to what the daemon answers.
        let keyed = with(["idempotencyKey": "key"], result)
        switch method {
        case "registerAccount": try read(Registration.self, whole, method)
        case "verifyPurchase": try read(Verification.self, whole, method)
        case "restorePurchases": try read(Restoration.self, whole, method)
        case "verifyReceipt": try read(ReceiptVerification.self, whole, method)
        case "consumeCredit", "reverseCredits": try read(CreditReceipt.self, keyed, method)
        case "reserveCredits": try read(Reservation.self, keyed, method)
        case "commitReservation", "releaseReservation": try read(Settlement.self, whole, method)
        case "mergeAccounts": try read(MergeReceipt.self, whole, method)
        case "grantEntitlement": try read(GrantReceipt.self, whole, method)
        case "revokeGrant": try read(RevocationReceipt.self, whole, method)
        case "movePurchase": try read(MoveReceipt.self, whole, method)
        case "grantCredits", "adjustCredits": try read(CreditGrantReceipt.self, whole, method)
        case "sendConsumption", "extendRenewal": try read(StoreReply.self, whole, method)
        case "eraseUser": try read(Erasure.self, whole, method)
        // Without a user it says no more than that it runs.
        case "reconcile" where result["running"] != nil:
            try read(Bool.self, result["running"], method)
        case "reconcile": try read(Reconciliation.self, whole, method)
        case "testNotification": try read(TestDelivery.self, whole, method)
        default: return false
        }
        return true
    }

    /// Reads the result of what operators ask; of `ping` and the like there is nothing to read.
    private static func checkUpkeep(_ method: String, _ result: JSONObject) throws(ClientError) {
        switch method {
        case "stats": try read(DaemonStats.self, with(["json": "{}"], result), method)
        case "dump": _ = try RowPage(result)
        case "load": try read(Int64.self, result["loaded"], method)
        case "exportUser": _ = try PersonalRecord(result)
        case "backup": try read(Backup.self, .object(result), method)
        case "previewCatalog": _ = try CatalogPreview(result)
        case "getOutboxes": try read([OutboxStatus].self, result["outboxes"], method)
        case "retryOutbox": try read(OutboxRetry.self, .object(result), method)
        case "testOutbox": try read(OutboxTest.self, .object(result), method)
        default: break
        }
    }

    private static func read<Answer: Decodable>(
        _: Answer.Type,
        _ value: JSONValue?,
        _ method: String
    ) throws(ClientError) {
        let _: Answer = try (value ?? .null).decoded(of: method)
    }

    private static func with(_ members: JSONObject, _ result: JSONObject) -> JSONValue {
        .object(JSONObject(result.members + members.members))
    }

    /// Asks the same by the client's own call, where there is one for `method`; a command has a
    /// key, and is answered as it was.
    ///
    /// - Returns: what the typed answer says otherwise than `result`; nil where they agree.
    static func difference(
        _ client: EntitlementsClient,
        _ method: String,
        _ parameters: JSONObject,
        _ result: JSONObject
    ) async throws(ClientError) -> String? {
        guard let user = parameters["userId"]?.string else { return nil }
        func text(_ name: String) -> String? { parameters[name]?.string }
        func number(_ name: String) -> Int64 { parameters[name]?.int64 ?? 1 }
        var said: JSONObject = [:]
        switch method {
        case "canRender":
            let answer = try await client.canRender(user, cost: Int(number("cost")))
            said = ["canRender": .bool(answer.canRender), "state": .string(answer.state.rawValue)]
        case "can":
            let answer = try await client.can(user, use: text("feature") ?? "")
            said = ["allowed": .bool(answer.allowed), "state": .string(answer.state.rawValue)]
        case "getStatus" where parameters["at"] == nil:
            let status = try await client.status(of: user)
            said = [
                "userId": .string(status.userID), "state": .string(status.state.rawValue),
                "tier": .string(status.tier), "plan": status.plan.map { .string($0) } ?? .null,
                "creditsRemaining": .integer(status.creditsRemaining),
            ]
        case "getCredits":
            let minSeq = parameters["minSeq"]?.int64
            let credits = try await client.credits(of: user, minSeq: minSeq)
            said = ["balance": .integer(credits.balance), "held": .integer(credits.held)]
        case "consumeCredit":
            let key = text("idempotencyKey")
            let amount = number("amount")
            let again = try await client.consumeCredit(
                of: user,
                amount: amount,
                idempotencyKey: key
            )
            said = ["creditsRemaining": .integer(again.creditsRemaining)]
        case "registerAccount" where parameters.members.count == 1:
            let again = try await client.registerAccount(user)
            said = ["appAccountToken": .string(again.appAccountToken)]
        case "getEntitlement": _ = try await client.entitlement(of: user)
        case "getSubscriptions": _ = try await client.subscriptions(of: user)
        case "getHistory": _ = try await client.history(of: user)
        case "explain": _ = try await client.explain(user)
        case "getManagementURL": _ = try await client.managementURL(of: user)
        default: return nil
        }
        for member in said.members where result[member.key] != member.value {
            return "the client says \(member.value) for \(member.key)"
        }
        return nil
    }
}
