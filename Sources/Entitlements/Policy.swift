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
        /// What it allows without counting, among them `render`.
        package var unlimited: [String] = []
        /// Its limits, as a JSON object.
        package var limits = "{}"

        /// A plan of this name with the catalog's defaults.
        package init(name: String) { self.name = name }

        /// Makes `canRender` true and charges nothing.
        package var rendersFreely: Bool { unlimited.contains("render") }
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
        /// For the paywall hint.
        package var trialOffered = false
        /// Access goes on while the store retries the card outside a grace period.
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
        /// The environments that count.
        package var environments: Set<StoreEnvironment> = [.production]
        /// Whom sandbox purchases let in.
        package var sandboxAccess = SandboxAccess.all
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
    package let rendersFreely: [Bool]
    package let ranks: [Int64]
    package let billingRetryAccess: Bool
    package let graceFallback: Int64
    package let lateRenewal: Int64
    package let acceptsProduction: Bool
    package let acceptsSandbox: Bool
    /// A userId that is a UUID is its own token, and is looked up in lower case.
    package let foldsUserIDs: Bool
    /// Whether sandbox purchases let everybody in.
    private let admitsEverybody: Bool
    /// Whom they let in otherwise.
    private let sandboxUsers: UserIDSet

    /// The policy of `source`, for the products that have numbers now.
    package init(_ source: Source, numbering: Numbering = Numbering()) {
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
            single.unlimited = ["render"]
            plans.append(single)
            planOfOthers = 1
        }
        self.plans = plans
        rendersFreely = plans.map(\.rendersFreely)
        ranks = plans.map(\.rank)
        let everyProduct = planOfOthers
        planOfNumber = numbering.names.map { name in
            Self.plan(of: name, among: plans) ?? (name.hasPrefix("\u{1}") ? -1 : everyProduct)
        }
        billingRetryAccess = source.billingRetryAccess
        graceFallback = source.graceFallbackMilliseconds
        lateRenewal = source.lateRenewalMilliseconds
        acceptsProduction = source.environments.contains(.production)
        acceptsSandbox = source.environments.contains(.sandbox)
        foldsUserIDs = source.userIDIsToken
        switch source.sandboxAccess {
        case .all: (admitsEverybody, sandboxUsers) = (true, UserIDSet([]))
        case .none: (admitsEverybody, sandboxUsers) = (false, UserIDSet([]))
        case .listed(let users): (admitsEverybody, sandboxUsers) = (false, UserIDSet(users))
        }
    }

    /// The plan of a product or plan number, as an index of `plans`; -1 for none.
    @inlinable
    package func plan(ofNumber number: UInt32) -> Int {
        let index = Int(number)
        return Int(index < planOfNumber.count ? planOfNumber[index] : planOfOthers)
    }

    /// Whether sandbox purchases let this user in.
    package func admitsSandbox(_ user: UserID) -> Bool {
        user.bytes.withUnsafeBytes { admitsSandbox($0) }
    }

    /// The same of a user whose id somebody lends; allocates nothing.
    package func admitsSandbox(_ user: UnsafeRawBufferPointer) -> Bool {
        admitsEverybody || sandboxUsers.contains(user)
    }

    /// Whether some plan or pack names `product`, or the catalog names none at all.
    package func knows(product: String) -> Bool {
        planOfOthers >= 0 || source.creditPacks[product] != nil
            || plans.contains { $0.products.contains(product) }
    }

    /// The plan that `name` means: the highest rank of those that sell the product.
    private static func plan(of name: String, among plans: [Plan]) -> Int16? {
        var best: Int?
        for (index, plan) in plans.enumerated() {
            let means =
                name.hasPrefix("\u{1}")
                ? Numbering.planName(plan.name) == name : plan.products.contains(name)
            guard means else { continue }
            if let known = best, plans[known].rank >= plan.rank { continue }
            best = index
        }
        return best.map(Int16.init)
    }
}
