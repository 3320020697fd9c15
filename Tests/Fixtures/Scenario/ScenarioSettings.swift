import Entitlements

/// What stands above a scenario's first step: the catalog and the configuration it plays under.
package struct ScenarioSettings: Hashable, Sendable {
    /// What the lines say, as the core takes it.
    package private(set) var source: Policy.Source

    /// No catalog, Production alone; a catalog's own defaults.
    package init() {
        source = Policy.Source()
        source.graceFallbackMilliseconds = 72 * 3_600_000
    }

    /// Takes in a line that begins with `catalog`, `plan` or `pack`; answers whether it was one.
    package mutating func take(_ text: String, line: Int) throws(ScenarioFailure) -> Bool {
        let parts = text.split(separator: " ").map(String.init)
        switch parts.first {
        case "catalog":
            for part in parts.dropFirst() { try take(pair(part, line), line: line) }
            return true
        case "plan":
            guard parts.count >= 2 else { throw ScenarioFailure(line: line, "a plan has a name") }
            var plan = Policy.Plan(name: parts[1])
            if plan.name == "free" {
                plan.rank = 0
                plan.tier = "free"
            }
            for part in parts.dropFirst(2) {
                let (key, value) = try pair(part, line)
                switch key {
                case "rank": plan.rank = try number(value, line)
                case "tier": plan.tier = value
                case "products": try take(products: value, into: &plan, line)
                case "creditsInTrial": plan.creditsInTrial = try number(value, line)
                case "creditsPerPeriod": plan.creditsPerPeriod = try number(value, line)
                case "unlimited": plan.unlimited = value.split(separator: ",").map(String.init)
                default: throw ScenarioFailure(line: line, "no such plan option: \(key)")
                }
            }
            source.plans = (source.plans ?? []) + [plan]
            return true
        case "pack":
            guard parts.count == 3 else {
                throw ScenarioFailure(line: line, "a pack is a product and its credits")
            }
            name(pack: parts[1], credits: try number(parts[2], line))
            return true
        default: return false
        }
    }

    /// Has the catalog name a credit pack; with no credits, name it no more.
    mutating func name(pack product: String, credits: Int64) {
        source.creditPacks[product] = credits > 0 ? credits : nil
    }

    /// Products, each an id or, of a non-renewing subscription, `id:days`.
    private func take(
        products text: String,
        into plan: inout Policy.Plan,
        _ line: Int
    ) throws(ScenarioFailure) {
        for product in text.split(separator: ",") {
            let parts = product.split(separator: ":").map(String.init)
            plan.products.append(parts[0])
            if parts.count > 1 { plan.days[parts[0]] = try number(parts[1], line) }
        }
    }

    private mutating func take(
        _ pair: (key: String, value: String),
        line: Int
    ) throws(ScenarioFailure) {
        let (key, value) = pair
        switch key {
        case "freeCredits": source.freeCredits = try number(value, line)
        case "freeCreditsOnce":
            guard let rule = Policy.FreeCreditsOnce(rawValue: value) else {
                throw ScenarioFailure(line: line, "freeCreditsOnce is account or appTransaction")
            }
            source.freeCreditsOnce = rule
        case "trialOffered": source.trialOffered = value == "true"
        case "billingRetryAccess": source.billingRetryAccess = value == "true"
        case "graceFallbackHours":
            source.graceFallbackMilliseconds = try number(value, line) * 3_600_000
        case "lateRenewalMinutes":
            source.lateRenewalMilliseconds = try number(value, line) * 60_000
        case "refundedCredits":
            switch value {
            case "floor": source.owesRefunds = false
            case "debt": source.owesRefunds = true
            default: throw ScenarioFailure(line: line, "refundedCredits is floor or debt")
            }
        case "environments":
            let names = value.split(separator: ",").map(String.init)
            source.environments = Set(names.map { $0 == "Sandbox" ? .sandbox : .production })
        case "sandboxAccess":
            switch value {
            case "all": source.sandboxAccess = .all
            case "none": source.sandboxAccess = .none
            default: throw ScenarioFailure(line: line, "sandboxAccess is all or none")
            }
        case "transferPolicy":
            guard let policy = Policy.TransferPolicy(rawValue: value) else {
                throw ScenarioFailure(line: line, "transferPolicy is move, share or refuse")
            }
            source.transferPolicy = policy
        case "userIdIsAppAccountToken": source.userIDIsToken = value == "true"
        default: throw ScenarioFailure(line: line, "no such catalog option: \(key)")
        }
    }

    private func pair(
        _ part: String,
        _ line: Int
    ) throws(ScenarioFailure) -> (key: String, value: String) {
        guard let equals = part.firstIndex(of: "=") else {
            throw ScenarioFailure(line: line, "an option is key=value: \(part)")
        }
        return (String(part[..<equals]), String(part[part.index(after: equals)...]))
    }

    private func number(_ text: String, _ line: Int) throws(ScenarioFailure) -> Int64 {
        guard let number = Int64(text) else {
            throw ScenarioFailure(line: line, "no number: \(text)")
        }
        return number
    }

    /// The catalog, as the file that a daemon reads.
    package var catalogYAML: String {
        var lines = [
            "freeCredits: \(source.freeCredits)",
            "freeCreditsOnce: \(source.freeCreditsOnce.rawValue)",
            "trialOffered: \(source.trialOffered)",
            "billingRetryAccess: \(source.billingRetryAccess)",
            "graceFallbackHours: \(source.graceFallbackMilliseconds / 3_600_000)",
            "lateRenewalMinutes: \(source.lateRenewalMilliseconds / 60_000)",
            "refundedCredits: \(source.owesRefunds ? "debt" : "floor")",
        ]
        if !source.creditPacks.isEmpty {
            let packs = source.creditPacks.sorted { $0.key < $1.key }
                .map { "\($0.key): \($0.value)" }
            lines.append("creditPacks: { \(packs.joined(separator: ", ")) }")
        }
        if let plans = source.plans {
            lines.append("plans:")
            for plan in plans {
                let rank = plan.name == "free" ? "" : "rank: \(plan.rank), tier: \(plan.tier), "
                let products = plan.products
                    .map { product in
                        plan.days[product].map { "{ id: \(product), days: \($0) }" } ?? product
                    }
                    .joined(separator: ", ")
                let unlimited = plan.unlimited.joined(separator: ", ")
                let credits = [
                    ("creditsPerPeriod", plan.creditsPerPeriod),
                    ("creditsInTrial", plan.creditsInTrial),
                ]
                .filter { $0.1 > 0 }.map { ", \($0.0): \($0.1)" }.joined()
                lines.append(
                    "  \(plan.name): { \(rank)products: [\(products)], "
                        + "unlimited: [\(unlimited)]\(credits) }"
                )
            }
        }
        return lines.map { $0 + "\n" }.joined()
    }

    /// `apple.environments` of the configuration.
    package var environments: [String] {
        source.environments.sorted().map { $0 == .sandbox ? "Sandbox" : "Production" }
    }

    /// `apple.sandboxAccess` of the configuration.
    package var sandboxAccess: String { source.sandboxAccess == .none ? "none" : "all" }
}
