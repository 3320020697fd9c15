/// A price other than the usual one.
package struct Offer: Codable, Hashable, Sendable {
    /// Who gets it; the raw value is Apple's number.
    package enum Kind: Int64, Codable, CaseIterable, Sendable {
        case introductory = 1
        case promotional = 2
        case code = 3
        case winBack = 4
    }

    /// How it is paid.
    package enum Discount: String, Codable, CaseIterable, Sendable {
        case freeTrial = "FREE_TRIAL"
        case payAsYouGo = "PAY_AS_YOU_GO"
        case payUpFront = "PAY_UP_FRONT"
        case oneTime = "ONE_TIME"
    }

    /// Who gets it.
    package let kind: Kind
    /// How it is paid.
    package let discount: Discount
    /// How long it lasts.
    package let period: Period
    /// Its name; an introductory offer has none.
    package let id: String?

    /// An offer.
    package init(_ kind: Kind, _ discount: Discount, _ period: Period, id: String? = nil) {
        self.kind = kind
        self.discount = discount
        self.period = period
        self.id = kind == .introductory ? nil : id ?? "spring"
    }

    /// The free trial that new subscribers get.
    package static func trial(_ period: Period = Period(1, .week)) -> Offer {
        Offer(.introductory, .freeTrial, period)
    }

    /// What `product` costs with it, in thousandths.
    func price(of product: Product) -> Int64 {
        switch discount {
        case .freeTrial: 0
        case .payAsYouGo, .payUpFront, .oneTime: product.price / 2
        }
    }
}
