/// Something that the app sells.
package struct Product: Codable, Hashable, Sendable {
    /// Under the names that transactions use.
    package enum Kind: String, Codable, CaseIterable, Sendable {
        case autoRenewable = "Auto-Renewable Subscription"
        case nonRenewing = "Non-Renewing Subscription"
        case consumable = "Consumable"
        case nonConsumable = "Non-Consumable"
    }

    /// The product's id.
    package let id: String
    /// What sort of product.
    package let kind: Kind
    /// How long one payment lasts, for a subscription that renews by itself.
    package let period: Period?
    /// The level within its group: going to a higher one is an upgrade.
    package let rank: Int
    /// In thousandths of the currency's unit.
    package let price: Int64

    /// A subscription that renews by itself.
    package init(subscription id: String, _ period: Period, rank: Int, price: Int64) {
        self.id = id
        kind = .autoRenewable
        self.period = period
        self.rank = rank
        self.price = price
    }

    /// Something bought once.
    package init(once id: String, _ kind: Kind, price: Int64) {
        precondition(kind != .autoRenewable, "a subscription has a period")
        self.id = id
        self.kind = kind
        period = nil
        rank = 0
        self.price = price
    }

    /// The product that a command line names: `ID,P1M,RANK,PRICE`, or `ID,consumable,PRICE`, where
    /// the word may also be `non-consumable` or `non-renewing`.
    package init?(commandLine text: String) {
        let words = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard words.count >= 3, !words[0].isEmpty, let price = Int64(words[words.count - 1]),
            price >= 0
        else { return nil }
        let kinds: [String: Kind] = [
            "consumable": .consumable, "non-consumable": .nonConsumable,
            "non-renewing": .nonRenewing,
        ]
        if let kind = kinds[words[1]], words.count == 3 {
            self.init(once: words[0], kind, price: price)
        } else if let period = Period(words[1]), words.count == 4, let rank = Int(words[2]) {
            self.init(subscription: words[0], period, rank: rank, price: price)
        } else {
            return nil
        }
    }
}
