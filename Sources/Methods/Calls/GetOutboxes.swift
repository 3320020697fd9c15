import JSON
import Wire

extension Call {
    /// `getOutboxes`: how far each outbox is, what fails in it and what is parked.
    static let getOutboxes = reading("getOutboxes", for: .support) {
        (worker, _, _) throws(RPCFailure) in
        let desk = worker.service.outboxDesk
        return .ask { () async throws(RPCFailure) in
            ["outboxes": .array((await desk?.states() ?? []).map { .object($0) })]
        }
    }
}

extension MethodWorker {
    /// The outboxes, and the name of the one that is asked about.
    func outbox(_ params: ParamsView) throws(RPCFailure) -> (desk: any OutboxDesk, name: String) {
        let name = try params.text("name", bytesMax: MethodLimits.outboxNameBytesMax)
        guard let desk = service.outboxDesk else {
            throw RPCFailure(.notFound, "There is no outbox in the configuration.")
        }
        return (desk, name)
    }
}
