import Entitlements
import JSON
import Signatures

/// A policy as text: what tells one from another, and what the history keeps of each.
extension Policy.Source {
    /// What is installed: everything that bears on a decision.
    package var stamp: CatalogStamp {
        let text = String(decoding: description.bytes, as: UTF8.self)
        let digest = Digest256(bytes: Digest.sha256(text))
        return CatalogStamp(version: 0, digest: digest, text: text)
    }

    /// The policy that a stamp keeps; nil where it is not one.
    package init?(_ stamp: CatalogStamp) {
        guard let text = try? JSONValue.parse(Array(stamp.text.utf8)), text.object != nil else {
            return nil
        }
        self.init()
        version = stamp.version
        freeCredits = text["freeCredits"]?.int64 ?? 0
        freeCreditsOnce =
            text["freeCreditsOnce"]?.string.flatMap { .init(rawValue: $0) } ?? .account
        trialOffered = text["trialOffered"]?.bool ?? false
        billingRetryAccess = text["billingRetryAccess"]?.bool ?? false
        graceFallbackMilliseconds = text["graceFallbackMilliseconds"]?.int64 ?? 0
        lateRenewalMilliseconds = text["lateRenewalMilliseconds"]?.int64 ?? 0
        owesRefunds = text["refundedCredits"]?.string == "debt"
        transferPolicy =
            text["transferPolicy"]?.string.flatMap { .init(rawValue: $0) } ?? .move
        userIDIsToken = text["userIdIsAppAccountToken"]?.bool ?? false
        environments = Set(
            text["environments"]?.array?.compactMap { $0.string.flatMap { .init(name: $0) } } ?? []
        )
        sandboxAccess = Policy.SandboxAccess(text["sandboxAccess"])
        for one in text["sandboxAccessOfStores"]?.object?.members ?? [] {
            guard let store = Store(name: one.key) else { continue }
            sandboxAccessOfStores[store] = Policy.SandboxAccess(one.value)
        }
        plans = text["plans"]?.array?.compactMap(Policy.Plan.init)
        if let features = text["creditsPayFor"]?.array {
            creditsPayFor = Set(features.compactMap(\.string))
        }
        for pack in text["creditPacks"]?.object?.members ?? [] {
            creditPacks[pack.key] = pack.value.int64
        }
    }

    private var description: JSONValue {
        var object: JSONObject = [
            "freeCredits": .integer(freeCredits),
            "freeCreditsOnce": .string(freeCreditsOnce.rawValue),
            "trialOffered": .bool(trialOffered),
            "billingRetryAccess": .bool(billingRetryAccess),
            "graceFallbackMilliseconds": .integer(graceFallbackMilliseconds),
            "lateRenewalMilliseconds": .integer(lateRenewalMilliseconds),
            "refundedCredits": owesRefunds ? "debt" : "floor",
            "transferPolicy": .string(transferPolicy.rawValue),
            "userIdIsAppAccountToken": .bool(userIDIsToken),
            "environments": .array(environments.sorted().map { .string($0.name) }),
            "sandboxAccess": sandboxAccess.text,
            "plans": plans.map { .array($0.map(\.description)) } ?? .null,
            "creditPacks": .object(
                JSONObject(
                    creditPacks.sorted { $0.key < $1.key }
                        .map { JSONObject.Member(key: $0.key, value: .integer($0.value)) }
                )
            ),
        ]
        // Seldom anything else: older texts say the same.
        if creditsPayFor != ["render"] {
            object["creditsPayFor"] = .array(creditsPayFor.sorted().map { .string($0) })
        }
        if !sandboxAccessOfStores.isEmpty {
            object["sandboxAccessOfStores"] = .object(
                JSONObject(
                    sandboxAccessOfStores.sorted { $0.key < $1.key }
                        .map { JSONObject.Member(key: $0.key.name, value: $0.value.text) }
                )
            )
        }
        return .object(object)
    }
}

extension Policy.SandboxAccess {
    /// What `text` says; an absent one stands for all.
    fileprivate init(_ text: JSONValue?) {
        if let listed = text?.array {
            self = .listed(Set(listed.compactMap { $0.string.flatMap { UserID($0) } }))
        } else {
            self = text?.string == "none" ? .none : .all
        }
    }

    fileprivate var text: JSONValue {
        switch self {
        case .all: "all"
        case .none: "none"
        case .listed(let users): .array(users.sorted().map { .string($0.description) })
        }
    }
}

extension Policy.Plan {
    /// What is seldom there stands in it only where it is: older texts say the same.
    fileprivate var description: JSONValue {
        var object: JSONObject = [
            "name": .string(name),
            "rank": .integer(rank),
            "tier": .string(tier),
            "products": .array(products.map { .string($0) }),
            "unlimited": .array(unlimited.map { .string($0) }),
            "limits": .string(limits),
        ]
        if !days.isEmpty {
            object["days"] = .object(
                JSONObject(
                    days.sorted { $0.key < $1.key }
                        .map { JSONObject.Member(key: $0.key, value: .integer($0.value)) }
                )
            )
        }
        if creditsPerPeriod > 0 { object["creditsPerPeriod"] = .integer(creditsPerPeriod) }
        if creditsInTrial > 0 { object["creditsInTrial"] = .integer(creditsInTrial) }
        return .object(object)
    }

    fileprivate init?(_ text: JSONValue) {
        guard let name = text["name"]?.string else { return nil }
        self.init(name: name)
        rank = text["rank"]?.int64 ?? 1
        tier = text["tier"]?.string ?? "paid"
        products = text["products"]?.array?.compactMap(\.string) ?? []
        unlimited = text["unlimited"]?.array?.compactMap(\.string) ?? []
        limits = text["limits"]?.string ?? "{}"
        creditsPerPeriod = text["creditsPerPeriod"]?.int64 ?? 0
        creditsInTrial = text["creditsInTrial"]?.int64 ?? 0
        for product in text["days"]?.object?.members ?? [] {
            days[product.key] = product.value.int64
        }
    }
}
