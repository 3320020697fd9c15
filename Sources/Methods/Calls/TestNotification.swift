import Entitlements
import JSON
import Wire

extension Call {
    /// `testNotification`: whether a notification of the store arrives here.
    static let testNotification = errand(
        "testNotification",
        for: .admin,
        asking: .testNotification,
        taking: ["timeoutSeconds"]
    ) {
        (_, params, _, client) throws(RPCFailure) in
        let max = MethodLimits.testSecondsMax
        let seconds = try params.count("timeoutSeconds", max: max) ?? 60
        return .ask { () async throws(RPCFailure) in
            do throws(StoreAPIFailure) {
                let result = try await client.testNotification(timeoutSeconds: Int(seconds))
                return [
                    "delivered": .bool(result.delivered),
                    "sendAttemptResult": result.sendAttemptResult.map { .string($0) } ?? .null,
                ]
            } catch {
                throw RPCFailure(error)
            }
        }
    }
}
