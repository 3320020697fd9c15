import JSON
import Wire

extension Call {
    /// `ping`: whether somebody answers.
    static let ping = answering("ping", for: .reader, isAlwaysAnswered: true) {
        (_, _) throws(RPCFailure) in [:]
    }
}
