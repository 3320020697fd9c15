import Chance
import Entitlements
import Fixtures
import JSON
import Testing

/// Purchases that go on under another original id, told in any order: with the registrations, with
/// documents twice, and with renewals, refunds and a second migration between.
@Suite struct MigrationShuffleTests {
    /// What makes the first purchase somebody's.
    private enum Tie: CaseIterable {
        /// Every transaction has alice's token.
        case tokens
        /// Only those before the migration have it.
        case firstToken
        /// An app server has shown the purchase for alice.
        case link
        /// An app server has shown the purchase for alice, and then for bob, who shares it.
        case share
        /// The token is nobody's.
        case strangersToken
        /// Bob has bought the last one with a token of his own.
        case otherBuyer
    }

    private struct Story {
        var openings: [Command.Kind] = []
        var commands: [Command.Kind] = []
        var keys: [SubscriptionKey] = []
        /// The owner that each must have in the end.
        var owners: [UserID?] = []
        var end = Sample.start
    }

    private static let source: Policy.Source = {
        var plan = Policy.Plan(name: "paid")
        plan.products = ["monthly", "generic"]
        plan.unlimited = ["render"]
        var source = Policy.Source()
        source.plans = [plan]
        source.transferPolicy = .share
        return source
    }()

    private static let lanesCount = 4
    private static let ordersCount = 30
    /// Stories of a lane; with `ENTITLD_SHUFFLES` as many as its share of the orders needs.
    private static let storiesCount = max(
        60,
        ShuffleTests.rareOrdersWanted / (lanesCount * ordersCount)
    )

    @Test(arguments: 0..<lanesCount) func `any order ends with the same owners and the same words`(
        _ lane: Int
    ) throws {
        let seed = Seed.told() &+ UInt64(lane) << 20
        for number in 0..<UInt64(Self.storiesCount) {
            var random = SplitMix64(seed: seed &+ number)
            let tie = Tie.allCases[Int(number) % Tie.allCases.count]
            let story = Self.story(tie, &random)
            var expected: [String]?
            for _ in 0..<Self.ordersCount {
                var order = story.commands
                for _ in 0..<random.pick(0..<4) { order.append(random.pick(story.commands)) }
                order.shuffle(using: &random)
                let ledger = Self.told(story.openings + order, until: story.end)
                let owners = story.keys.map { ledger.subscriptions[$0]?.owner }
                try #require(owners == story.owners, "seed \(seed), story \(number), \(tie)")
                let sharers = story.keys.map { ledger.subscriptions[$0]?.sharers }
                let expectedSharers = tie == .share ? [Sample.bob] : []
                try #require(
                    sharers.allSatisfy { $0 == expectedSharers },
                    "seed \(seed), story \(number), \(tie)"
                )
                let words = Self.words(ledger, story)
                try #require(words == expected ?? words, "seed \(seed), story \(number), \(tie)")
                expected = words
                let replayed = MemoryLedger(replaying: ledger.journal)
                try #require(Self.words(replayed, story) == words, "replay, \(number)")
            }
        }
    }

    private static func story(_ tie: Tie, _ random: inout SplitMix64) -> Story {
        var story = Story()
        let count = random.pick(2..<4)
        story.keys = (1...count).map { Sample.key("\($0 * 1000)") }
        let (mine, others, strangers) = (Sample.token(1), Sample.token(2), Sample.token(3))
        var day: Int64 = 0
        var signed: UInt64 = 0
        func tell(_ key: SubscriptionKey, _ transaction: TransactionFact) {
            signed += 1
            var fact = transaction
            let moment = Sample.start.advanced(byMilliseconds: Int64(signed) * 60_000)
            fact.version = Version(signed: moment, digest: Sample.digest(signed))
            let notification = Sample.notification(signed, [Fact(key: key, transaction: fact)])
            story.commands.append(.record(notification))
        }
        for (place, key) in story.keys.enumerated() {
            var bought = Sample.month(
                key.originalID,
                at: day,
                product: place == 0 ? "monthly" : "generic"
            )
            bought.reason = place == 0 ? "PURCHASE" : random.pick(["PURCHASE", "RENEWAL", nil])
            if place > 0 { bought.terms.previousOriginalID = story.keys[place - 1].originalID }
            switch tie {
            case .tokens: bought.token = mine
            case .firstToken: bought.token = place == 0 ? mine : nil
            case .link, .share: bought.token = nil
            case .strangersToken: bought.token = strangers
            case .otherBuyer:
                let isLast = place == count - 1
                bought.token = isLast ? others : place == 0 ? mine : nil
                if isLast { bought.reason = "PURCHASE" }
            }
            tell(key, bought)
            if place == 0, tie == .link || tie == .share {
                let fact = Fact(key: key, transaction: bought)
                let purchase = Purchase(user: Sample.alice, facts: [fact], claimed: [])
                story.openings.append(.link(purchase))
                if tie == .share {
                    let order = Restoration(user: Sample.bob, facts: [fact], claimed: [])
                    story.openings.append(.restore(order))
                }
            }
            var last = bought
            for number in 0..<random.pick(0..<3) {
                last.id = "\(key.originalID)\(number)"
                last.purchased = last.expires ?? last.purchased
                last.expires = last.purchased.advanced(byMilliseconds: 30 * Sample.day)
                last.reason = "RENEWAL"
                // Some documents name the id before ever after, others once.
                if random.isOne(in: 2) { last.terms.previousOriginalID = nil }
                tell(key, last)
                day += 30
            }
            if random.isOne(in: 3) {
                last.revoked = last.purchased
                tell(key, last)
            }
            day += Int64(random.pick(5..<25))
        }
        for (user, token) in [(Sample.alice, mine), (Sample.bob, others)] {
            story.commands.append(Sample.register(user, token))
        }
        story.end = Sample.after(day + 400)
        story.owners = story.keys.indices.map { place in
            switch tie {
            case .tokens, .firstToken, .link, .share: Sample.alice
            case .strangersToken: nil
            case .otherBuyer: place == count - 1 ? Sample.bob : Sample.alice
            }
        }
        return story
    }

    private static func told(_ commands: [Command.Kind], until end: Moment) -> MemoryLedger {
        var ledger = MemoryLedger()
        let step = (end.milliseconds - Sample.start.milliseconds) / Int64(commands.count + 1)
        for (place, kind) in commands.enumerated() {
            _ = ledger.submit(
                kind,
                at: Sample.start.advanced(byMilliseconds: Int64(place) * step / 4),
                under: Policy(source, numbering: ledger.numbering)
            )
        }
        return ledger
    }

    /// All that can be seen of the accounts and purchases, at some moments from the last on.
    private static func words(_ ledger: MemoryLedger, _ story: Story) -> [String] {
        let policy = Policy(source, numbering: ledger.numbering)
        var words: [String] = []
        for key in story.keys {
            guard let one = ledger.subscriptions[key] else { continue }
            words.append(
                "\(key) \(one.transactions) \(one.successors) \(one.everEntitled) \(one.tokens)"
            )
        }
        for user in [Sample.alice, Sample.bob] {
            guard let account = ledger.accounts[user] else { continue }
            words.append("\(account.subscriptions) \(account.tokens) \(account.answer.flags)")
            let span = story.end.milliseconds - Sample.start.milliseconds
            for part in 4...20 as ClosedRange<Int64> {
                let moment = Sample.start.advanced(byMilliseconds: span * part / 16)
                let status = CoreStatus(
                    account: account,
                    policy: policy,
                    at: moment,
                    subscriptions: ledger.subscriptions
                )
                words.append(String(decoding: status.reply.bytes, as: UTF8.self))
            }
        }
        return words
    }
}
