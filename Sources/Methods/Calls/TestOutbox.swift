import JSON
import Wire

extension Call {
    /// `testOutbox`: posts a message of type `entitlement.test` to a receiver, now.
    static let testOutbox = reading("testOutbox", for: .admin, taking: ["name"]) {
        (worker, params, _) throws(RPCFailure) in
        let (desk, name) = try worker.outbox(params)
        return .ask { () async throws(RPCFailure) in
            let failure = try await desk.test(name)
            return [
                "delivered": .bool(failure == nil),
                "failure": failure.map { .string($0) } ?? .null,
            ]
        }
    }
}
