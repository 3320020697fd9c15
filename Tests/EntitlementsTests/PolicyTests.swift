import Chance
import Entitlements
import Testing

@Suite struct PolicyTests {
    private static func plan(_ name: String, _ rank: Int64, _ products: [String]) -> Policy.Plan {
        var plan = Policy.Plan(name: name)
        plan.rank = rank
        plan.products = products
        return plan
    }

    @Test func `without a catalog there is one plan for every subscription product`() {
        let numbering = Numbering(names: ["monthly", Numbering.planName("default")])
        let policy = Policy(Policy.Source(), numbering: numbering)
        #expect(policy.plans.map(\.name) == ["free", "default"])
        #expect(policy.plan(ofNumber: 0) == 1)
        #expect(policy.plan(ofNumber: 1) == 1)
        #expect(policy.plan(ofNumber: 77) == 1)
        #expect(policy.rendersFreely == [false, true])
        #expect(policy.knows(product: "anything"))
        #expect(policy.plans[0].rank == 0)
        #expect(policy.plans[0].tier == "free")
    }

    @Test func `a plan that no catalog names is none, though every product has one`() {
        let numbering = Numbering(names: [Numbering.planName("gold")])
        #expect(Policy(Policy.Source(), numbering: numbering).plan(ofNumber: 0) == -1)
    }

    @Test func `a product gives the best plan that sells it, and an unknown one gives none`() {
        var source = Policy.Source()
        source.plans = [
            Self.plan("low", 1, ["both", "cheap"]), Self.plan("high", 2, ["both", "dear"]),
            Self.plan("same", 2, ["both"]),
        ]
        source.creditPacks = ["coins": 10]
        let names = ["both", "cheap", "dear", "other", "low", Numbering.planName("low")]
        let policy = Policy(source, numbering: Numbering(names: names))
        let plans = (0..<7).map { policy.plan(ofNumber: $0) }
        #expect(plans == [2, 1, 2, -1, -1, 1, -1])
        #expect(policy.knows(product: "cheap"))
        #expect(policy.knows(product: "coins"))
        #expect(!policy.knows(product: "other"))
    }

    @Test func `the plan free stands first, whether the catalog names it or not`() {
        var free = Self.plan("free", 0, [])
        free.limits = "{\"storageBytes\":1}"
        var source = Policy.Source()
        source.plans = [Self.plan("paid", 1, ["monthly"]), free]
        let policy = Policy(source)
        #expect(policy.plans.map(\.name) == ["free", "paid"])
        #expect(policy.plans[0].limits == free.limits)
    }

    @Test func `sandbox access is for all, some or nobody`() {
        var source = Policy.Source()
        let rows: [(Policy.SandboxAccess, Bool, Bool)] = [
            (.all, true, true), (.none, false, false), (.listed([Sample.alice]), true, false),
        ]
        for (access, alice, bob) in rows {
            source.sandboxAccess = access
            for store in Store.allCases {
                #expect(Policy(source).sandboxes(of: Sample.alice).holds(store) == alice)
                #expect(Policy(source).sandboxes(of: Sample.bob).holds(store) == bob)
            }
        }
    }

    @Test(arguments: Store.allCases)
    func `the tests of one store may let others in than those of the rest`(_ store: Store) {
        var source = Policy.Source()
        source.environments = [.production, .sandbox]
        source.sandboxAccess = .none
        source.sandboxAccessOfStores[store] = .listed([Sample.alice])
        let policy = Policy(source)
        #expect(policy.sandboxes(of: Sample.alice) == StoreSet(store))
        #expect(policy.sandboxes(of: Sample.bob) == [])
        for other in Store.allCases {
            var answer = Answer()
            answer.slots = [
                Slot(
                    ordinal: 0,
                    store: other,
                    environment: .sandbox,
                    product: 0,
                    marks: [],
                    from: Sample.start,
                    paidUntil: Sample.after(30),
                    graceUntil: .distantPast
                )
            ]
            let decision = answer.decision(
                ofCost: 1,
                at: Sample.after(1),
                under: Policy(source, numbering: Numbering(names: ["monthly"])),
                sandboxes: policy.sandboxes(of: Sample.alice)
            )
            #expect(decision.canRender == (other == store), "\(other)")
        }
    }

    /// Ids that are prefixes of each other, of several lengths and alphabets: the search must tell
    /// them all apart.
    @Test func `who is listed is found by lent bytes as in a set`() {
        var random = SplitMix64(seed: Seed.told())
        for _ in 0..<200 {
            let ids = (0..<random.pick(1..<40))
                .compactMap { _ in
                    UserID((0..<random.pick(1..<5)).map { _ in random.pick([0x41, 0x61, 0x7a]) })
                }
            let everySandbox = StoreSet(Store.allCases.map { StoreSet($0) })
            let listed = Set(ids.prefix(random.pick(0..<ids.count + 1)))
            var source = Policy.Source()
            source.sandboxAccess = .listed(listed)
            let policy = Policy(source)
            for user in ids {
                let isFound = user.bytes.withUnsafeBytes { policy.sandboxes(of: $0) }
                #expect(isFound == (listed.contains(user) ? everySandbox : []), "\(user)")
                #expect(policy.sandboxes(of: user) == isFound)
            }
        }
    }

    @Test func `an environment that is not configured lets nobody in`() {
        var answer = Answer()
        answer.slots = [Sample.slot(environment: .sandbox)]
        var source = Policy.Source()
        for environments in [[], [.production], [.sandbox], [.production, .sandbox]]
            as [Set<StoreEnvironment>]
        {
            source.environments = environments
            let decision = answer.decision(
                ofCost: 1,
                at: Sample.start,
                under: Policy(source),
                sandboxes: .all
            )
            #expect(decision.canRender == environments.contains(.sandbox))
        }
    }

    @Test func `without a catalog what was bought for good is no subscription`() {
        var answer = Answer()
        answer.slots = [Sample.slot(paidUntil: .distantFuture)]
        func canRender(_ source: Policy.Source) -> Bool {
            let policy = Policy(source, numbering: Numbering(names: ["lifetime"]))
            return answer.decision(ofCost: 1, at: Sample.start, under: policy, sandboxes: .all)
                .canRender
        }
        var source = Policy.Source()
        #expect(!canRender(source))
        var plan = Self.plan("paid", 1, ["lifetime"])
        plan.unlimited = ["render"]
        source.plans = [plan]
        #expect(canRender(source))
    }
}
