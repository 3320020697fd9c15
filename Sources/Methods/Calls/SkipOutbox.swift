import JSON
import Wire

extension Call {
    /// `skipOutbox`: gives up one change, so that the user's next one is told.
    static let skipOutbox = reading("skipOutbox", for: .admin, taking: ["name", "id"]) {
        (worker, params, _) throws(RPCFailure) in
        let (desk, name) = try worker.outbox(params)
        let id = try params.text("id", bytesMax: MethodLimits.outboxIDBytesMax)
        return .ask { () async throws(RPCFailure) in
            guard try await desk.skip(name, id) else {
                throw RPCFailure(.notFound, "Nothing of this id waits or is parked there.")
            }
            return [:]
        }
    }
}
