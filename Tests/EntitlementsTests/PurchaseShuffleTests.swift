import Chance
import Entitlements
import Fixtures
import Testing

/// Credits of paid periods and of packs, and passes for a number of days, in any order; the catalog
/// may name the packs after they were bought.
@Suite struct PurchaseShuffleTests {
    private static let ordersCount = 8
    private static let mergedOrdersCount = 4
    /// Stories of each test; with `ENTITLD_SHUFFLES` as many as their share of the orders needs.
    private static let storiesCount = max(
        400,
        ShuffleTests.rareOrdersWanted / (ordersCount + mergedOrdersCount)
    )
    private static let seed = Seed.told()

    private func ledger(
        telling order: [Fact],
        of story: PurchaseStory,
        until final: Int64,
        namingPacksBefore naming: Int,
        merging place: Int? = nil
    ) -> MemoryLedger {
        var ledger = MemoryLedger()
        var source = PurchaseStory.earlierSource
        func submit(_ kind: Command.Kind, _ moment: Int64) {
            let policy = Policy(source, numbering: ledger.numbering)
            _ = ledger.submit(kind, at: Moment(moment), under: policy)
        }
        let buyer = place == nil ? Sample.alice : Sample.user("guest")
        submit(Sample.register(buyer, Sample.token(1)), story.start - 1)
        // The buyer's account goes into alice's somewhere between.
        let merger = Command.Kind.merge(
            MergeOrder(
                from: buyer,
                into: Sample.alice,
                token: nil,
                key: IdempotencyKey(user: Sample.alice, digest: Sample.digest(1)),
                fingerprint: Sample.digest(1)
            )
        )
        // What is told of a period longer after its end than it is remembered changes nothing.
        let opening = max(story.start, final - Limits.periodKeptMilliseconds)
        let step = max(1, (final - opening) / Int64(max(1, order.count)))
        for (index, fact) in order.enumerated() {
            if index == naming { source = PurchaseStory.source }
            let number = fact.transaction?.version.digest.words.3 ?? 0
            let moment = min(final, opening + Int64(index + 1) * step)
            // Told once more with every third: nothing changes.
            for copy in 0...(number % 3 == 0 ? 1 : 0) {
                let notice = Sample.notification(UInt64(index * 2 + copy), [fact])
                submit(.record(notice), moment)
            }
            if index == place { submit(merger, moment) }
        }
        // Everything that may depend on the moment, or on the catalog, is brought up to it.
        source = PurchaseStory.source
        for key in ledger.subscriptions.keys.sorted() {
            submit(.learn([Fact(key: key)]), final)
        }
        return ledger
    }

    @Test func `any order ends in the credits and the access of the plain rules`() {
        var traits: [String: Int] = [:]
        for index in 0..<Self.storiesCount {
            let seed = Self.seed &+ UInt64(index)
            let story = PurchaseStory(seed: seed, token: Sample.token(1))
            for trait in story.traits { traits[trait, default: 0] += 1 }
            var random = SplitMix64(seed: ~seed)
            // Some are told while it goes on, some long after.
            let final =
                story.start + Int64(random.pick(1..<1_200)) * (story.end - story.start) / 1_000
            for order in 0..<Self.ordersCount {
                var facts = story.facts
                if order > 0 { facts.shuffle(using: &random) }
                let ledger = ledger(
                    telling: facts,
                    of: story,
                    until: final,
                    namingPacksBefore: random.pick(0..<facts.count + 1)
                )
                let isRight = isRight(ledger, story, from: final, "seed \(seed), \(order)")
                guard isRight else { break }
                let replayed = MemoryLedger(replaying: ledger.journal)
                #expect(replayed.accounts == ledger.accounts && replayed.packs == ledger.packs)
            }
        }
        print("purchase shuffles: stories by trait \(traits.sorted { $0.key < $1.key })")
        let wanted = [
            "trial", "announced", "upgrade", "refund", "reversal", "extension", "restored",
            "superseded", "superseded and upgraded", "refunded before", "pass", "pass refund",
            "pass refund in part",
            "pass reversal", "pack", "pack refund", "pack refund in part", "pack reversal",
            "receipt",
        ]
        for trait in wanted { #expect(traits[trait, default: 0] >= 10, "\(trait)") }
    }

    @Test func `and so it does where the account goes into another meanwhile`() {
        for index in 0..<Self.storiesCount {
            let seed = Self.seed &+ UInt64(index)
            let story = PurchaseStory(seed: seed, token: Sample.token(1))
            guard !story.facts.isEmpty else { continue }
            var random = SplitMix64(seed: seed ^ 0x3333)
            let final =
                story.start + Int64(random.pick(1..<1_200)) * (story.end - story.start) / 1_000
            for order in 0..<Self.mergedOrdersCount {
                let facts = story.facts.shuffled(using: &random)
                let place = random.pick(0..<facts.count)
                let ledger = ledger(
                    telling: facts,
                    of: story,
                    until: final,
                    namingPacksBefore: random.pick(0..<facts.count + 1),
                    merging: place
                )
                let name = "seed \(seed), \(order), merged at \(place)"
                guard isRight(ledger, story, from: final, name) else { break }
                #expect(ledger.accounts[Sample.user("guest")] == nil, "\(name)")
                let replayed = MemoryLedger(replaying: ledger.journal)
                #expect(replayed.accounts == ledger.accounts && replayed.packs == ledger.packs)
            }
        }
    }

    private func isRight(
        _ ledger: MemoryLedger,
        _ story: PurchaseStory,
        from final: Int64,
        _ name: String
    ) -> Bool {
        guard let account = ledger.accounts[Sample.alice] else {
            Issue.record("\(name): no account")
            return false
        }
        let policy = Policy(PurchaseStory.source, numbering: ledger.numbering)
        let later = story.moments.filter { $0 > final }.flatMap { [$0 - 1, $0] }
        for moment in [final] + later {
            let (at, expected) = (Moment(moment), story.balance(at: moment))
            let met = (account.answer.spendable(at: at), account.purse.balance(at: at))
            let open = account.purse.open(at: at).reduce(0) { $0 + $1.amount }
            guard met == (expected, expected), open == expected else {
                Issue.record(
                    "\(name) at \(moment - story.start): \(met), \(open) credits, not \(expected)"
                )
                return false
            }
            let passes = account.answer.dated(under: policy).slots
                .filter {
                    $0.marks.contains(.dated) && !$0.marks.contains(.revoked)
                        && $0.from <= at && at < $0.paidUntil
                }
            guard passes.isEmpty != story.hasPass(at: moment) else {
                Issue.record("\(name) at \(moment - story.start): \(passes)")
                return false
            }
        }
        return true
    }
}
