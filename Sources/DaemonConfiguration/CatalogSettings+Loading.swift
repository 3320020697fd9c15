extension CatalogSettings {
    /// Reads the catalog; one at the default path may be absent, which is no catalog.
    package static func load(
        _ file: Settings.CatalogFile
    ) throws(ConfigurationFailure) -> CatalogSettings {
        if !file.isNamed, isAbsent(file.path) { return .none }
        let bytes = try readFile(
            file.path,
            key: "catalog",
            bytesMax: ConfigurationLimits.fileBytesMax
        )
        return try load(yaml: bytes, path: file.path)
    }

    /// As `load(_:)`, with the file's bytes at hand.
    package static func load(
        yaml: [UInt8],
        path: String
    ) throws(ConfigurationFailure) -> CatalogSettings {
        let document = try ConfigurationDocument(yaml, path: path)
        var draft = CatalogDraft()
        if document.root != .null {
            for member in try document.root.map(key: "The catalog") where member.value != .null {
                try draft.read(member)
            }
        }
        return try draft.catalog()
    }
}

/// A catalog while it is read.
private struct CatalogDraft {
    private var freeCredits = 0
    private var freeCreditsOnce = CatalogSettings.FreeCreditsOnce.account
    private var trialOffered = false
    private var billingRetryAccess = false
    private var graceFallbackHours = CatalogSettings.none.graceFallbackHours
    private var lateRenewalMinutes = 0
    private var refundedCredits = CatalogSettings.RefundedCredits.floor
    private var plans: [CatalogSettings.Plan]?
    private var creditPacks: [CatalogSettings.CreditPack] = []
    private var creditsPayFor: [CatalogSettings.Feature] = [.render]

    mutating func read(
        _ member: ConfigurationNode.Member
    ) throws(ConfigurationFailure) {
        let key = member.key
        let value = member.value
        switch key {
        case "freeCredits":
            freeCredits = try value.integer(key: key, in: 0...ConfigurationLimits.creditsMax)
        case "freeCreditsOnce":
            let name = try value.choice(key: key, of: CatalogSettings.FreeCreditsOnce.names)
            freeCreditsOnce = .init(rawValue: name) ?? .account
        case "trialOffered":
            trialOffered = try value.boolean(key: key)
        case "billingRetryAccess":
            billingRetryAccess = try value.boolean(key: key)
        case "graceFallbackHours":
            graceFallbackHours = try value.integer(key: key, in: 0...8_760)
        case "lateRenewalMinutes":
            lateRenewalMinutes = try value.integer(key: key, in: 0...525_600)
        case "refundedCredits":
            let name = try value.choice(key: key, of: CatalogSettings.RefundedCredits.names)
            refundedCredits = .init(rawValue: name) ?? .floor
        case "plans":
            var plans: [CatalogSettings.Plan] = []
            for member in try value.map(key: key) { plans.append(try plan(member)) }
            self.plans = plans
        case "creditPacks":
            for member in try value.map(key: key) {
                let packKey = "\(key).\(member.key)"
                try ProductSpelling.check(member.key, key: packKey)
                let range = 1...ConfigurationLimits.creditsMax
                let credits = try member.value.integer(key: packKey, in: range)
                creditPacks.append(.init(product: member.key, credits: credits))
            }
        case "creditsPayFor": creditsPayFor = try features(value, key: key)
        default:
            throw .wrong(key, "is no known key of the catalog")
        }
    }

    /// A list of features, each once.
    private func features(
        _ value: ConfigurationNode,
        key: String
    ) throws(ConfigurationFailure) -> [CatalogSettings.Feature] {
        var features: [CatalogSettings.Feature] = []
        for (index, element) in try value.list(key: key).enumerated() {
            let elementKey = "\(key)[\(index)]"
            let feature = CatalogSettings.Feature(rawValue: try element.text(key: elementKey))
            guard (1...ConfigurationLimits.featureBytesMax).contains(feature.rawValue.utf8.count),
                !feature.rawValue.unicodeScalars.contains(where: { $0.value < 0x20 })
            else {
                throw .wrong(
                    elementKey,
                    "must be a feature's name of 1 to 64 bytes, without control characters"
                )
            }
            guard !features.contains(feature) else {
                throw .wrong(elementKey, "names \(feature.rawValue) a second time")
            }
            features.append(feature)
        }
        guard features.count <= ConfigurationLimits.featuresMax else {
            throw .wrong(key, "has more than \(ConfigurationLimits.featuresMax) features")
        }
        return features
    }

    func catalog() throws(ConfigurationFailure) -> CatalogSettings {
        let named = plans ?? [.default]
        let plans =
            (named.filter { $0.name == "free" } + [.free]).prefix(1)
            + named.filter { $0.name != "free" }
        try checkProducts(Array(plans))
        return CatalogSettings(
            freeCredits: freeCredits,
            freeCreditsOnce: freeCreditsOnce,
            trialOffered: trialOffered,
            billingRetryAccess: billingRetryAccess,
            graceFallbackHours: graceFallbackHours,
            lateRenewalMinutes: lateRenewalMinutes,
            refundedCredits: refundedCredits,
            plans: Array(plans),
            creditPacks: creditPacks,
            creditsPayFor: creditsPayFor
        )
    }

    private func plan(
        _ member: ConfigurationNode.Member
    ) throws(ConfigurationFailure) -> CatalogSettings.Plan {
        let name = member.key
        let planKey = "plans.\(name)"
        guard !name.isEmpty, name.utf8.count <= 64 else {
            throw .wrong(planKey, "must have a name of 1 to 64 bytes")
        }
        let isFree = name == "free"
        var rank = isFree ? 0 : 1
        var tier = isFree ? "free" : "paid"
        var products: [CatalogSettings.Product] = []
        var creditsPerPeriod = 0
        var creditsInTrial = 0
        let creditsRange = 0...(isFree ? 0 : ConfigurationLimits.creditsMax)
        var unlimited: [CatalogSettings.Feature] = []
        var limits: [CatalogSettings.Limit] = []
        let members = member.value == .null ? [] : try member.value.map(key: planKey)
        for member in members {
            let key = "\(planKey).\(member.key)"
            let value = member.value
            switch member.key {
            case "rank":
                rank = try value.integer(key: key, in: isFree ? 0...0 : 1...1_000_000)
            case "tier":
                tier = isFree ? try value.choice(key: key, of: ["free"]) : try value.text(key: key)
            case "products":
                products = try value.products(key: key)
                for (index, product) in products.enumerated() {
                    try ProductSpelling.check(product.id, key: "\(key)[\(index)]")
                }
                guard !isFree || products.isEmpty else {
                    throw .wrong(key, "must be empty: free is the plan of those without a product")
                }
            case "creditsPerPeriod":
                creditsPerPeriod = try value.integer(key: key, in: creditsRange)
            case "creditsInTrial":
                creditsInTrial = try value.integer(key: key, in: creditsRange)
            case "unlimited":
                unlimited = try features(value, key: key)
            case "limits":
                for member in try value.map(key: key) {
                    limits.append(try limit(member, under: key))
                }
            default:
                throw .wrong(key, "is no known key of the catalog")
            }
        }
        return .init(
            name: name,
            rank: rank,
            tier: tier,
            products: .listed(products),
            unlimited: unlimited,
            limits: limits,
            creditsPerPeriod: creditsPerPeriod,
            creditsInTrial: creditsInTrial
        )
    }

    private func limit(
        _ member: ConfigurationNode.Member,
        under parent: String
    ) throws(ConfigurationFailure) -> CatalogSettings.Limit {
        let value: CatalogSettings.Scalar
        switch member.value {
        case .null: value = .null
        case .boolean(let boolean): value = .boolean(boolean)
        case .integer(let integer): value = .integer(integer)
        case .number(let number): value = .double(number)
        case .text(let text): value = .text(text)
        case .list, .map:
            throw .wrong(
                "\(parent).\(member.key)",
                "must be a number, a text, true, false or null, not \(member.value.kind)"
            )
        }
        return .init(name: member.key, value: value)
    }

    /// A product means one thing: one plan or one pack.
    private func checkProducts(
        _ plans: [CatalogSettings.Plan]
    ) throws(ConfigurationFailure) {
        var keys: [String: String] = [:]
        for plan in plans {
            guard case .listed(let products) = plan.products else { continue }
            for (index, product) in products.enumerated() {
                let key = "plans.\(plan.name).products[\(index)]"
                if let first = keys.updateValue(key, forKey: product.id) {
                    throw .wrong(key, "names \(product.id), which \(first) names already")
                }
            }
        }
        for pack in creditPacks {
            guard let first = keys[pack.product] else { continue }
            throw .wrong("creditPacks.\(pack.product)", "is a product that \(first) names already")
        }
    }
}
