import Chance
import Entitlements
import Fixtures
import JSON
import Testing

/// What an account says of itself in several words must fit together, for every account that can be
/// reached.
@Suite struct FittingWordsTests {
    /// Words that go together: a row for each state, with and without access.
    private struct Row {
        let state: String
        let statuses: Set<String?>
        let methods: Set<String?>
        let paywalls: Set<String>
        let isSubscriber: Bool
        let isFree: Bool
    }

    private static let sales: Set<String> = ["resubscribe", "start_trial", "subscribe"]
    private static let over: Set<String?> = [
        nil, "revoked", "billing_retry", "expired", "paused", "pending",
    ]
    /// What is paid for, or in grace.
    private static let open: Set<String?> = ["subscribed", "cancelled", "trial", "grace_period"]
    private static let stores = Set(Store.allCases.map { Optional($0.methodName) })

    private static let table = [
        Row(
            state: "trial",
            statuses: ["trial", "cancelled"],
            methods: stores,
            paywalls: ["none"],
            isSubscriber: true,
            isFree: false
        ),
        Row(
            state: "subscribed",
            statuses: ["subscribed", "cancelled", "grace_period", "billing_retry"],
            methods: stores,
            paywalls: ["none"],
            isSubscriber: true,
            isFree: false
        ),
        Row(
            state: "subscribed",
            statuses: [nil],
            methods: stores.union(["grant"]),
            paywalls: ["none"],
            isSubscriber: true,
            isFree: false
        ),
        Row(
            state: "free_with_credits",
            statuses: over.union(open),
            methods: [nil],
            paywalls: sales.union(["none"]),
            isSubscriber: false,
            isFree: true
        ),
        Row(
            state: "free_no_credits",
            statuses: over.union(open),
            methods: [nil],
            paywalls: sales.union(["none"]),
            isSubscriber: false,
            isFree: true
        ),
    ]

    /// For each reason: the statuses that may be shown beside it, and the paywalls.
    private static let reasons: [String: (statuses: Set<String?>, paywalls: Set<String>)] = [
        "not_in_plan": (open.union(["billing_retry", nil]), ["none"]),
        "unknown_product": (open.union(over), ["none"]),
        "sandbox_not_admitted": (open.union(over), sales),
        "revoked": (["revoked"], sales),
        "pending": (["pending"], sales),
        "paused": (["paused"], sales),
        "billing_retry": (["billing_retry"], sales),
        "expired": (["expired"], sales),
        "credits_exhausted": ([nil], sales),
        "never_subscribed": ([nil], sales),
    ]

    @Test func `state, status, reason, paywall, method and plan fit together`() throws {
        let seed = Seed.told()
        var met: Set<String> = []
        for number in 0..<160 {
            var random = SplitMix64(seed: seed &+ UInt64(number) &* 977)
            let story = RandomStory(seed: seed &+ UInt64(number))
            var ledger = MemoryLedger()
            let moments = PlainFold(story).breakpoints
            guard let first = moments.first, let last = moments.last else { continue }
            let upheaval = Upheaval(around: story, &random)
            let commands = commands(of: story, amid: upheaval, &random)
            let step = (last.milliseconds - first.milliseconds) / Int64(commands.count)
            for (index, kind) in commands.enumerated() {
                let at = first.advanced(byMilliseconds: Int64(index) * step)
                let policy = Policy(upheaval.source, numbering: ledger.numbering)
                _ = ledger.submit(kind, at: at, under: policy)
                let later = at.advanced(byMilliseconds: Int64(random.pick(0..<90)) * Sample.day)
                for user in story.users {
                    for moment in [at, later] {
                        met.formUnion(check(user, ledger, upheaval.source, moment, number))
                    }
                }
            }
        }
        let states = Set(Self.table.map(\.state))
        // Apple knows neither a pause nor a payment that is awaited.
        let wanted = states.union(Self.reasons.keys).subtracting(["paused", "pending"])
        #expect(met.isSuperset(of: wanted), "\(met)")
    }

    @Test func `they fit together for purchases at three stores, too`() throws {
        let seed = Seed.told()
        var met: Set<String> = []
        for number in 0..<240 {
            var random = SplitMix64(seed: seed &+ UInt64(number) &* 991)
            let story = StoreStory(seed: seed &+ UInt64(number))
            var source = StoreStory.policy.source
            source.sandboxAccess = random.pick([.all, .none, .listed([Sample.alice])])
            var ledger = MemoryLedger()
            var commands = zip(story.users, story.tokens)
                .map { Command.Kind.register(Registration(user: $0, token: $1)) }
            for (index, fact) in story.facts.enumerated() {
                commands.append(.record(Sample.notification(UInt64(index), [fact])))
                if random.isOne(in: 12) {
                    commands.append(.grant(grant(index, to: random.pick(story.users), &random)))
                }
            }
            for (index, kind) in commands.enumerated() {
                let at = Sample.after(Int64(index * 240 / commands.count))
                let policy = Policy(source, numbering: ledger.numbering)
                _ = ledger.submit(kind, at: at, under: policy)
                let later = at.advanced(byMilliseconds: Int64(random.pick(0..<90)) * Sample.day)
                for user in story.users {
                    for moment in [at, later] {
                        met.formUnion(check(user, ledger, source, moment, number))
                    }
                }
            }
        }
        let wanted = Self.open.union(Self.over).union(Self.stores).compactMap { $0 }
        // These lives have no trials.
        #expect(met.isSuperset(of: (wanted + ["grant"]).filter { $0 != "trial" }), "\(met)")
    }

    /// Access that no store sold, or that another system says a store sold.
    private func grant(
        _ number: Int,
        to user: UserID,
        _ random: inout SplitMix64
    ) -> GrantOrder {
        let digest = Digest256(UInt64(number), 9, 0, 0)
        return GrantOrder(
            user: user,
            plan: random.pick(StoreStory.products),
            key: IdempotencyKey(user: user, digest: digest),
            fingerprint: digest,
            from: nil,
            until: Sample.after(Int64(random.pick(1..<240))),
            store: random.isOne(in: 2) ? nil : random.pick(Store.allCases),
            reason: ""
        )
    }

    /// What is told, and grants, credits, and orders of support between.
    private func commands(
        of story: RandomStory,
        amid upheaval: Upheaval,
        _ random: inout SplitMix64
    ) -> [Command.Kind] {
        var commands = story.openings + story.others
        for (index, fact) in upheaval.facts.enumerated() {
            commands.append(.record(Sample.notification(UInt64(index), [fact])))
            if random.isOne(in: 8) {
                let told = random.pick(Array(upheaval.facts[...index]))
                commands.append(upheaval.order(index, about: told, &random))
            }
            guard random.isOne(in: 12) else { continue }
            let user = random.pick(story.users)
            let digest = Digest256(UInt64(index), 9, 0, 0)
            let key = IdempotencyKey(user: user, digest: digest)
            let until = (fact.transaction?.purchased ?? Sample.start)
                .advanced(byMilliseconds: Int64(random.pick(1..<200)) * Sample.day)
            let plan = story.source.plans == nil ? "default" : "basic"
            let grant = GrantOrder(
                user: user,
                plan: plan,
                key: key,
                fingerprint: digest,
                from: nil,
                until: until,
                store: nil,
                reason: ""
            )
            let charge = Charge(user: user, amount: 2, key: key, fingerprint: digest)
            commands.append(random.isOne(in: 2) ? .grant(grant) : .charge(charge))
        }
        return commands
    }

    /// The words met; an issue for those that do not fit.
    private func check(
        _ user: UserID,
        _ ledger: MemoryLedger,
        _ source: Policy.Source,
        _ moment: Moment,
        _ number: Int
    ) -> Set<String> {
        guard let account = ledger.accounts[user] else { return [] }
        let policy = Policy(source, numbering: ledger.numbering)
        let status = CoreStatus(
            account: account,
            policy: policy,
            at: moment,
            subscriptions: ledger.subscriptions
        )
        .reply
        let decision = account.answer.decision(
            ofCost: 1,
            at: moment,
            under: policy,
            sandboxes: policy.sandboxes(of: user)
        )
        func word(_ name: String) -> String? { status[name]?.string }
        let shown = status["subscription"]?["status"]?.string
        let fits = Self.table.contains { row in
            row.state == word("state") && row.statuses.contains(shown)
                && row.methods.contains(word("subscriptionMethod"))
                && row.paywalls.contains(word("paywall") ?? "")
                && row.isSubscriber == status["isSubscriber"]?.bool
                && row.isFree == (word("plan") == "free")
        }
        #expect(fits, "story \(number) at \(moment): \(status)")
        #expect((decision.reason == nil) == decision.canRender, "story \(number)")
        #expect((decision.via != nil) == decision.canRender, "story \(number)")
        let words = [word("state"), shown, word("subscriptionMethod")].compactMap { $0 }
        guard let reason = decision.reason?.rawValue else { return Set(words) }
        let allowed = Self.reasons[reason]
        let isAllowed =
            allowed?.statuses.contains(shown) == true
            && allowed?.paywalls.contains(word("paywall") ?? "") == true
        #expect(isAllowed, "story \(number) at \(moment): \(reason) beside \(status)")
        return Set(words + [reason])
    }
}
