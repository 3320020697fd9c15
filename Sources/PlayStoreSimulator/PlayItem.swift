/// Something that the simulated Google Play sells.
package struct PlayItem: Codable, Hashable, Sendable {
    /// How it is paid.
    package enum Plan: String, Codable, Hashable, Sendable {
        /// A subscription that renews by itself.
        case renewing
        /// A subscription for a time, topped up by hand.
        case prepaid
        /// Bought once.
        case oneTime
    }

    /// The product's id.
    package var productID: String
    /// The base plan; empty for what is bought once.
    package var basePlanID: String
    /// How it is paid.
    package var plan: Plan
    /// How many months of 30 days a period has; 0 for what is bought once.
    package var months: Int64
    /// In thousandths of a US dollar.
    package var price: Int64

    /// What is sold where nothing is named.
    package static let usual = [
        "paid:monthly,1,1990", "paid:yearly,12,19990", "premium:monthly,1,9990",
        "paid_prepaid:m1,prepaid,1,2490", "credits_10,one-time,990", "lifetime,one-time,99990",
    ]
    .compactMap { PlayItem($0) }
}

extension PlayItem {
    /// The product that `text` names: `ID:BASEPLAN,MONTHS,PRICE`,
    /// `ID:BASEPLAN,prepaid,MONTHS,PRICE` or `ID,one-time,PRICE`; nil where it names none.
    package init?(_ text: String) {
        let parts = text.split(separator: ",").map(String.init)
        let names = (parts.first ?? "").split(separator: ":").map(String.init)
        guard let productID = names.first, names.count < 3 else { return nil }
        let isOnce = parts.count == 3 && parts[1] == "one-time"
        let isPrepaid = parts.count == 4 && parts[1] == "prepaid"
        guard isOnce || isPrepaid || parts.count == 3,
            let price = parts.last.flatMap({ Int64($0) }), price >= 0
        else { return nil }
        if isOnce {
            self.init(productID: productID, basePlanID: "", plan: .oneTime, months: 0, price: price)
            return
        }
        guard names.count == 2, let months = Int64(parts[parts.count - 2]),
            (1...12).contains(months)
        else { return nil }
        self.init(
            productID: productID,
            basePlanID: names[1],
            plan: isPrepaid ? .prepaid : .renewing,
            months: months,
            price: price
        )
    }
}
