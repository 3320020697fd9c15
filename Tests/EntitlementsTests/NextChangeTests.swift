import Chance
import Entitlements
import Testing

/// The first moment at which an answer changes: what it is, and how much is looked at to find it.
@Suite struct NextChangeTests {
    private static let policy = DecisionTests.policy

    /// The same as the rule says it: every moment in its order, each judged anew.
    private func plainly(
        _ answer: Answer,
        _ cost: Int64,
        _ now: Moment,
        _ policy: Policy,
        _ admits: StoreSet
    ) -> Moment? {
        func seen(_ moment: Moment) -> [AnyHashable?] {
            let decision = answer.judgement(cost, moment, policy, admits)
            return [decision.canRender, decision.state, decision.status, decision.plan]
        }
        let first = seen(now)
        var moment = now
        while true {
            moment = answer.nextMoment(after: moment, policy)
            if moment == .distantFuture { return nil }
            if seen(moment) != first { return moment }
        }
    }

    private func search(
        _ answer: Answer,
        cost: Int64 = 1,
        at now: Moment = Sample.start
    ) -> (next: Moment?, looks: Int) {
        var looks = 0
        let next = answer.nextChange(
            after: answer.showing(at: now, Self.policy, .all),
            cost,
            Self.policy,
            .all,
            counting: &looks
        )
        return (next, looks)
    }

    @Test func `it is the first moment of all at which something visible changes`() {
        var random = SplitMix64.told()
        var changes = 0
        for _ in 0..<6_000 {
            let policy = random.policy()
            let answer = random.answer()
            let now = random.moment()
            let cost = Int64(1 + random.pick(4))
            let admits: StoreSet = random.chance() ? .all : []
            let decision = answer.decision(
                ofCost: cost,
                at: now,
                under: policy,
                sandboxes: admits
            )
            let expected = plainly(answer, cost, now, policy, admits)
            #expect(decision.nextChange == expected, "\(answer) at \(now)")
            if expected != nil { changes += 1 }
        }
        #expect(changes > 1_000 && changes < 6_000)
    }

    @Test func `balances are what a purse has at every later moment`() {
        var random = SplitMix64.told()
        for _ in 0..<2_000 {
            let purse = random.purse()
            var answer = Answer()
            (answer.credits, answer.balances) = purse.front
            #expect(
                zip(answer.balances, answer.balances.dropFirst()).allSatisfy { $0.from < $1.from }
            )
            for _ in 0..<8 {
                let moment = random.moment()
                #expect(answer.spendable(at: moment) == purse.balance(at: moment), "\(purse)")
            }
        }
    }

    @Test func `a full purse is looked through once`() {
        let parts = (0..<Limits.bucketsMax)
            .map { Bucket(source: "gift", until: Sample.after(Int64($0) + 2), amount: 3) }
        let holds = (0..<Limits.holdsMax)
            .map { number in
                Hold(
                    id: UInt64(number) + 1,
                    until: Sample.start.advanced(byMilliseconds: Int64(number) + 1),
                    parts: Array(parts[number..<(number + 2)])
                )
            }
        let purse = Purse(buckets: parts, holds: holds, debt: 0)
        var answer = Answer()
        (answer.credits, answer.balances) = purse.front
        #expect(answer.balances.count == Limits.bucketsMax + Limits.holdsMax)
        let found = search(answer)
        #expect(found.next == Sample.after(Int64(Limits.bucketsMax) + 1), "nothing is left")
        #expect(found.looks == answer.balances.count)
    }

    @Test func `grants one behind the other are looked at once for each that takes over`() {
        var answer = Answer()
        answer.grants = (0..<Int64(Limits.grantsMax))
            .map { day in
                Sample.grant(
                    UInt64(day),
                    plan: 4,
                    until: Sample.after(day + 2),
                    from: Sample.after(day)
                )
            }
        let found = search(answer)
        #expect(found.next == Sample.after(Int64(Limits.grantsMax) + 1))
        #expect(found.looks <= Limits.grantsMax * Limits.grantsMax)
        // Those that end before the one shown cost nothing more.
        answer.grants = (0..<Int64(Limits.grantsMax))
            .map { Sample.grant(UInt64($0), plan: 4, until: Sample.after($0 + 2)) }
        let ends = search(answer)
        #expect(ends.next == Sample.after(Int64(Limits.grantsMax) + 1))
        #expect(ends.looks == Limits.grantsMax)
    }

    /// So many subscriptions in grace: of each the grace ends behind that of the one shown before.
    private func relay(_ count: Int) -> Answer {
        var answer = Answer()
        answer.slots = (0..<count)
            .map { number in
                Sample.slot(
                    marks: [.billingProblem],
                    ordinal: UInt16(number),
                    paidUntil: Sample.start.advanced(byMilliseconds: -Int64(number)),
                    graceUntil: Sample.after(Int64(number) + 1)
                )
            }
        return answer
    }

    @Test func `the search is bounded, and then too early rather than too late`() {
        #expect(search(relay(32)).next == Sample.after(32))
        let answer = relay(200)
        let found = search(answer)
        #expect(found.looks >= Limits.nextChangeLooksMax)
        #expect(found.looks < Limits.nextChangeLooksMax + 3 * answer.slots.count)
        // Asked again and again at the moment named, one comes to the change.
        var moment = Sample.start
        while let next = search(answer, at: moment).next {
            #expect(next > moment)
            moment = next
            let decision = answer.judgement(1, next, Self.policy, .all)
            guard decision.status == .gracePeriod else { break }
        }
        #expect(moment == plainly(answer, 1, Sample.start, Self.policy, .all))
    }
}

extension SplitMix64 {
    fileprivate mutating func moment() -> Moment { Sample.after(Int64(pick(60)) - 10) }

    fileprivate mutating func policy() -> Policy {
        var source = DecisionTests.policy.source
        source.billingRetryAccess = chance()
        source.graceFallbackMilliseconds = Int64(pick(4)) * Sample.day
        source.lateRenewalMilliseconds = Int64(pick(4)) * Sample.day
        if isOne(in: 6) {
            var free = Policy.Plan(name: "free")
            free.unlimited = ["render"]
            source.plans?.append(free)
        }
        if isOne(in: 6) { source.environments = [.production] }
        return Policy(source, numbering: DecisionTests.numbering)
    }

    fileprivate mutating func answer() -> Answer {
        var answer = Answer()
        for ordinal in 0..<pick(4) {
            let environment: StoreEnvironment = isOne(in: 4) ? .sandbox : .production
            let starts = (0...pick(3)).map { _ in moment() }.sorted()
            for start in starts {
                var slot = Sample.slot(
                    marks: EraMarks(rawValue: UInt16(next() & next() & 127)),
                    product: UInt32(pick(4)),
                    environment: environment,
                    ordinal: UInt16(ordinal),
                    paidUntil: isOne(in: 8) ? pick([.distantPast, .distantFuture]) : moment(),
                    graceUntil: chance() ? .distantPast : moment()
                )
                slot.from = start
                answer.slots.append(slot)
            }
        }
        answer.grants = (0..<pick(4))
            .map { id in
                Sample.grant(UInt64(id), plan: UInt32(4 + pick(3)), until: moment(), from: moment())
            }
        (answer.credits, answer.balances) = purse().front
        return answer
    }

    /// A purse as commands may leave it.
    fileprivate mutating func purse() -> Purse {
        let ends = Set((0..<pick(4)).map { _ in moment() }).sorted() + [.distantFuture]
        let debt = isOne(in: 4) ? Int64(1 + pick(4)) : 0
        let buckets =
            debt > 0
            ? [] : ends.map { Bucket(source: "gift", until: $0, amount: Int64(1 + pick(4))) }
        let holds = (0..<pick(4))
            .map { id in
                let parts = ends.filter { _ in chance() }
                    .map { Bucket(source: "gift", until: $0, amount: Int64(1 + pick(3))) }
                return Hold(id: UInt64(id) + 1, until: moment(), parts: parts)
            }
        return Purse(buckets: buckets, holds: holds, debt: debt)
    }
}
