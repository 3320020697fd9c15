/// What does not change while the store is open: the app, its products, and how fast time runs.
package struct StoreSettings: Codable, Hashable, Sendable {
    /// The app's bundle id.
    package let bundleID: String
    /// The app's Apple id.
    package let appAppleID: Int64
    /// Which of Apple's stores this one plays.
    package let environment: StoreEnvironment
    /// How long a month takes.
    package let time: StoreTime
    /// What is sold; all subscriptions are of one group.
    package let products: [Product]
    /// How long the grace period is: 3, 6, 16 or 28 days with Apple.
    package let graceDays: Int64
    /// Where notifications go.
    package let url: String?

    /// A store for this app.
    package init(
        bundleID: String = "com.example.app",
        appAppleID: Int64 = 1_234_567_890,
        environment: StoreEnvironment = .production,
        time: StoreTime = .real,
        products: [Product]? = nil,
        graceDays: Int64 = 16,
        url: String? = nil
    ) {
        self.bundleID = bundleID
        self.appAppleID = appAppleID
        self.environment = environment
        self.time = time
        self.products = products ?? Self.products(of: bundleID)
        self.graceDays = graceDays
        self.url = url
    }

    /// The group that all subscriptions are of.
    package static let group = "21000000"

    /// What an app sells where nothing else is said.
    package static func products(of bundleID: String) -> [Product] {
        let (month, year) = (Period(1, .month), Period(1, .year))
        return [
            Product(subscription: bundleID + ".paid.monthly", month, rank: 1, price: 4_990),
            Product(subscription: bundleID + ".premium.monthly", month, rank: 2, price: 9_990),
            Product(subscription: bundleID + ".paid.yearly", year, rank: 1, price: 49_990),
            Product(subscription: bundleID + ".premium.yearly", year, rank: 2, price: 99_990),
            Product(once: bundleID + ".credits.10", .consumable, price: 1_990),
            Product(once: bundleID + ".lifetime", .nonConsumable, price: 199_990),
        ]
    }

    /// The product of this id, or the one whose id ends in a dot and this word.
    package func product(_ name: String) throws(StoreRefusal) -> Product {
        if let product = products.first(where: { $0.id == name }) { return product }
        let found = products.filter { $0.id.hasSuffix("." + name) }
        guard found.count == 1 else { throw StoreRefusal("no product is called \(name)") }
        return found[0]
    }

    /// A subscription of this name, and its period.
    func subscription(_ name: String) throws(StoreRefusal) -> (product: Product, period: Period) {
        let product = try product(name)
        guard let period = product.period else {
            throw StoreRefusal("\(product.id) is no subscription that renews by itself")
        }
        return (product, period)
    }
}
