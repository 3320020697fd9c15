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
        let rules = admissions(settings)
        sandboxAccess = rules.first?.access ?? .all
        for rule in rules where rule.access != sandboxAccess {
            sandboxAccessOfStores[rule.store] = rule.access
        }
        if settings.stripe != nil { environments.insert(.production) }
        if settings.stripe?.hasTestMode == true { environments.insert(.sandbox) }
        // A purchase of Google's says itself that it is a test; all are asked about in one place.
        if settings.google != nil { environments.formUnion([.production, .sandbox]) }
    }

    /// Whom purchases without money let in, of each store that is configured.
    private func admissions(
        _ settings: Settings
    ) -> [(store: Store, access: Policy.SandboxAccess)] {
        var rules: [(store: Store, access: Policy.SandboxAccess)] = []
        if let apple = settings.apple {
            // Another store's tests open no door to a sandbox that is not accepted.
            let isAccepted = apple.acceptedEnvironments.contains(.sandbox)
            let access = admission(apple.sandboxAccess, apple.sandboxUsers)
            let hasOthers = settings.google != nil || settings.stripe?.hasTestMode == true
            rules.append((.appStore, isAccepted || !hasOthers ? access : .none))
        }
        if let google = settings.google {
            rules.append((.googlePlay, admission(google.testAccess, google.testUsers)))
        }
        if let stripe = settings.stripe, stripe.hasTestMode {
            rules.append((.stripe, admission(stripe.testAccess, stripe.testUsers)))
        }
        return rules
    }

    private func admission(
        _ access: Settings.Apple.SandboxAccess,
        _ ids: [String]
    ) -> Policy.SandboxAccess {
        switch access {
        case .all: .all
        case .listed: .listed(users(ids))
        case .none: .none
        }
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
        creditsInTrial = Int64(plan.creditsInTrial)
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
