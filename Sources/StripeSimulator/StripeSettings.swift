import AppStoreSimulator

/// What a simulated Stripe account is like.
package struct StripeSettings: Codable, Hashable, Sendable {
    /// How long a month takes; Stripe counts in seconds, so a month has at least one.
    package var time: StoreTime
    /// Live mode, or test mode.
    package var isLive: Bool
    /// Where events go; nil: nowhere.
    package var url: String?
    /// What events are signed with: several while one is replaced by another.
    package var secrets: [String]
    /// What may ask the API.
    package var apiKey: String
    /// Whether events are written as before 2025-03-31 (basil); the API always answers as today.
    package var writesOldShapes = false
    /// Whether the endpoint has chosen all events, and not those alone that docs/stripe.md names.
    package var tellsAll = false
    /// Under which name in the metadata the user stands.
    package var userIDMetadata = "user_id"
    /// What is sold.
    package var prices = SoldPrice.usual

    /// The settings of an account.
    package init(time: StoreTime, isLive: Bool, url: String?, secrets: [String], apiKey: String) {
        self.time = time
        self.isLive = isLive
        self.url = url
        self.secrets = secrets
        self.apiKey = apiKey
    }

    /// The version in which events are written.
    var eventVersion: String { writesOldShapes ? "2024-09-30.acacia" : Self.apiVersion }

    /// The version in which the API answers.
    static let apiVersion = "2026-07-29.dahlia"

    /// How long the invoice of a renewal is a draft, before the card is charged: an hour.
    var draftSeconds: Int64 { time.milliseconds(days: 1) / 24_000 }

    /// What so many months take, in seconds.
    func seconds(months: Int64) -> Int64 {
        max(1, time.milliseconds(days: 30 * months) / 1_000)
    }

    /// The price that `name` names, by its lookup key or its product.
    package func price(_ name: String) throws(StripeRefusal) -> SoldPrice {
        let found = prices.first { $0.lookupKey == name } ?? prices.first { $0.productID == name }
        guard let found else { throw StripeRefusal("\(name) names no price") }
        return found
    }
}

/// Something that the simulated account sells.
package struct SoldPrice: Codable, Hashable, Sendable {
    /// The seller's name for the price.
    package var lookupKey: String
    /// The product.
    package var productID: String
    /// How many months of 30 days a period has; 0 for what is bought once.
    package var months: Int64
    /// In cents.
    package var amount: Int64

    /// The price's id.
    var id: String { "price_" + lookupKey }

    /// A price with these parts.
    package init(_ lookupKey: String, of productID: String, months: Int64, amount: Int64) {
        self.lookupKey = lookupKey
        self.productID = productID
        self.months = months
        self.amount = amount
    }

    /// The price that `text` names: `LOOKUP_KEY:PRODUCT,MONTHS,CENTS`, with 0 months for what is
    /// bought once; nil where it names none.
    package init?(_ text: String) {
        let parts = text.split(separator: ",").map(String.init)
        let names = (parts.first ?? "").split(separator: ":").map(String.init)
        guard parts.count == 3, names.count == 2, names[1].hasPrefix("prod_"),
            let months = Int64(parts[1]), (0...12).contains(months),
            let amount = Int64(parts[2]), amount >= 0
        else { return nil }
        self.init(names[0], of: names[1], months: months, amount: amount)
    }

    /// What is sold where nothing is named.
    package static let usual = [
        SoldPrice("monthly", of: "prod_paid", months: 1, amount: 199),
        SoldPrice("yearly", of: "prod_paid", months: 12, amount: 1_999),
        SoldPrice("premium", of: "prod_premium", months: 1, amount: 999),
        SoldPrice("credits_10", of: "prod_credits_10", months: 0, amount: 99),
    ]
}

/// Something that Stripe would not let happen.
package struct StripeRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    /// One sentence.
    package let description: String

    init(_ description: String) { self.description = description }
}
