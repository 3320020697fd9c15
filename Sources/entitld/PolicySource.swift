import DaemonConfiguration
import Entitlements
import JSON
import Signatures

/// Makes the core's policy from the catalog and from what the configuration says about decisions.
extension Policy.Source {
    /// The policy of these settings; its version is given by the ledger.
    init(_ catalog: CatalogSettings, _ settings: Settings) {
        self.init()
        let sellsEverything = catalog.plans.contains { $0.products == .every }
        plans = sellsEverything ? nil : catalog.plans.map(Policy.Plan.init)
        freeCredits = Int64(catalog.freeCredits)
        trialOffered = catalog.trialOffered
        billingRetryAccess = catalog.billingRetryAccess
        graceFallbackMilliseconds = Int64(catalog.graceFallbackHours) * 3_600_000
        lateRenewalMilliseconds = Int64(catalog.lateRenewalMinutes) * 60_000
        for pack in catalog.creditPacks { creditPacks[pack.product] = Int64(pack.credits) }
        environments = settings.apple?.acceptedEnvironments ?? [.production]
        switch settings.apple?.sandboxAccess {
        case .listed:
            sandboxAccess = .listed(
                Set(settings.apple?.sandboxUsers.compactMap { UserID($0) } ?? [])
            )
        case .some(.none): sandboxAccess = .none
        case .all, nil: sandboxAccess = .all
        }
        userIDIsToken = settings.accounts.userIdIsAppAccountToken
    }

    /// What tells one policy from another: everything that bears on a decision, as text.
    var stamp: CatalogStamp {
        let text = String(decoding: description.bytes, as: UTF8.self)
        let digest = Digest256(bytes: Digest.sha256(Array(text.utf8)))
        return CatalogStamp(version: 0, digest: digest, text: text)
    }

    private var description: JSONValue {
        [
            "freeCredits": .integer(freeCredits),
            "trialOffered": .bool(trialOffered),
            "billingRetryAccess": .bool(billingRetryAccess),
            "graceFallbackMilliseconds": .integer(graceFallbackMilliseconds),
            "lateRenewalMilliseconds": .integer(lateRenewalMilliseconds),
            "userIdIsAppAccountToken": .bool(userIDIsToken),
            "environments": .array(environments.sorted().map { .string($0.name) }),
            "sandboxAccess": sandbox,
            "plans": plans.map { .array($0.map(view)) } ?? .null,
            "creditPacks": .object(
                JSONObject(
                    creditPacks.sorted { $0.key < $1.key }
                        .map { JSONObject.Member(key: $0.key, value: .integer($0.value)) }
                )
            ),
        ]
    }

    private var sandbox: JSONValue {
        switch sandboxAccess {
        case .all: "all"
        case .none: "none"
        case .listed(let users): .array(users.sorted().map { .string($0.description) })
        }
    }

    private func view(_ plan: Policy.Plan) -> JSONValue {
        [
            "name": .string(plan.name),
            "rank": .integer(plan.rank),
            "tier": .string(plan.tier),
            "products": .array(plan.products.map { .string($0) }),
            "unlimited": .array(plan.unlimited.map { .string($0) }),
            "limits": .string(plan.limits),
        ]
    }
}

extension Policy.Plan {
    init(_ plan: CatalogSettings.Plan) {
        self.init(name: plan.name)
        rank = Int64(plan.rank)
        tier = plan.tier
        if case .listed(let listed) = plan.products { products = listed }
        unlimited = plan.unlimited.map(\.rawValue)
        let members = plan.limits.map { limit in
            JSONObject.Member(key: limit.name, value: JSONValue(limit.value))
        }
        limits = String(decoding: JSONValue.object(JSONObject(members)).bytes, as: UTF8.self)
    }
}

extension JSONValue {
    fileprivate init(_ scalar: CatalogSettings.Scalar) {
        self =
            switch scalar {
            case .null: .null
            case .boolean(let value): .bool(value)
            case .integer(let value): .integer(Int64(value))
            case .double(let value):
                (try? JSONValue.parse(Array("\(value)".utf8))) ?? .null
            case .text(let value): .string(value)
            }
    }
}

extension Settings.Apple {
    /// The environments that count, in the core's terms.
    var acceptedEnvironments: Set<StoreEnvironment> {
        Set(
            environments.map { environment in
                switch environment {
                case .production: .production
                case .sandbox: .sandbox
                }
            }
        )
    }
}
