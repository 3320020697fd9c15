import JSON
import Wire

extension Call {
    /// `retryOutbox`: tells a receiver again what was given up, or the state of every account.
    static let retryOutbox = reading(
        "retryOutbox",
        for: .admin,
        taking: ["name", "id", "everything"]
    ) { (worker, params, _) throws(RPCFailure) in
        let (desk, name) = try worker.outbox(params)
        let id = try params.optionalText("id", bytesMax: MethodLimits.outboxIDBytesMax)
        let isAboutAll = try params.flag("everything") ?? false
        guard id == nil || !isAboutAll else {
            throw .invalid("everything", "goes without id")
        }
        return .ask { () async throws(RPCFailure) in
            if isAboutAll { try await desk.tellEverything(name) }
            let (retried, stillParked) = isAboutAll ? (0, 0) : try await desk.retry(name, id)
            return [
                "retried": .integer(Int64(retried)),
                "stillParked": .integer(Int64(stillParked)),
            ]
        }
    }
}
