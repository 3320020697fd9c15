import Entitlements
import JSON
import Wire

extension Call {
    /// `extendRenewal`: days given to a customer who has paid, by the store itself.
    static let extendRenewal = errand(
        "extendRenewal",
        for: .support,
        asking: .extensions,
        taking: [
            "transactionId", "extendByDays", "extendReasonCode", "requestIdentifier", "bundleId",
        ]
    ) { (worker, params, _, client) throws(RPCFailure) in
        guard let transaction = try params.storeID("transactionId") else {
            throw .invalid("transactionId", "is missing")
        }
        guard let days = try params.count("extendByDays", max: MethodLimits.extensionDaysMax) else {
            throw .invalid("extendByDays", "is missing")
        }
        guard let reason = try params.number("extendReasonCode", in: 0...3) else {
            throw .invalid("extendReasonCode", "is missing")
        }
        let wish = ExtensionWish(
            transactionID: transaction,
            bundleID: try params.namedApp(of: client),
            days: days,
            reason: reason,
            requestID: try params.storeID("requestIdentifier") ?? "\(Token.nonce())"
        )
        return .ask { () async throws(RPCFailure) in
            do throws(StoreAPIFailure) {
                let done = try await client.extend(wish)
                return [
                    "success": .bool(done.isSuccess),
                    "originalTransactionId": .string(done.originalTransactionID),
                    "webOrderLineItemId": done.webOrderLineItemID.map { .string($0) } ?? .null,
                    "effectiveDate": done.effective.map {
                        .string(TimeText.text($0.milliseconds))
                    } ?? .null,
                    "requestIdentifier": .string(wish.requestID),
                ]
            } catch {
                return try error.answer()
            }
        }
    }
}
