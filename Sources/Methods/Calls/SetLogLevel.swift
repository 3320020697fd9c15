import JSON
import Wire

extension Call {
    /// `setLogLevel`, until the daemon is told to read its configuration again.
    static let setLogLevel = answering("setLogLevel", for: .admin, taking: ["level"]) {
        (worker, params) throws(RPCFailure) in
        let level = try params.text("level", bytesMax: 64)
        guard worker.service.changeLogLevel?(level) ?? false else {
            throw .invalid("level", "is trace, debug, info, notice, warning, error or critical")
        }
        return ["level": .string(level)]
    }
}
