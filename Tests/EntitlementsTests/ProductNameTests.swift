import Entitlements
import Testing

/// How catalogs name products of several stores.
@Suite struct ProductNameTests {
    private func plan(_ name: String, rank: Int64, _ products: [String]) -> Policy.Plan {
        var plan = Policy.Plan(name: name)
        plan.rank = rank
        plan.products = products
        return plan
    }

    private func planName(of product: String, _ plans: [Policy.Plan]) -> String? {
        var source = Policy.Source()
        source.plans = plans
        let policy = Policy(source, numbering: Numbering(names: [product]))
        let plan = policy.plan(ofNumber: 0)
        return plan < 0 ? nil : policy.plans[plan].name
    }

    @Test(arguments: [
        ("com.example.a", "com.example.a"), ("com.example.a", "app_store:com.example.a"),
        ("google_play:paid:monthly", "google_play:paid:monthly"),
        ("google_play:paid:monthly", "google_play:paid"), ("google_play:paid:monthly", "paid"),
        ("google_play:paid", "google_play:paid"),
        ("stripe:prod_1:price_2:pro", "stripe:prod_1"),
        ("stripe:prod_1:price_2:pro", "stripe:price_2"),
        ("stripe:prod_1:price_2:pro", "stripe:pro"),
        ("stripe:prod_1:price_2:pro", "price_2"), ("stripe:prod_1:price_2:a:b", "stripe:a:b"),
    ])
    func `a product is known by each of its names`(product: String, name: String) {
        #expect(planName(of: product, [plan("paid", rank: 1, [name])]) == "paid")
    }

    @Test(arguments: [
        ("com.example.a", "google_play:com.example.a"),
        ("google_play:paid:monthly", "app_store:paid"),
        ("google_play:paid:monthly", "google_play:paid:yearly"),
        ("google_play:paid", "stripe:paid"),
        ("stripe:prod_1:price_2:pro", "app_store:price_2"), ("stripe:prod_1", "stripe:price_2"),
    ])
    func `and by none of another store or base plan`(product: String, name: String) {
        #expect(planName(of: product, [plan("paid", rank: 1, [name])]) == nil)
    }

    @Test func `the narrowest name decides, then the higher rank`() {
        let plans = [
            plan("monthly", rank: 1, ["google_play:paid:monthly"]),
            plan("google", rank: 2, ["google_play:paid"]), plan("any", rank: 3, ["paid"]),
        ]
        #expect(planName(of: "google_play:paid:monthly", plans) == "monthly")
        #expect(planName(of: "google_play:paid:yearly", plans) == "google")
        #expect(planName(of: "paid", plans) == "any")
        let two = [plan("low", rank: 1, ["paid"]), plan("high", rank: 2, ["paid"])]
        #expect(planName(of: "google_play:paid", two) == "high")
    }

    @Test func `packs are named like products of plans`() {
        var source = Policy.Source()
        source.creditPacks = ["google_play:ten": 10, "twenty": 20]
        source.plans = []
        let policy = Policy(source)
        #expect(policy.packSize(of: "google_play:ten") == 10)
        #expect(policy.packSize(of: "ten") == nil)
        #expect(policy.packSize(of: "stripe:prod:price:twenty") == 20)
        #expect(policy.knows(product: "twenty") && !policy.knows(product: "stripe:ten"))
    }

    @Test func `a feature has its own answer, and credits pay for those that say so`() {
        var source = Policy.Source()
        var plan = plan("paid", rank: 1, ["monthly"])
        plan.unlimited = ["render", "export"]
        source.plans = [plan]
        source.creditsPayFor = ["scan"]
        let policy = Policy(source, numbering: Numbering(names: ["monthly"]))
        var subscriber = Answer()
        subscriber.slots = [Sample.slot()]
        var buyer = Answer()
        buyer.credits = 5
        func allowed(_ answer: Answer, _ feature: String, cost: Int64 = 1) -> Decision {
            answer.decision(
                ofCost: cost,
                at: Sample.after(1),
                under: policy.asked(about: feature),
                sandboxes: .all
            )
        }
        #expect(allowed(subscriber, "render").canRender && allowed(subscriber, "export").canRender)
        let other = allowed(subscriber, "scan")
        #expect(!other.canRender && other.reason == .notInPlan)
        #expect(allowed(subscriber, "nobody's").reason == .notInPlan)
        #expect(allowed(subscriber, "export").nextChange == Sample.after(30))
        #expect(allowed(buyer, "scan").via == .credits)
        #expect(!allowed(buyer, "scan", cost: 6).canRender)
        // What cannot be paid for is not there, however many credits there are.
        #expect(!allowed(buyer, "render").canRender && !allowed(buyer, "export").canRender)
        #expect(!allowed(buyer, "nobody's").canRender)
    }
}
