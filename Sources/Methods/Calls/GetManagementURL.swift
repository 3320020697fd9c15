import Entitlements
import JSON
import Wire

extension Call {
    /// `getManagementURL`: the page of a store where a customer manages subscriptions; of the store
    /// of what the account shows where no platform is named.
    static let getManagementURL = Call(
        "getManagementURL",
        for: .reader,
        .question { (worker, params) throws(RPCFailure) in
            let platform = try params.optionalText("platform", bytesMax: 16)
            let named = try platform.map { (name) throws(RPCFailure) in
                try worker.service.store(ofPlatform: name)
            }
            return AccountQuestion { (service, user, reader, found) throws(RPCFailure) in
                var store = named
                if store == nil {
                    store = try service.view(of: user, reader, knowing: found).store
                }
                let page = store.flatMap { service.storefront(of: $0)?.managementURL }
                return ["url": page.map { .string($0) } ?? .null]
            }
        }
    )
}

extension MethodService {
    /// The store of a platform.
    fileprivate func store(ofPlatform name: String) throws(RPCFailure) -> Store {
        guard let profile = profiles.first(where: { $0.platform == name }) else {
            let names = profiles.compactMap(\.platform)
            let all = names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
            throw .invalid("platform", "is \(all)")
        }
        return profile.store
    }
}
