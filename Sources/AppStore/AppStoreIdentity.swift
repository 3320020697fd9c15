import Entitlements
import JSON

/// Which app this daemon serves, and in which environments.
package struct AppStoreIdentity: Hashable, Sendable {
    /// The app's bundle id.
    package let bundleID: String
    /// The app's Apple id; needed in Production.
    package let appAppleID: Int64?
    /// The environments that count.
    package let environments: Set<StoreEnvironment>

    /// The app with these ids.
    package init(bundleID: String, appAppleID: Int64?, environments: Set<StoreEnvironment>) {
        self.bundleID = bundleID
        self.appAppleID = appAppleID
        self.environments = environments
    }

    /// The environment that a notification's one object names, once bundle and app are ours.
    ///
    /// Exactly one of data, summary, appData and externalPurchaseToken is there (apple.md,
    /// section 1.2). First match wins: not a notification, another bundle, no such environment,
    /// another app. The app's id counts in Production only, as with Apple (section 2.2).
    func environment(of outer: DecodedDocument) throws(DocumentFault) -> StoreEnvironment {
        let names = ["data", "summary", "appData", "externalPurchaseToken"]
        let present = names.filter { (outer.payload[$0] ?? .null) != .null }
        guard present.count == 1, let name = present.first, let object = outer.payload[name],
            object.object != nil
        else { throw .wrongDocument }
        if let version = outer.payload["version"], version.string?.hasPrefix("2.") != true {
            throw .wrongDocument
        }
        guard object["bundleId"]?.string == bundleID else { throw .bundle }
        let environment =
            name == "externalPurchaseToken"
            ? environment(ofExternalPurchase: object["externalPurchaseId"]?.string)
            : AppStoreDecoder.environment(named: object["environment"]?.string)
        guard let environment else { throw .environment }
        if environment == .production, let appAppleID, object["appAppleId"]?.int64 != appAppleID {
            throw .app
        }
        return environment
    }

    /// Whether a transaction, alone or inside a notification, is of this app.
    func check(_ transaction: DecodedDocument) throws(DocumentFault) {
        guard transaction.payload["bundleId"]?.string == bundleID else { throw .bundle }
    }

    /// The token itself has no environment; its id begins with `SANDBOX` there (section 1.3).
    private func environment(ofExternalPurchase id: String?) -> StoreEnvironment? {
        id.map { $0.hasPrefix("SANDBOX") ? .sandbox : .production }
    }
}
