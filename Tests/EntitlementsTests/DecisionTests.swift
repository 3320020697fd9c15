import Entitlements
import Testing

@Suite struct DecisionTests {
    /// Product 0 gives basic, 1 premium, 2 storage without render, 3 nothing; 4 and 5 are the plan
    /// names of grants, 6 of a plan that is no longer there.
    static let numbering = Numbering(
        names: ["basic", "premium", "storage", "unknown"]
            + ["basic", "premium", "gone"].map { Numbering.planName($0) }
    )

    static let policy: Policy = {
        var source = Policy.Source()
        source.environments = [.production, .sandbox]
        source.plans = [("basic", 1), ("premium", 2), ("storage", 3)]
            .map { name, rank in
                var plan = Policy.Plan(name: name)
                plan.rank = Int64(rank)
                plan.products = [name]
                plan.unlimited = name == "storage" ? [] : ["render"]
                return plan
            }
        return Policy(source, numbering: numbering)
    }()

    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        var slots: [Slot] = []
        var grants: [Grant] = []
        var credits: Int64 = 0
        var flags: AccountFlags = []
        var cost: Int64 = 1
        var day: Int64 = 1
        var sandboxes = StoreSet.all
        let via: Decision.Via?
        let state: Decision.State
        var reason: Decision.Reason?
        var paysForUnknown = false
        var status: Decision.Status?
        var plan = "free"
        var shown = Decision.Shown.nothing
        var nextDay: Int64?

        var testDescription: String { name }
    }

    static let rows: [Row] = [
        Row(
            name: "nothing",
            via: nil,
            state: .freeNoCredits,
            reason: .neverSubscribed
        ),
        Row(
            name: "credits spent",
            flags: [.everCredited],
            via: nil,
            state: .freeNoCredits,
            reason: .creditsExhausted
        ),
        Row(name: "credits", credits: 2, cost: 2, via: .credits, state: .freeWithCredits),
        Row(
            name: "too few credits",
            credits: 2,
            flags: [.everCredited],
            cost: 3,
            via: nil,
            state: .freeWithCredits,
            reason: .creditsExhausted
        ),
        Row(
            name: "subscribed",
            slots: [Sample.slot()],
            via: .subscription,
            state: .subscribed,
            status: .subscribed,
            plan: "basic",
            shown: .slot(0),
            nextDay: 30
        ),
        Row(
            name: "trial",
            slots: [Sample.slot(marks: [.trial])],
            via: .subscription,
            state: .trial,
            status: .trial,
            plan: "basic",
            shown: .slot(0),
            nextDay: 30
        ),
        Row(
            name: "cancelled trial",
            slots: [Sample.slot(marks: [.trial, .renewalOff])],
            via: .subscription,
            state: .trial,
            status: .cancelled,
            plan: "basic",
            shown: .slot(0),
            nextDay: 30
        ),
        Row(
            name: "cancelled",
            slots: [Sample.slot(marks: [.renewalOff])],
            via: .subscription,
            state: .subscribed,
            status: .cancelled,
            plan: "basic",
            shown: .slot(0),
            nextDay: 30
        ),
        Row(
            name: "grace",
            slots: [Sample.slot(marks: [.billingProblem], graceUntil: Sample.after(36))],
            day: 31,
            via: .grace,
            state: .subscribed,
            status: .gracePeriod,
            plan: "basic",
            shown: .slot(0),
            nextDay: 36
        ),
        Row(
            name: "billing retry",
            slots: [Sample.slot(marks: [.billingProblem])],
            day: 31,
            via: nil,
            state: .freeNoCredits,
            reason: .billingRetry,
            status: .billingRetry,
            shown: .slot(0),
            nextDay: 90
        ),
        Row(
            name: "expired",
            slots: [Sample.slot()],
            flags: [.everCredited],
            day: 31,
            via: nil,
            state: .freeNoCredits,
            reason: .expired,
            status: .expired,
            shown: .slot(0)
        ),
        Row(
            name: "revoked, with credits",
            slots: [Sample.slot(marks: [.revoked])],
            credits: 1,
            via: .credits,
            state: .freeWithCredits,
            status: .revoked,
            shown: .slot(0)
        ),
        Row(
            name: "unknown product",
            slots: [Sample.slot(product: 3)],
            via: nil,
            state: .freeNoCredits,
            reason: .unknownProduct,
            paysForUnknown: true,
            status: .subscribed,
            shown: .slot(0),
            nextDay: 30
        ),
        Row(
            name: "unknown product, with credits",
            slots: [Sample.slot(product: 3)],
            credits: 1,
            flags: [.everCredited],
            via: .credits,
            state: .freeWithCredits,
            paysForUnknown: true,
            status: .subscribed,
            shown: .slot(0),
            nextDay: 30
        ),
        Row(
            name: "unknown product, which is shown before one that expired",
            slots: [
                Sample.slot(product: 1, paidUntil: Sample.after(1)),
                Sample.slot(product: 3, ordinal: 1),
            ],
            day: 2,
            via: nil,
            state: .freeNoCredits,
            reason: .unknownProduct,
            paysForUnknown: true,
            status: .subscribed,
            shown: .slot(1),
            nextDay: 30
        ),
        Row(
            name: "unknown product that expired",
            slots: [Sample.slot(product: 3)],
            day: 31,
            via: nil,
            state: .freeNoCredits,
            reason: .expired,
            status: .expired,
            shown: .slot(0)
        ),
        Row(
            name: "unknown product of the sandbox, which lets nobody in",
            slots: [Sample.slot(product: 3, environment: .sandbox)],
            sandboxes: [],
            via: nil,
            state: .freeNoCredits,
            reason: .unknownProduct,
            paysForUnknown: true,
            status: .subscribed,
            shown: .slot(0),
            nextDay: 30
        ),
        Row(
            name: "a pack of credits",
            slots: [Sample.slot(product: 3, paidUntil: .distantPast)],
            via: nil,
            state: .freeNoCredits,
            reason: .neverSubscribed
        ),
        Row(
            name: "plan without render",
            slots: [Sample.slot(product: 2)],
            credits: 1,
            via: .credits,
            state: .subscribed,
            status: .subscribed,
            plan: "storage",
            shown: .slot(0),
            nextDay: 30
        ),
        Row(
            name: "plan without render, and no credits",
            slots: [Sample.slot(product: 2)],
            flags: [.everCredited],
            via: nil,
            state: .subscribed,
            reason: .notInPlan,
            status: .subscribed,
            plan: "storage",
            shown: .slot(0),
            nextDay: 30
        ),
        Row(
            name: "sandbox that expired, and lets nobody in",
            slots: [Sample.slot(environment: .sandbox)],
            day: 31,
            sandboxes: [],
            via: nil,
            state: .freeNoCredits,
            reason: .expired,
            status: .expired,
            shown: .slot(0)
        ),
        Row(
            name: "any may let in, the best is shown",
            slots: [Sample.slot(), Sample.slot(product: 2, ordinal: 1)],
            via: .subscription,
            state: .subscribed,
            status: .subscribed,
            plan: "storage",
            shown: .slot(1),
            nextDay: 30
        ),
        Row(
            name: "higher rank before later end",
            slots: [
                Sample.slot(paidUntil: Sample.after(90)), Sample.slot(product: 1, ordinal: 1),
            ],
            via: .subscription,
            state: .subscribed,
            status: .subscribed,
            plan: "premium",
            shown: .slot(1),
            nextDay: 30
        ),
        Row(
            name: "later end of equal rank",
            slots: [Sample.slot(), Sample.slot(ordinal: 1, paidUntil: Sample.after(40))],
            via: .subscription,
            state: .subscribed,
            status: .subscribed,
            plan: "basic",
            shown: .slot(1),
            nextDay: 40
        ),
        Row(
            name: "production before sandbox",
            slots: [Sample.slot(product: 1, environment: .sandbox), Sample.slot(ordinal: 1)],
            via: .subscription,
            state: .subscribed,
            status: .subscribed,
            plan: "basic",
            shown: .slot(1),
            nextDay: 30
        ),
        Row(
            name: "access before production",
            slots: [
                Sample.slot(marks: [.revoked]), Sample.slot(environment: .sandbox, ordinal: 1),
            ],
            via: .subscription,
            state: .subscribed,
            status: .subscribed,
            plan: "basic",
            shown: .slot(1),
            nextDay: 30
        ),
        Row(
            name: "sandbox that lets nobody in",
            slots: [Sample.slot(environment: .sandbox)],
            flags: [.everCredited],
            sandboxes: [],
            via: nil,
            state: .freeNoCredits,
            reason: .sandboxNotAdmitted,
            status: .subscribed,
            shown: .slot(0),
            nextDay: 30
        ),
        Row(
            name: "grant",
            grants: [Sample.grant(1, plan: 4, until: Sample.after(9))],
            via: .grant,
            state: .subscribed,
            plan: "basic",
            shown: .grant(0),
            nextDay: 9
        ),
        Row(
            name: "grant for good",
            grants: [Sample.grant(1, plan: 5, until: .distantFuture)],
            via: .grant,
            state: .subscribed,
            plan: "premium",
            shown: .grant(0)
        ),
        Row(
            name: "grant to come",
            grants: [Sample.grant(1, plan: 4, until: Sample.after(9), from: Sample.after(5))],
            via: nil,
            state: .freeNoCredits,
            reason: .neverSubscribed,
            nextDay: 5
        ),
        Row(
            name: "grant that ended",
            grants: [Sample.grant(1, plan: 4, until: Sample.after(9))],
            day: 9,
            via: nil,
            state: .freeNoCredits,
            reason: .neverSubscribed
        ),
        Row(
            name: "grant of a plan that is gone",
            grants: [Sample.grant(1, plan: 6, until: .distantFuture)],
            via: nil,
            state: .freeNoCredits,
            reason: .neverSubscribed
        ),
        Row(
            name: "store before grant",
            slots: [Sample.slot()],
            grants: [Sample.grant(1, plan: 4, until: Sample.after(30))],
            via: .subscription,
            state: .subscribed,
            status: .subscribed,
            plan: "basic",
            shown: .slot(0),
            nextDay: 30
        ),
        Row(
            name: "better grant before store",
            slots: [Sample.slot()],
            grants: [Sample.grant(1, plan: 5, until: Sample.after(5))],
            via: .grant,
            state: .subscribed,
            plan: "premium",
            shown: .grant(0),
            nextDay: 5
        ),
    ]

    @Test(arguments: rows)
    func `a decision is what its row says`(_ row: Row) {
        var answer = Answer()
        answer.slots = row.slots
        answer.grants = row.grants
        answer.credits = row.credits
        answer.flags = row.flags
        let decision = answer.decision(
            ofCost: row.cost,
            at: Sample.after(row.day),
            under: Self.policy,
            sandboxes: row.sandboxes
        )
        #expect(decision.canRender == (row.via != nil))
        #expect(decision.via == row.via)
        #expect(decision.state == row.state)
        #expect(decision.reason == row.reason)
        #expect(decision.paysForUnknown == row.paysForUnknown)
        #expect(decision.status == row.status)
        #expect(Self.policy.plans[decision.plan].name == row.plan)
        #expect(decision.hasAccess == (row.state == .subscribed || row.state == .trial))
        #expect(decision.shown == row.shown)
        #expect(decision.nextChange == row.nextDay.map { Sample.after($0) })
    }

    @Test func `a free plan that renders lets everybody in who has no other access`() {
        var source = Self.policy.source
        var free = Policy.Plan(name: "free")
        free.unlimited = ["render"]
        source.plans?.append(free)
        let policy = Policy(source, numbering: Self.numbering)
        func decision(_ slots: [Slot], credits: Int64 = 0) -> Decision {
            var answer = Answer()
            answer.slots = slots
            answer.credits = credits
            return answer.decision(
                ofCost: 1,
                at: Sample.after(1),
                under: policy,
                sandboxes: []
            )
        }
        for (credits, state) in [(0, Decision.State.freeNoCredits), (3, .freeWithCredits)] {
            let free = decision([], credits: Int64(credits))
            #expect(free.canRender && free.via == .free && free.reason == nil)
            #expect(free.state == state && !free.hasAccess && free.plan == 0)
        }
        #expect(decision([Sample.slot()]).via == .subscription)
        #expect(decision([Sample.slot(marks: [.revoked])]).via == .free)
        #expect(decision([Sample.slot(environment: .sandbox)]).via == .free)
        // The plan that holds decides: that of the subscription, not the free one.
        let storage = decision([Sample.slot(product: 2)])
        #expect(!storage.canRender && storage.reason == .notInPlan)
        #expect(decision([Sample.slot(product: 2)], credits: 1).via == .credits)
    }

    @Test func `nobody is a decision too`() {
        let decision = Decision()
        #expect(decision.state == .noAccount)
        #expect(decision.plan == -1)
        #expect(!decision.canRender)
    }

    @Test func `an era ends where the next one begins`() {
        var answer = Answer()
        var second = Sample.slot(product: 1, paidUntil: Sample.after(60))
        second.from = Sample.after(30)
        answer.slots = [Sample.slot(paidUntil: Sample.after(60)), second]
        func plan(onDay day: Int64) -> String {
            let decision = answer.decision(
                ofCost: 1,
                at: Sample.after(day),
                under: Self.policy,
                sandboxes: .all
            )
            return Self.policy.plans[decision.plan].name
        }
        #expect(plan(onDay: -9) == "basic")
        #expect(plan(onDay: 29) == "basic")
        #expect(plan(onDay: 30) == "premium")
        #expect(plan(onDay: 60) == "free")
    }
}
