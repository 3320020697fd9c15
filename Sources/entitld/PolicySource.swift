import DaemonConfiguration
import Entitlements
import JSON

/// Makes the core's policy from the catalog and from what the configuration says about decisions.
extension Policy.Source {
    /// The policy of these settings; its version is given by the ledger.
    init(_ catalog: CatalogSettings, _ settings: Settings) {
        self.init()
        let sellsEverything = catalog.plans.contains { $0.products == .every }
        plans = sellsEverything ? nil : catalog.plans.map(Policy.Plan.init)
        freeCredits = Int64(catalog.freeCredits)
        freeCreditsOnce = .init(rawValue: catalog.freeCreditsOnce.rawValue) ?? .account
        trialOffered = catalog.trialOffered
        billingRetryAccess = catalog.billingRetryAccess
        graceFallbackMilliseconds = Int64(catalog.graceFallbackHours) * 3_600_000
        lateRenewalMilliseconds = Int64(catalog.lateRenewalMinutes) * 60_000
        transferPolicy = .init(rawValue: settings.accounts.transferPolicy.rawValue) ?? .move
        owesRefunds = catalog.refundedCredits == .debt
        for pack in catalog.creditPacks { creditPacks[pack.product] = Int64(pack.credits) }
        creditsPayFor = Set(catalog.creditsPayFor.map(\.rawValue))
        environments = settings.apple?.acceptedEnvironments ?? [.production]
        userIDIsToken = settings.accounts.userIdIsAppAccountToken
        let admitted = admitted(settings)
        switch admitted?.access {
        case .listed: sandboxAccess = .listed(users(admitted?.users ?? []))
        case .some(.none): sandboxAccess = .none
        case .all, nil: sandboxAccess = .all
        }
        // A purchase of Google's says itself that it is a test; all are asked about in one place.
        if settings.google != nil { environments.insert(.sandbox) }
    }

    /// Whom purchases without money let in: Apple's word where its sandbox counts, else Google's.
    private func admitted(
        _ settings: Settings
    ) -> (access: Settings.Apple.SandboxAccess, users: [String])? {
        if let apple = settings.apple, environments.contains(.sandbox) || settings.google == nil {
            return (apple.sandboxAccess, apple.sandboxUsers)
        }
        return settings.google.map { ($0.testAccess, $0.testUsers) }
    }

    /// The users of these ids; a UUID in lower case, as callers' are, where user ids are tokens.
    private func users(_ ids: [String]) -> Set<UserID> {
        Set(
            ids.compactMap { id in
                let token = userIDIsToken ? Token(id) : nil
                return UserID(token?.description ?? id)
            }
        )
    }
}

extension Policy.Plan {
    init(_ plan: CatalogSettings.Plan) {
        self.init(name: plan.name)
        rank = Int64(plan.rank)
        tier = plan.tier
        if case .listed(let listed) = plan.products {
            products = listed.map(\.id)
            for product in listed { days[product.id] = product.days.map { Int64($0) } }
        }
        creditsPerPeriod = Int64(plan.creditsPerPeriod)
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
