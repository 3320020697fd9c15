import Entitlements
import JSON

/// Which apps this daemon serves, and in which environments.
package struct AppStoreIdentity: Hashable, Sendable {
    /// One app.
    package struct App: Hashable, Sendable {
        /// The app's bundle id.
        package let bundleID: String
        /// The app's Apple id; needed in Production.
        package let appAppleID: Int64?

        /// The app with these ids.
        package init(bundleID: String, appAppleID: Int64?) {
            self.bundleID = bundleID
            self.appAppleID = appAppleID
        }
    }

    /// The apps, each known by its bundle id.
    package let apps: [App]
    /// The environments that are admitted.
    package let environments: Set<StoreEnvironment>

    /// Creates an identity of these apps.
    package init(apps: [App], environments: Set<StoreEnvironment>) {
        self.apps = apps
        self.environments = environments
    }

    /// Creates an identity of one app.
    package init(bundleID: String, appAppleID: Int64?, environments: Set<StoreEnvironment>) {
        let app = App(bundleID: bundleID, appAppleID: appAppleID)
        self.init(apps: [app], environments: environments)
    }

    /// The app with this bundle id; nil if it is not one of these apps.
    func app(of bundleID: String?) -> App? { apps.first { $0.bundleID == bundleID } }

    /// The objects of which a notification has exactly one; it states the subject.
    static let objects = ["data", "summary", "appData", "externalPurchaseToken"]

    /// The environment that a notification's object names, if bundle and app are served here.
    ///
    /// A notification has exactly one of data, summary, appData and externalPurchaseToken. First
    /// match wins: not a notification, another bundle, no such environment, another app. The app's
    /// id counts in Production only, as in Apple's libraries.
    func environment(of outer: DecodedDocument) throws(DocumentFault) -> StoreEnvironment {
        let present = Self.objects.filter { (outer.payload[$0] ?? .null) != .null }
        guard present.count == 1, let name = present.first, let object = outer.payload[name],
            object.object != nil
        else { throw .wrongDocument }
        guard let app = app(of: object["bundleId"]?.string) else { throw .bundle }
        let environment =
            name == "externalPurchaseToken"
            ? environment(ofExternalPurchase: object["externalPurchaseId"]?.string)
            : AppStoreDecoder.environment(named: object["environment"]?.string)
        guard let environment else { throw .environment }
        if environment == .production, let id = app.appAppleID,
            object["appAppleId"]?.int64 != id
        {
            throw .app
        }
        return environment
    }

    /// Checks that a notification of an unknown version names no other app, and no environment that
    /// does not exist.
    ///
    /// What it does not name may have another place in that version.
    func checkNames(in outer: DecodedDocument) throws(DocumentFault) {
        for object in Self.objects.compactMap({ outer.payload[$0] }) {
            let (bundleID, environment) = (object["bundleId"], object["environment"])
            let app = app(of: bundleID?.string)
            if bundleID != nil, app == nil { throw .bundle }
            guard let environment else { continue }
            let named = AppStoreDecoder.environment(named: environment.string)
            guard let named else { throw .environment }
            if named == .production, let id = app?.appAppleID, let other = object["appAppleId"],
                other.int64 != id
            {
                throw .app
            }
        }
    }

    /// Checks that a transaction belongs to one of these apps, and to the same app as the document
    /// `outer` that contains it.
    func check(
        _ transaction: DecodedDocument,
        within outer: DecodedDocument? = nil
    ) throws(DocumentFault) {
        let bundleID = transaction.payload["bundleId"]?.string
        guard app(of: bundleID) != nil else { throw .bundle }
        guard let outer else { return }
        let object = outer.payload["data"] ?? outer.payload["appData"]
        guard object?["bundleId"]?.string == bundleID else { throw .bundle }
    }

    /// The environment of an external purchase, which the token does not name: in the sandbox its
    /// id begins with `SANDBOX`.
    private func environment(ofExternalPurchase id: String?) -> StoreEnvironment? {
        id.map { $0.hasPrefix("SANDBOX") ? .sandbox : .production }
    }
}
