import EntitlementsClient
import JSON

/// The client's own types beside what the daemon answers.
enum Typed {
    /// Reads `result` as the type that the client's call for `method` returns.
    static func check(_ method: String, _ result: JSONObject) throws(ClientError) {
        let value = JSONValue.object(result)
        switch method {
        case "verifyPurchase": let _: Verification = try value.decoded(of: method)
        case "restorePurchases": let _: Restoration = try value.decoded(of: method)
        case "verifyReceipt": let _: ReceiptVerification = try value.decoded(of: method)
        case "registerAccount": let _: Registration = try value.decoded(of: method)
        case "commitReservation", "releaseReservation":
            let _: Settlement = try value.decoded(of: method)
        case "revokeGrant": let _: RevocationReceipt = try value.decoded(of: method)
        case "movePurchase": let _: MoveReceipt = try value.decoded(of: method)
        case "eraseUser": let _: Erasure = try value.decoded(of: method)
        default: break
        }
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
