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

    /// The objects of which a notification has one; it states the subject.
    ///
    /// Where there are more, the first of these decides, as in Apple's libraries.
    static let objects = ["data", "summary", "externalPurchaseToken", "appData"]

    /// The environment that a notification's object names, if bundle and app are served here.
    ///
    /// First match wins: not a notification, another bundle, no such environment, another app,
    /// another object that contradicts it. The app's id counts in Production only, as in Apple's
    /// libraries.
    func environment(of outer: DecodedDocument) throws(DocumentFault) -> StoreEnvironment {
        let present = Self.objects.filter { outer.payload.stated($0) != nil }
        guard let name = present.first, let object = outer.payload[name], object.object != nil
        else { throw .wrongDocument }
        guard let app = app(of: object["bundleId"]?.string) else { throw .bundle }
        guard let environment = environment(of: object, named: name) else { throw .environment }
        if environment == .production, let id = app.appAppleID,
            object["appAppleId"]?.int64 != id
        {
            throw .app
        }
        for name in present.dropFirst() {
            guard let other = outer.payload[name] else { continue }
            try check(other, named: name, beside: object, of: environment)
        }
        return environment
    }

    /// Checks that an object of a notification, as far as it names app and environment, names those
    /// of the object that decides.
    private func check(
        _ other: JSONValue,
        named name: String,
        beside object: JSONValue,
        of environment: StoreEnvironment
    ) throws(DocumentFault) {
        func names(_ member: String) -> Bool { other.stated(member) != nil }
        if names("bundleId"), other["bundleId"] != object["bundleId"] { throw .bundle }
        let place = name == Self.token ? "externalPurchaseId" : "environment"
        if names(place), self.environment(of: other, named: name) != environment {
            throw .environment
        }
        if environment == .production, names("appAppleId"), let id = object["appAppleId"]?.int64,
            other["appAppleId"]?.int64 != id
        {
            throw .app
        }
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
        guard outer.holder?["bundleId"]?.string == bundleID else { throw .bundle }
    }

    private static let token = "externalPurchaseToken"

    /// The environment that an object of a notification names.
    ///
    /// The token of an external purchase does not name it: in the sandbox its id begins with
    /// `SANDBOX`.
    private func environment(of object: JSONValue, named name: String) -> StoreEnvironment? {
        guard name == Self.token else {
            return AppStoreDecoder.environment(named: object["environment"]?.string)
        }
        return object["externalPurchaseId"]?.string
            .map { $0.hasPrefix("SANDBOX") ? .sandbox : .production }
    }
}
