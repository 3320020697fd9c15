import Entitlements
import JSON
import Wire

extension Call {
    /// `getManagementURL`: the page of a store where a customer manages subscriptions; of the store
    /// of what the account shows where no platform is named.
    static let getManagementURL = Call(
        "getManagementURL",
        for: .reader,
        .question { (_, params) throws(RPCFailure) in
            let named = try params.platform("platform")
            return AccountQuestion { (service, user, reader, found) throws(RPCFailure) in
                var store = named
                if store == nil {
                    store = try service.view(of: user, reader, knowing: found).store
                }
                let page = store.flatMap { service.managementURL(of: $0) }
                return ["url": page.map { .string($0) } ?? .null]
            }
        }
    )
}

extension MethodService {
    /// Google Play's is known without a storefront; Stripe has none that is the same for everybody.
    fileprivate func managementURL(of store: Store) -> String? {
        if let storefront = storefront(of: store) { return storefront.managementURL }
        return store == .googlePlay ? "https://play.google.com/store/account/subscriptions" : nil
    }
}

extension ParamsView {
    /// The store of a platform, if one is named.
    fileprivate func platform(_ name: StaticString) throws(RPCFailure) -> Store? {
        switch try optionalText(name, bytesMax: 16) {
        case "ios": return .appStore
        case "android": return .googlePlay
        case "web": return .stripe
        case nil: return nil
        default: throw .invalid(name, "is ios, android or web")
        }
    }
}
