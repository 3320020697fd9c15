import AppStoreSimulator

/// What a simulated Google Play is like.
package struct PlaySettings: Codable, Hashable, Sendable {
    /// The app.
    package var packageName: String
    /// How long a month takes.
    package var time: StoreTime
    /// Where pushes go; nil: nowhere.
    package var url: String?
    /// The audience of their bearer tokens.
    package var audience: String
    /// The subscription that sends.
    package var subscription = "projects/playstoresim/subscriptions/entitld"
    /// The account that signs them.
    package var pushAccount = "push@playstoresim.iam.gserviceaccount.com"
    /// The account that may ask the API.
    package var apiAccount = "api@playstoresim.iam.gserviceaccount.com"
    /// How many days of grace a renewal that failed has.
    package var graceDays: Int64 = 7
    /// How many days after its end a subscription can still be asked about.
    package var daysRemembered: Int64 = 60
    /// What is sold.
    package var items = PlayItem.usual

    /// The settings of an app.
    package init(packageName: String, time: StoreTime, url: String?, audience: String) {
        self.packageName = packageName
        self.time = time
        self.url = url
        self.audience = audience
    }

    /// The item that `name` names: `ID:BASEPLAN`, or an id where it has one base plan.
    package func item(_ name: String) throws(PlayRefusal) -> PlayItem {
        let found = items.filter { "\($0.productID):\($0.basePlanID)" == name }
        let alike = found.isEmpty ? items.filter { $0.productID == name } : found
        guard let item = alike.first, alike.count == 1 else {
            throw PlayRefusal("\(name) names no product, or several")
        }
        return item
    }
}

/// Something that Google Play would not let happen.
package struct PlayRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    /// One sentence.
    package let description: String

    init(_ description: String) { self.description = description }
}
