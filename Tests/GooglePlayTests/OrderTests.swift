import Chance
import Entitlements
import GooglePlay
import JSON
import Testing

/// In whatever order answers and withdrawals arrive, and however often, they end in one state.
struct OrderTests {
    @Test func `any order and any duplicates of a life end alike`() throws {
        var chance = SplitMix64.told()
        for round in 0..<200 {
            let facts = try Self.life(&chance)
            var wanted: Subscription?
            for _ in 0..<8 {
                var order = facts + facts.filter { _ in chance.chance() }
                order.shuffle(using: &chance)
                var made = Subscription(key: try #require(facts.first).key)
                for fact in order { _ = made.merge(fact) }
                if let wanted, made != wanted { Issue.record("round \(round)") }
                wanted = made
            }
        }
    }

    /// Answers of one purchase's life at random moments, with renewals and withdrawals.
    private static func life(_ chance: inout SplitMix64) throws -> [Fact] {
        let asked = AskedPlay()
        let states = [
            "ACTIVE", "ACTIVE", "IN_GRACE_PERIOD", "ON_HOLD", "PAUSED", "CANCELED",
            "EXPIRED",
        ]
        var facts: [Fact] = []
        var payment = -1
        for _ in 0...chance.pick(12) {
            if chance.chance() { payment += 1 }
            let order = "GPA.1-2-3-4" + (payment < 0 ? "" : "..\(payment)")
            let hours = Int64(chance.pick(101..<900))
            let answer = PlayAnswers.subscription(
                chance.pick(states),
                hours: hours,
                order: order
            )
            let now = PlayAnswers.later(hours: Int64(chance.pick(100)))
            facts += try asked.facts(answer, at: now)
            guard chance.isOne(in: 4) else { continue }
            let hint = PurchaseHint.withdrawal(
                purchaseToken: PlayAnswers.token,
                orderID: order,
                at: now
            )
            guard let question = asked.play.purchase(hint, in: .production) else { continue }
            let reply = StoreReply(status: 200, body: answer.bytes)
            guard case .stated(let said) = try asked.walk(question, [reply], at: now).answer else {
                continue
            }
            facts += said
        }
        return facts
    }
}
