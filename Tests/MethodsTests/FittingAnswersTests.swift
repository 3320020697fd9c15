import Chance
import Entitlements
import Fixtures
import JSON
import Ledger
import Telemetry
import Testing
import Wire

@testable import Methods

/// What canRender, getStatus, getEntitlement and getSubscriptions say of one account at one moment
/// must fit together, in the JSON that callers get, for every account that can be reached.
struct FittingAnswersTests {
    private static let stories = 180

    /// What a caller is told of one user, within one moment.
    private struct Told {
        let render: JSONValue
        let status: JSONValue
        let entitlement: JSONValue
        let subscriptions: [JSONValue]
        let now: String
    }

    /// A story is moved in time so that the present lies somewhere in it; told is what was signed
    /// until then.
    @Test func `the answers about an account fit together, whatever was told of it`() throws {
        let seed = Seed.told()
        var met: [String: Int] = [:]
        for number in 0..<Self.stories {
            var random = SplitMix64(seed: seed &+ UInt64(number) &* 977)
            let story = RandomStory(seed: seed &+ UInt64(number / 3))
            let present = LedgerClock.system.wall()
            let moment = Self.moment(in: story, &random)
            let upheaval = Upheaval(around: story, &random)
            let commands = Self.commands(
                of: story,
                amid: upheaval,
                until: moment,
                by: present - moment,
                &random
            )
            let stage = try Stage(startingAt: present)
            let service = try MethodService(
                Calls.all,
                ledger: stage.ledger,
                storefronts: [],
                settings: MethodSettings(tokenNamespace: "x", frameBytesMax: 1 << 20, version: "1"),
                metrics: Metrics(version: "")
            )
            service.phase = .serving
            defer { service.stop() }
            var source = upheaval.source
            source.trialOffered = number % 2 == 0
            try stage.install(source)
            var asker = Asker(service)
            for (place, kind) in commands.enumerated() {
                stage.pass(max(0, LedgerClock.system.wall() - stage.hands.wall))
                try stage.order(kind)
                guard place % 3 == 0 || place > commands.count - 6 else { continue }
                for user in story.users + YearOfLife.users.suffix(1) {
                    let told = try Self.told(of: user, &asker)
                    let words = Self.judge(told, source, "seed \(seed), \(number), \(user)")
                    for word in words { met[word, default: 0] += 1 }
                }
            }
        }
        print("answers by word: \(met.sorted { $0.key < $1.key })")
        let wanted = [
            "no_account", "trial", "subscribed", "free_with_credits", "free_no_credits",
            "not_in_plan", "unknown_product", "sandbox_not_admitted", "revoked", "billing_retry",
            "expired", "credits_exhausted", "never_subscribed", "cancelled", "grace_period",
            "several", "grant", "start_trial", "subscribe", "resubscribe", "none",
        ]
        for word in wanted { #expect(met[word, default: 0] > 0, "\(word) was never met") }
    }

    /// A moment of a story at which nothing begins or ends: it has whole hours alone, and a few
    /// milliseconds.
    private static func moment(in story: RandomStory, _ random: inout SplitMix64) -> Int64 {
        let signed = story.facts.compactMap(\.transaction?.version.signed.milliseconds)
        let ends = story.facts.compactMap(\.transaction?.expires?.milliseconds)
        let days: [Int64] = [0, 0, 1, 2, 5, 30, 70, 300]
        let hour: Int64 = 3_600_000
        let chosen = random.isOne(in: 2) ? random.pick(signed) : random.pick(ends + signed)
        return chosen / hour * hour + hour * 29 / 60 + random.pick(days) * YearOfLife.day
    }

    /// What was told until `moment`, moved by some milliseconds; credits, grants and orders of
    /// support between.
    private static func commands(
        of story: RandomStory,
        amid upheaval: Upheaval,
        until moment: Int64,
        by distance: Int64,
        _ random: inout SplitMix64
    ) -> [Command.Kind] {
        var commands = (story.openings + story.others).map { $0.moved(by: distance) }
        for (index, fact) in upheaval.facts.enumerated() {
            let signed = fact.transaction?.version.signed ?? .distantFuture
            guard signed.milliseconds <= moment else { continue }
            let digest = Digest256(UInt64(index), 9, 0, 0)
            commands.append(
                .record(
                    Notification(
                        id: NotificationID(signed: Moment(1), digest: digest),
                        type: "DID_RENEW",
                        subtype: "",
                        document: digest,
                        facts: [fact.moved(by: distance)]
                    )
                )
            )
            if random.isOne(in: 14) {
                let order = upheaval.order(index, about: fact, &random)
                commands.append(order.moved(by: distance))
            }
            guard random.isOne(in: 6) else { continue }
            let user = random.pick(story.users)
            let key = IdempotencyKey(user: user, digest: digest)
            let days = Int64(random.pick(40) + 1)
            let grant = GrantOrder(
                user: user,
                plan: story.source.plans == nil ? "default" : "basic",
                key: key,
                fingerprint: digest,
                from: nil,
                until: Moment(moment + distance + days * YearOfLife.day),
                store: nil,
                reason: ""
            )
            let charge = Charge(user: user, amount: 2, key: key, fingerprint: digest)
            let isGrant = random.isOne(in: 3)
            commands.append(isGrant ? .grant(grant) : .charge(charge))
        }
        return commands
    }

    private static func told(
        of user: UserID,
        _ asker: inout Asker
    ) throws -> Told {
        let params: JSONObject = ["userId": .string(user.description)]
        func result(_ method: String, _ asker: inout Asker) throws -> JSONValue {
            try #require(try asker.call(method, params)["result"], "\(method)")
        }
        return Told(
            render: try result("canRender", &asker),
            status: try result("getStatus", &asker),
            entitlement: try result("getEntitlement", &asker)["entitlement"] ?? .null,
            subscriptions: try result("getSubscriptions", &asker)["subscriptions"]?.array ?? [],
            now: TimeText.text(LedgerClock.system.wall())
        )
    }

    /// The words met; an issue for those that do not fit.
    private static func judge(
        _ told: Told,
        _ source: Policy.Source,
        _ place: String
    ) -> Set<String> {
        var wrong: [String] = []
        func expect(_ isSo: Bool, _ sentence: String) { if !isSo { wrong.append(sentence) } }
        let (status, render) = (told.status, told.render)
        let shown = status["subscription"] ?? .null
        expect(render["canRender"] == status["canRender"], "canRender")
        expect(render["state"] == status["state"], "state")
        expect(render["nextChangeAt"] == status["nextChangeAt"], "nextChangeAt")
        let next = status["nextChangeAt"]?.string
        expect(next.map { $0 > told.now } ?? true, "the next change is to come")
        let gives = told.subscriptions.filter { $0["givesAccess"] == true }
        let method = status["subscriptionMethod"]?.string
        let isByPurchase = method == "app_store_subscription"
        expect(status["isSubscriber"]?.bool == (method != nil), "a subscriber has a method")
        expect(gives.isEmpty || status["isSubscriber"] == true, "one gives access")
        expect(!isByPurchase || !gives.isEmpty, "what gives access is listed")
        expect(status["isSubscriber"] == told.entitlement["isActive"], "isActive")
        expect(status["expiresAt"]?.string == told.entitlement["expiresAt"]?.string, "expiresAt")
        for (name, other) in [
            ("productId", "productId"), ("originalTransactionId", "originalTransactionId"),
            ("environment", "environment"),
        ] {
            expect(shown[name]?.string == told.entitlement[other]?.string, name)
        }
        expect(isByPurchase ? shown != .null : true, "what gives access is shown")
        if method == "grant" { expect(shown == .null, "a grant shows no subscription") }
        if shown != .null {
            expect(!told.subscriptions.isEmpty, "what is shown is listed")
            let best = told.subscriptions.first ?? .null
            // The best is first, and what is shown is the best.
            for name in shown.object?.keys ?? [] { expect(best[name] == shown[name], "\(name)") }
            expect(shown["expiresAt"] == status["expiresAt"], "the end of what is shown")
        }
        expect(fits(status, render, shown), "state, method, plan, paywall, reason")
        for one in told.subscriptions { wrong += problems(one, source, told.now) }
        #expect(wrong == [], "\(place) at \(told.now): \(status) \(render) \(told.subscriptions)")
        var words: Set<String> = told.subscriptions.count > 1 ? ["several"] : []
        for value in [
            status["state"], render["reason"], shown["status"], status["paywall"], render["via"],
        ] {
            if let word = value?.string { words.insert(word) }
        }
        return words
    }

    /// Words that go together: for each state with its method the statuses, the paywall, the plan.
    private static func fits(
        _ status: JSONValue,
        _ render: JSONValue,
        _ shown: JSONValue
    ) -> Bool {
        let word = shown["status"]?.string
        let paywall = status["paywall"]?.string ?? ""
        let had = status["hadSubscription"] == true
        let sells = had ? ["resubscribe"] : ["start_trial", "subscribe"]
        let isFree = status["plan"]?.string == "free"
        let reason = render["reason"]?.string
        let (can, via) = (render["canRender"] == true, render["via"]?.string)
        guard can == (reason == nil), can == (via != nil) else { return false }
        let isPaid = status["isSubscriber"] == true
        let access = ["subscription", "grace", "grant"]
        if let via, access.contains(via) { guard isPaid else { return false } }
        if via == "credits" {
            guard status["creditsRemaining"]?.int64 ?? 0 > 0 else { return false }
        }
        switch status["state"]?.string {
        case "no_account":
            return status["plan"] == .null && shown == .null && !isPaid && reason == "no_account"
                && sells.contains(paywall)
        case "trial":
            return isPaid && !isFree && paywall == "none" && ["trial", "cancelled"].contains(word)
                && shown["isTrial"] == true
        case "subscribed":
            let isGrant = status["subscriptionMethod"]?.string == "grant"
            let paid = ["subscribed", "cancelled", "grace_period", "billing_retry"]
            return isPaid && !isFree && paywall == "none"
                && (isGrant ? word == nil : paid.contains(word ?? ""))
                && (reason == nil || reason == "not_in_plan")
        case "free_with_credits", "free_no_credits":
            let hasCredits = status["creditsRemaining"]?.int64 ?? 0 > 0
            guard !isPaid, isFree, status["state"] == "free_with_credits" ? hasCredits : !hasCredits
            else { return false }
            switch reason {
            case nil: return paywall == "none" || sells.contains(paywall)
            case "unknown_product": return paywall == "none"
            case "revoked", "billing_retry", "expired":
                return word == reason && sells.contains(paywall)
            case "sandbox_not_admitted": return sells.contains(paywall)
            case "credits_exhausted", "never_subscribed":
                return word == nil && sells.contains(paywall)
            default: return false
            }
        default: return false
        }
    }

    /// What does not fit in one subscription: its status, its moments, and whether it gives access.
    private static func problems(
        _ one: JSONValue,
        _ source: Policy.Source,
        _ now: String
    ) -> [String] {
        var wrong: [String] = []
        func expect(_ isSo: Bool, _ sentence: String) { if !isSo { wrong.append(sentence) } }
        let end = one["expiresAt"]?.string
        let isOver = end.map { $0 <= now } ?? false
        let status = one["status"]?.string ?? ""
        let gives = one["givesAccess"] == true
        switch status {
        case "trial", "subscribed", "cancelled":
            let late = source.lateRenewalMilliseconds > 0
            expect(!isOver || late, "\(status) is paid for")
            expect(status != "trial" || one["isTrial"] == true, "a trial is one")
            expect(one["revokedAt"] == .null, "\(status) is not revoked")
            expect(status != "cancelled" || one["autoRenew"] != .null, "who cancelled said so")
        case "grace_period":
            expect(isOver, "grace begins where what is paid ends")
            expect(one["gracePeriodExpiresAt"]?.string.map { $0 > now } ?? false, "grace goes on")
        case "billing_retry":
            expect(isOver, "nothing is charged while something is paid")
            expect(!gives || source.billingRetryAccess, "no access while it is retried")
        case "expired":
            expect(isOver, "what is expired has ended")
            expect(!gives, "what is expired gives nothing")
        case "revoked":
            expect(one["revokedAt"]?.string != nil, "when it was revoked is known")
            expect(!gives, "what is revoked gives nothing")
        default: expect(false, "no such status: \(status)")
        }
        expect(one["stale"] != true || isOver, "a renewal is due once what is paid ends")
        expect(one["pendingProductId"] != one["productId"], "another product is pending")
        let isSandbox = one["environment"] == "Sandbox"
        let admits = source.environments.contains(.sandbox) && source.sandboxAccess == .all
        expect(!gives || !isSandbox || admits, "the sandbox lets nobody in")
        return wrong.map { "\(one["originalTransactionId"]?.string ?? ""): \($0)" }
    }
}

extension Command.Kind {
    /// With the moments in its documents so much later.
    fileprivate func moved(by distance: Int64) -> Command.Kind {
        switch self {
        case .link(let purchase):
            let facts = purchase.facts.map { $0.moved(by: distance) }
            return .link(Purchase(user: purchase.user, facts: facts, claimed: purchase.claimed))
        case .restore(let order):
            let facts = order.facts.map { $0.moved(by: distance) }
            return .restore(Restoration(user: order.user, facts: facts, claimed: order.claimed))
        default: return self
        }
    }
}

extension Fact {
    fileprivate func moved(by distance: Int64) -> Fact {
        func later(_ moment: Moment) -> Moment { moment.advanced(byMilliseconds: distance) }
        func later(_ version: Version) -> Version {
            Version(signed: later(version.signed), digest: version.digest)
        }
        var fact = self
        fact.transaction = transaction.map { transaction in
            var one = transaction
            one.version = later(transaction.version)
            one.purchased = later(transaction.purchased)
            one.expires = transaction.expires.map(later)
            one.revoked = transaction.revoked.map(later)
            one.terms.commitment?.expires = transaction.terms.commitment?.expires.map(later)
            return one
        }
        fact.renewal = renewal.map { renewal in
            var one = renewal
            one.version = later(renewal.version)
            one.graceUntil = renewal.graceUntil.map(later)
            one.renewalDate = renewal.renewalDate.map(later)
            return one
        }
        fact.status = status.map { StatusFact(version: later($0.version), code: $0.code) }
        fact.renewalDisabled = renewalDisabled.map(later)
        return fact
    }
}
