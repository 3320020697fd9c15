import Chance
import Entitlements

/// What may come between the facts of a story: passes for some days, subscriptions that take the
/// place of others, accounts that go into others, restored purchases, and those that support moves.
package struct Upheaval {
    /// A product that is bought for a number of days.
    package static let pass = "pass"

    /// The story's rules, with a pass where they name plans.
    package let source: Policy.Source
    /// The story's facts, with others between.
    package let facts: [Fact]
    private let story: RandomStory

    /// Around this story.
    package init(around story: RandomStory, _ random: inout SplitMix64) {
        self.story = story
        source = Self.source(of: story, &random)
        var facts: [Fact] = []
        for (place, fact) in story.facts.enumerated() {
            facts.append(fact)
            guard random.isOne(in: 12), let transaction = fact.transaction else { continue }
            let isPass = random.isOne(in: 2)
            facts.append(
                isPass ? Self.pass(beside: transaction, place) : Self.heir(of: fact, place, &random)
            )
        }
        self.facts = facts
    }

    private static func source(
        of story: RandomStory,
        _ random: inout SplitMix64
    ) -> Policy.Source {
        var source = story.source
        source.transferPolicy = random.pick([.move, .move, .share, .refuse])
        source.plans?[0].products.append(Self.pass)
        source.plans?[0].days[Self.pass] = 7
        return source
    }

    private static func pass(beside other: TransactionFact, _ place: Int) -> Fact {
        var bought = TransactionFact(
            id: "\(70_000 + place)",
            version: other.version,
            productID: pass,
            purchased: other.purchased
        )
        bought.kind = "Non-Renewing Subscription"
        bought.token = other.token
        return Fact(key: key("\(70_000 + place)"), transaction: bought)
    }

    /// The subscription that takes the place of the one that `fact` is about.
    private static func heir(
        of fact: Fact,
        _ place: Int,
        _ random: inout SplitMix64
    ) -> Fact {
        var fact = fact
        let id = "\(80_000 + place)"
        fact.transaction?.id = id
        fact.transaction?.terms.previousOriginalID = fact.key.originalID
        // Some begin in the middle of what they replace, some where it ends.
        if random.isOne(in: 2), let end = fact.transaction?.expires {
            fact.transaction?.purchased = end
            fact.transaction?.expires = end.advanced(byMilliseconds: 30 * RandomStory.day)
        }
        var heir = Fact(
            key: SubscriptionKey(
                store: .appStore,
                environment: fact.key.environment,
                originalID: id
            ),
            transaction: fact.transaction
        )
        heir.renewal = fact.renewal
        heir.status = fact.status
        return heir
    }

    private static func key(_ id: String) -> SubscriptionKey {
        SubscriptionKey(store: .appStore, environment: .production, originalID: id)
    }

    /// An order of a caller or of support, perhaps about what `fact` states; `number` is its own.
    package func order(
        _ number: Int,
        about fact: Fact,
        _ random: inout SplitMix64
    ) -> Command.Kind {
        let (user, other) = (random.pick(story.users), random.pick(story.users))
        switch random.pick(0..<4) {
        case 0 where user != other:
            let digest = Digest256(UInt64(number), 8, 0, 0)
            return .merge(
                MergeOrder(
                    from: user,
                    into: other,
                    token: nil,
                    key: IdempotencyKey(user: other, digest: digest),
                    fingerprint: digest
                )
            )
        case 1:
            return .move(
                PurchaseMove(
                    store: .appStore,
                    originalID: fact.key.originalID,
                    to: user,
                    reason: "asked"
                )
            )
        case 2: return .link(Purchase(user: user, facts: [fact], claimed: []))
        default: return .restore(Restoration(user: user, facts: [fact], claimed: []))
        }
    }
}
