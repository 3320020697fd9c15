/// The catalog file: what products give, apart from how the daemon runs.
package struct CatalogSettings: Sendable, Equatable {
    /// What becomes of credits that were spent before their purchase was refunded.
    package enum RefundedCredits: String, Sendable, CaseIterable {
        case floor
        case debt
        static let names = allCases.map(\.rawValue)
    }

    /// What gets free credits once: an account of this daemon, or an account of Apple's, which an
    /// app transaction stands for.
    package enum FreeCreditsOnce: String, Sendable, CaseIterable {
        case account
        case appTransaction
        static let names = allCases.map(\.rawValue)
    }

    /// A limit's value, as it is answered.
    package enum Scalar: Sendable, Equatable {
        case null
        case boolean(Bool)
        case integer(Int)
        case double(Double)
        case text(String)
    }

    /// A limit of a plan, for the app to keep.
    package struct Limit: Sendable, Equatable {
        /// Its name, such as `storageBytes`.
        package let name: String
        /// Its value.
        package let value: Scalar
    }

    /// A product that gives a plan.
    package struct Product: Sendable, Equatable, ExpressibleByStringLiteral {
        /// Its id in the store.
        package let id: String
        /// Of a non-renewing subscription: for how many days it is bought; nil for others, and
        /// where the catalog does not say.
        package let days: Int?

        /// A product with this id.
        package init(id: String, days: Int? = nil) {
            self.id = id
            self.days = days
        }

        /// One that the store gives an end.
        package init(stringLiteral id: String) { self.init(id: id) }
    }

    /// Which subscription products give a plan.
    package enum Products: Sendable, Equatable {
        /// Every one: the plan that stands where no catalog names plans.
        case every
        /// These.
        case listed([Product])
    }

    /// What an app lets its users do, in its own words; `render` is what `canRender` asks about.
    package struct Feature: RawRepresentable, Sendable, Hashable {
        /// The word.
        package let rawValue: String

        /// The feature of this name.
        package init(rawValue: String) { self.rawValue = rawValue }

        /// What `canRender` asks about.
        package static let render = Feature(rawValue: "render")
    }

    /// A plan.
    package struct Plan: Sendable, Equatable {
        /// Its name.
        package let name: String
        /// The higher one is shown.
        package let rank: Int
        /// The app's own word for it.
        package let tier: String
        /// What gives it.
        package let products: Products
        /// What it makes free of charge.
        package let unlimited: [Feature]
        /// In the order of the file.
        package let limits: [Limit]
        /// Credits that each paid period gives, and that end with it.
        package var creditsPerPeriod = 0
        /// Credits that a free trial gives, and that end with it.
        package var creditsInTrial = 0
    }

    /// A product that gives credits.
    package struct CreditPack: Sendable, Equatable {
        /// The product.
        package let product: String
        /// How many credits.
        package let credits: Int

        /// A product and its credits.
        package init(product: String, credits: Int) {
            self.product = product
            self.credits = credits
        }
    }

    /// With the first registerAccount of a user.
    package let freeCredits: Int
    /// What gets them once.
    package let freeCreditsOnce: FreeCreditsOnce
    /// A hint for the paywall.
    package let trialOffered: Bool
    /// Whether access goes on while the card is retried outside a grace period.
    package let billingRetryAccess: Bool
    /// For a grace period announced without an end.
    package let graceFallbackHours: Int
    /// How long an auto-renewing subscription keeps access past its end.
    package let lateRenewalMinutes: Int
    /// Whether a balance may fall below zero by a refund.
    package let refundedCredits: RefundedCredits
    /// `free` first, then the others in the order of the file.
    package let plans: [Plan]
    /// In the order of the file.
    package let creditPacks: [CreditPack]
    /// What may be paid for with credits by those whose plan does not name it.
    package let creditsPayFor: [Feature]

    /// What holds where there is no catalog file.
    package static let none = CatalogSettings(
        freeCredits: 0,
        freeCreditsOnce: .account,
        trialOffered: false,
        billingRetryAccess: false,
        graceFallbackHours: 72,
        lateRenewalMinutes: 0,
        refundedCredits: .floor,
        plans: [.free, .default],
        creditPacks: [],
        creditsPayFor: [.render]
    )
}

extension CatalogSettings.Plan {
    /// The plan of accounts without access, where the catalog does not describe it.
    package static let free = CatalogSettings.Plan(
        name: "free",
        rank: 0,
        tier: "free",
        products: .listed([]),
        unlimited: [],
        limits: []
    )

    /// The one plan that stands where the catalog names none.
    package static let `default` = CatalogSettings.Plan(
        name: "default",
        rank: 1,
        tier: "paid",
        products: .every,
        unlimited: [.render],
        limits: []
    )
}
