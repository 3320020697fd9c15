import JSON
import Wire

extension Call {
    /// `version`: of the program, the protocol and the data directory's format.
    static let version = answering("version", for: .reader, isAlwaysAnswered: true) {
        (worker, _) throws(RPCFailure) in
        [
            "entitld": .string(worker.service.settings.version), "protocol": "1", "format": 1,
        ]
    }
}
