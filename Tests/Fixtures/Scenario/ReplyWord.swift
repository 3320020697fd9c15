import JSON

/// The short words of scenarios for the members of replies.
enum ReplyWord {
    private enum Kind {
        case plain
        case moment
        case transaction
        case buckets
    }

    /// The words that a rewrite fills in where none is named.
    static func usual(for verb: ScenarioStep.Verb) -> [ScenarioStep.Expectation] {
        let words: [String] =
            switch verb {
            case .notify, .again, .restore: [""]
            case .canRender: ["", "via", "state", "reason", "next"]
            case .getStatus: ["state", "status", "plan", "product", "expiresAt", "next", "paywall"]
            case .register: ["created", "credits"]
            case .verifyPurchase: ["applied"]
            case .grant, .merge: ["replayed"]
            case .revokeGrant, .disconnect, .move, .pack: ["error"]
            case .grantCredits, .adjustCredits: ["credits", "replayed"]
            case .consume, .reserve, .reverse: ["", "credits", "replayed"]
            case .commit, .release: ["", "credits"]
            case .getCredits: ["", "held", "buckets"]
            }
        return words.map { ScenarioStep.Expectation(word: $0, value: "") }
    }

    static func value(
        of word: String,
        in reply: JSONValue,
        for verb: ScenarioStep.Verb,
        _ names: ScenarioNames
    ) -> String {
        guard let (path, kind) = member(word, verb) else { return "no-such-word" }
        var found: JSONValue? = reply
        for name in path { found = found?[name] }
        guard let found, !found.isNull else { return "-" }
        if kind == .buckets { return buckets(found, names) }
        guard let text = found.string else {
            return String(decoding: found.bytes, as: UTF8.self)
        }
        return switch kind {
        case .plain, .buckets: text
        case .moment: names.shortMoment(text)
        case .transaction: names.shortTransactionID(text)
        }
    }

    /// Each as `<amount>:<source>`, with `@<end>` where it has one, joined by commas; `-` for none.
    private static func buckets(_ list: JSONValue, _ names: ScenarioNames) -> String {
        let texts = (list.array ?? [])
            .map { bucket in
                let end = bucket["expiresAt"]?.string.map { "@" + names.shortMoment($0) } ?? ""
                return "\(bucket["amount"]?.int64 ?? 0):\(bucket["source"]?.string ?? "")\(end)"
            }
        return texts.isEmpty ? "-" : texts.joined(separator: ",")
    }

    private static func member(
        _ word: String,
        _ verb: ScenarioStep.Verb
    ) -> (path: [String], kind: Kind)? {
        switch word {
        case "":
            switch verb {
            case .notify, .again: (["result"], .plain)
            case .canRender: (["canRender"], .plain)
            case .consume, .reserve, .commit, .release, .disconnect, .reverse, .restore:
                (["outcome"], .plain)
            case .getCredits: (["balance"], .plain)
            case .getStatus, .register, .verifyPurchase, .grant, .revokeGrant, .merge, .move,
                .pack, .grantCredits, .adjustCredits:
                nil
            }
        case "error": (["error", "data", "code"], .plain)
        case "why": (["error", "data", "reason"], .plain)
        case "via", "state", "reason", "canRender", "isSubscriber", "hadSubscription", "plan",
            "tier",
            "paywall", "created", "replayed", "applied":
            ([word], .plain)
        case "credits": (["creditsRemaining"], .plain)
        case "held": ([word], .plain)
        case "buckets": ([word], .buckets)
        case "method": (["subscriptionMethod"], .plain)
        case "next": (["nextChangeAt"], .moment)
        case "expiresAt": ([word], .moment)
        case "status", "store", "environment", "autoRenew", "isTrial":
            (["subscription", word], .plain)
        case "product": (["subscription", "productId"], .plain)
        case "pending": (["subscription", "pendingProductId"], .plain)
        case "original": (["subscription", "originalTransactionId"], .transaction)
        case "tx": (["subscription", "transactionId"], .transaction)
        case "purchasedAt", "cancelledAt", "revokedAt": (["subscription", word], .moment)
        case "grace": (["subscription", "gracePeriodExpiresAt"], .moment)
        default: nil
        }
    }
}
