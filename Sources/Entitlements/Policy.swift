/// What things mean: plans, paywall, retry rules.
///
/// Compiled once from the catalog and the configuration, then shared by all readers.
package final class Policy: Sendable {
    /// What a plan gives.
    package struct Plan: Hashable, Sendable {
        /// Its name in the catalog.
        package var name: String
        /// Higher is better.
        package var rank: Int64 = 1
        /// `free`, `paid`, or what the catalog says.
        package var tier = "paid"
        /// The products that give it.
        package var products: [String] = []
        /// For how many days those give it that are bought for a time.
        package var days: [String: Int64] = [:]
        /// Credits that each paid period gives, and that end with it.
        package var creditsPerPeriod: Int64 = 0
        /// Credits that a free trial gives, and that end with it.
        package var creditsInTrial: Int64 = 0
        /// What it allows without counting, among them `render`.
        package var unlimited: [String] = []
        /// Its limits, as a JSON object.
        package var limits = "{}"

        /// A plan of this name with the catalog's defaults.
        package init(name: String) { self.name = name }
    }

    /// Whom sandbox purchases let in.
    package enum SandboxAccess: Hashable, Sendable {
        /// Everybody: App Review buys in the sandbox.
        case all
        /// These users.
        case listed(Set<UserID>)
        /// Nobody.
        case none
    }

    /// What becomes of a purchase that another user restores.
    package enum TransferPolicy: String, Hashable, Sendable {
        /// It goes to them.
        case move
        /// They use it too.
        case share
        /// It stays.
        case refuse
    }

    /// What a policy is made from.
    package struct Source: Hashable, Sendable {
        /// The catalog's plans; nil for a catalog without plans: one plan for every product.
        package var plans: [Plan]?
        /// Credits with the first registration.
        package var freeCredits: Int64 = 0
        /// What gets them once.
        package var freeCreditsOnce = FreeCreditsOnce.account
        /// For the paywall hint.
        package var trialOffered = false
        /// Access goes on while Apple retries the card outside a grace period; of no other store.
        package var billingRetryAccess = false
        /// For a grace period announced without an end.
        package var graceFallbackMilliseconds: Int64 = 0
        /// How long past its end a renewing subscription without a billing problem keeps access.
        package var lateRenewalMilliseconds: Int64 = 0
        /// For restored purchases of others.
        package var transferPolicy = TransferPolicy.move
        /// A refund of credits that were spent leaves a debt (`refundedCredits: debt`).
        package var owesRefunds = false
        /// Products that are packs of credits, each with its amount.
        package var creditPacks: [String: Int64] = [:]
        /// The features that credits may pay for.
        package var creditsPayFor: Set<String> = ["render"]
        /// The environments that count.
        package var environments: Set<StoreEnvironment> = [.production]
        /// Whom sandbox purchases let in, where `sandboxAccessOfStores` does not say it.
        package var sandboxAccess = SandboxAccess.all
        /// Whom the sandbox purchases of one store let in.
        package var sandboxAccessOfStores: [Store: SandboxAccess] = [:]
        /// A userId that is a UUID is its own token.
        package var userIDIsToken = false
        /// Counts the catalogs that were installed.
        package var version: UInt32 = 0

        /// The defaults: no catalog.
        package init() {}
    }

    /// What it was made from.
    package let source: Source
    /// The plans, best known first by index; index 0 is `free`.
    package let plans: [Plan]
    /// The plan of each product or plan number; -1 for none.
    package let planOfNumber: [Int16]
    /// The plan of every number beyond `planOfNumber`.
    package let planOfOthers: Int16
    /// Of each product number, whether it is a pack of credits and nothing else.
    @usableFromInline let isPackOfNumber: [Bool]
    /// For how long each product number is bought, in milliseconds; 0 for those that the store or
    /// nobody gives an end, `goodLength` for what is bought once and for good.
    private let lengthOfNumber: [Int64]
    /// Whether each plan names the feature that is asked about: `render`, unless it is one of
    /// `others`.
    package let rendersFreely: [Bool]
    /// Whether credits may pay for that feature.
    package let creditsPay: Bool
    /// The same for other features; the first one for those that nobody names.
    let others: [FeaturePolicy]
    package let ranks: [Int64]
    package let billingRetryAccess: Bool
    package let graceFallback: Int64
    package let lateRenewal: Int64
    package let acceptsProduction: Bool
    package let acceptsSandbox: Bool
    /// A userId that is a UUID is its own token, and is looked up in lower case.
    package let foldsUserIDs: Bool
    /// The stores whose sandbox purchases let everybody in.
    private let openSandboxes: StoreSet
    /// Whom those of other stores let in.
    private let sandboxUsers: [(stores: StoreSet, users: UserIDSet)]

    /// The policy of `source`, for the products that have numbers now.
    package convenience init(_ source: Source, numbering: Numbering = Numbering()) {
        self.init(source, numbering: numbering, for: Self.render)
    }

    /// The policy of `source` where somebody asks about `feature`.
    init(_ source: Source, numbering: Numbering, for feature: String) {
        self.source = source
        var free = Plan(name: "free")
        free.rank = 0
        free.tier = "free"
        var plans = [source.plans?.first { $0.name == "free" } ?? free]
        if let named = source.plans {
            plans += named.filter { $0.name != "free" }
            planOfOthers = -1
        } else {
            var single = Plan(name: "default")
            single.unlimited = [Self.render]
            plans.append(single)
            planOfOthers = 1
        }
        self.plans = plans
        rendersFreely = plans.map { $0.unlimited.contains(feature) }
        creditsPay = source.creditsPayFor.contains(feature)
        others = feature == Self.render ? Self.others(of: source, numbering: numbering) : []
        ranks = plans.map(\.rank)
        let everyProduct = planOfOthers
        planOfNumber = numbering.names.map { name in
            Self.plan(of: name, among: plans) ?? (name.hasPrefix("\u{1}") ? -1 : everyProduct)
        }
        isPackOfNumber = numbering.names.map { name in
            Self.packSize(of: name, in: source) != nil && Self.match(name, among: plans) == nil
        }
        lengthOfNumber = Self.lengths(of: numbering.names, among: plans)
        billingRetryAccess = source.billingRetryAccess
        graceFallback = source.graceFallbackMilliseconds
        lateRenewal = source.lateRenewalMilliseconds
        acceptsProduction = source.environments.contains(.production)
        acceptsSandbox = source.environments.contains(.sandbox)
        foldsUserIDs = source.userIDIsToken
        var open: StoreSet = []
        // Stores that list the same users are looked up at once.
        var listed: [Set<UserID>: StoreSet] = [:]
        for store in Store.allCases {
            switch source.sandboxAccessOfStores[store] ?? source.sandboxAccess {
            case .all: open.insert(StoreSet(store))
            case .none: break
            case .listed(let users): listed[users, default: []].insert(StoreSet(store))
            }
        }
        (openSandboxes, sandboxUsers) = (open, listed.map { ($0.value, UserIDSet($0.key)) })
    }

    /// Whether something is bought for a number of days that the catalog names.
    package var hasDays: Bool { plans.contains { !$0.days.isEmpty } }

    /// The plan of a product or plan number, as an index of `plans`; -1 for none.
    @inlinable
    package func plan(ofNumber number: UInt32) -> Int {
        let index = Int(number)
        return Int(index < planOfNumber.count ? planOfNumber[index] : planOfOthers)
    }

    /// The stores whose sandbox purchases let this user in.
    package func sandboxes(of user: UserID) -> StoreSet {
        user.bytes.withUnsafeBytes { sandboxes(of: $0) }
    }

    /// The same of a user whose id somebody lends; allocates nothing.
    package func sandboxes(of user: UnsafeRawBufferPointer) -> StoreSet {
        var stores = openSandboxes
        for one in sandboxUsers where one.users.contains(user) { stores.formUnion(one.stores) }
        return stores
    }

    /// Whether some plan or pack names `product`, or the catalog names none at all.
    package func knows(product: String) -> Bool {
        planOfOthers >= 0 || packSize(of: product) != nil
            || Self.match(product, among: plans) != nil
    }

    /// The credits of a pack of `product`; nil where it is none.
    package func packSize(of product: String) -> Int64? {
        Self.packSize(of: product, in: source)
    }

    private static func packSize(of product: String, in source: Source) -> Int64? {
        if source.creditPacks.isEmpty { return nil }
        return ProductName.spellings(of: product).lazy.compactMap { source.creditPacks[$0] }.first
    }

    /// Whether the product with this number is a pack of credits, and no plan names it.
    @inlinable
    package func isPack(ofNumber number: UInt32) -> Bool {
        let index = Int(number)
        return index < isPackOfNumber.count && isPackOfNumber[index]
    }

    /// Stands for a time without end.
    package static let goodLength = Int64.max

    /// For how long the product with this number is bought, in milliseconds; 0 where the catalog
    /// does not say.
    package func length(ofNumber number: UInt32) -> Int64 {
        let index = Int(number)
        return index < lengthOfNumber.count ? lengthOfNumber[index] : 0
    }

    /// For how many days the catalog sells `product`; nil where it does not say.
    package func days(of product: String) -> Int64? {
        Self.match(product, among: plans).flatMap { plans[$0.plan].days[$0.spelling] }
    }

    /// Whether some plan gives credits with each paid period, or with a free trial.
    package var givesPeriodCredits: Bool {
        plans.contains { $0.creditsPerPeriod > 0 || $0.creditsInTrial > 0 }
    }

    /// The credits that a period of `products` gives, a free trial or a paid one: those of each
    /// plan that names one of them.
    package func credits(perPeriodOf products: [String], inTrial: Bool) -> Int64 {
        guard givesPeriodCredits else { return 0 }
        let named = Set(products.compactMap { Self.match($0, among: plans)?.plan })
        return named.reduce(0) {
            $0 + (inTrial ? plans[$1].creditsInTrial : plans[$1].creditsPerPeriod)
        }
    }

    /// Whether `product`, a non-renewing subscription, gives nothing because the catalog names it
    /// without its days; what is bought once elsewhere is bought for good then.
    package func lacksDays(of product: String) -> Bool {
        ProductName.parts(of: product) == nil && knows(product: product)
            && packSize(of: product) == nil && days(of: product) == nil
    }

    /// Empty where no product is sold for a number of days, nor in another store than Apple's.
    private static func lengths(of names: [String], among plans: [Plan]) -> [Int64] {
        let hasDays = plans.contains { !$0.days.isEmpty }
        guard hasDays || names.contains(where: { ProductName.parts(of: $0) != nil }) else {
            return []
        }
        return names.map { name in
            guard let match = match(name, among: plans) else { return 0 }
            if let days = plans[match.plan].days[match.spelling] { return days * 86_400_000 }
            return ProductName.parts(of: name) == nil ? 0 : goodLength
        }
    }

    /// The plan that `name` means.
    private static func plan(of name: String, among plans: [Plan]) -> Int16? {
        if name.hasPrefix("\u{1}") {
            return best(of: plans) { Numbering.planName($0.name) == name }.map(Int16.init)
        }
        return match(name, among: plans).map { Int16($0.plan) }
    }

    /// The plan that sells a product, and how it calls it: by the narrowest name of which there is
    /// one, the highest rank of those that sell it under that name.
    private static func match(
        _ product: String,
        among plans: [Plan]
    ) -> (plan: Int, spelling: String)? {
        for spelling in ProductName.spellings(of: product) {
            if let plan = best(of: plans, where: { $0.products.contains(spelling) }) {
                return (plan, spelling)
            }
        }
        return nil
    }

    private static func best(of plans: [Plan], where means: (Plan) -> Bool) -> Int? {
        var best: Int?
        for (index, plan) in plans.enumerated() where means(plan) {
            if let known = best, plans[known].rank >= plan.rank { continue }
            best = index
        }
        return best
    }
}
