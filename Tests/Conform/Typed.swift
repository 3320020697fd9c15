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

    /// Asks the same by the client's own call, where `method` is a question about a user.
    static func ask(
        _ client: EntitlementsClient,
        _ method: String,
        _ parameters: JSONObject
    ) async throws(ClientError) {
        guard let user = parameters["userId"]?.string else { return }
        switch method {
        case "canRender": _ = try await client.canRender(user)
        case "can": _ = try await client.can(user, use: parameters["feature"]?.string ?? "")
        case "getStatus": _ = try await client.status(of: user)
        case "getEntitlement": _ = try await client.entitlement(of: user)
        case "getSubscriptions": _ = try await client.subscriptions(of: user)
        case "getCredits": _ = try await client.credits(of: user)
        case "getHistory": _ = try await client.history(of: user)
        case "explain": _ = try await client.explain(user)
        case "getManagementURL": _ = try await client.managementURL(of: user)
        default: return
        }
    }
}
