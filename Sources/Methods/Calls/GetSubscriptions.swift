import JSON
import Wire

extension Call {
    /// `getSubscriptions`: all that a user has, the best first.
    static let getSubscriptions = asking("getSubscriptions", for: .reader, isShort: false) {
        (service, user, reader, _) throws(RPCFailure) in
        let view = try service.view(of: user, reader, whole: true)
        return ["subscriptions": .array(view.subscriptions)]
    }
}
