import JSON
import Wire

extension Call {
    /// `getEntitlement`: the short form of a status.
    static let getEntitlement = asking("getEntitlement", for: .reader) {
        (service, user, reader, found) throws(RPCFailure) in
        let view = try service.view(of: user, reader, knowing: found)
        return ["entitlement": .object(view.entitlement)]
    }
}
