import Entitlements
import Testing

@Suite struct DeskTests {
    private var desk = Desk()

    private mutating func absorb(_ event: Event, onDay day: Int64 = 0, seq: UInt64 = 1) {
        let needs = event.needs
        for user in needs.users + [Sample.alice, Sample.bob] { desk.accounts.lay(nil, at: user) }
        for key in needs.keys { desk.subscriptions.lay(nil, at: key) }
        for token in needs.tokens + needs.claims { desk.tokens.lay(nil, at: token) }
        desk.absorb(event, at: Sample.after(day), seq: seq)
    }

    private mutating func tell(_ id: String, _ transaction: TransactionFact, onDay day: Int64 = 0) {
        absorb(.merged(Fact(key: Sample.key(id), transaction: transaction)), onDay: day)
    }

    /// Ordinals are places in `subscriptions`; slots stand by ordinal, then by `from`.
    private func isSound(_ account: Account) -> Bool {
        let slots = account.answer.slots
        let isOrdered = zip(slots, slots.dropFirst())
            .allSatisfy {
                ($0.ordinal, $0.from) < ($1.ordinal, $1.from)
            }
        return account.subscriptions == account.subscriptions.sorted() && isOrdered
            && slots.allSatisfy { Int($0.ordinal) < account.subscriptions.count }
    }

    @Test mutating func `subscriptions come in any place, and each slot keeps its own`() throws {
        absorb(.tokenClaimed(Sample.token(1), Sample.alice))
        for id in ["5", "1", "9", "3"] {
            tell(id, Sample.month(id, product: "p\(id)", token: Sample.token(1)))
            let account = try #require(desk.accounts[Sample.alice])
            #expect(isSound(account))
        }
        let account = try #require(desk.accounts[Sample.alice])
        #expect(account.subscriptions.map(\.originalID) == ["1", "3", "5", "9"])
        let products = account.answer.slots.map { desk.numbering.names[Int($0.product)] }
        #expect(products == ["p1", "p3", "p5", "p9"])
    }

    @Test mutating func `a subscription that leaves takes its slots, and no flag`() throws {
        absorb(.tokenClaimed(Sample.token(1), Sample.alice))
        absorb(.tokenClaimed(Sample.token(2), Sample.bob))
        for id in ["1", "2", "3"] {
            tell(id, Sample.month(id, product: "p\(id)", token: Sample.token(1)))
        }
        var later = Sample.month("20", at: 30, product: "p20", token: Sample.token(2))
        later.reason = "PURCHASE"
        tell("2", later, onDay: 1)
        let alice = try #require(desk.accounts[Sample.alice])
        let bob = try #require(desk.accounts[Sample.bob])
        #expect(alice.subscriptions.map(\.originalID) == ["1", "3"])
        #expect(alice.answer.slots.map(\.ordinal) == [0, 1])
        #expect(isSound(alice))
        #expect(alice.answer.flags.contains(.hadSubscription))
        #expect(bob.subscriptions.map(\.originalID) == ["2"])
        #expect(bob.answer.slots.count == 2)
        #expect(isSound(bob))
    }

    @Test mutating func `the later of link and purchase wins, and the link on a tie`() {
        let key = Sample.key("1")
        absorb(.tokenClaimed(Sample.token(1), Sample.alice))
        absorb(.linked(key, Sample.bob, at: Sample.start))
        tell("1", Sample.month("1", token: Sample.token(1)))
        #expect(desk.subscriptions[key]?.owner == Sample.bob)
        var renewal = Sample.month("2", at: 30, token: Sample.token(1))
        renewal.reason = "RENEWAL"
        tell("1", renewal)
        #expect(desk.subscriptions[key]?.owner == Sample.bob, "a renewal claims nothing")
        var bought = Sample.month("3", at: 60, token: Sample.token(1))
        bought.reason = "PURCHASE"
        tell("1", bought)
        #expect(desk.subscriptions[key]?.owner == Sample.alice)
        absorb(.linked(key, Sample.bob, at: Sample.after(59)))
        #expect(desk.subscriptions[key]?.owner == Sample.alice)
        absorb(.linked(key, Sample.bob, at: Sample.after(60)))
        #expect(desk.subscriptions[key]?.owner == Sample.bob)
        absorb(.linked(key, Sample.alice, at: Sample.after(60)))
        #expect(desk.subscriptions[key]?.owner == Sample.alice, "of two links the last one")
    }

    @Test mutating func `a link of an older journal is as old as what was linked`() {
        let key = Sample.key("1")
        absorb(.tokenClaimed(Sample.token(1), Sample.alice))
        tell("1", Sample.month("1"))
        absorb(.linked(key, Sample.bob))
        #expect(desk.subscriptions[key]?.linkedAt == Sample.start)
        var bought = Sample.month("3", at: 60, token: Sample.token(1))
        bought.reason = "PURCHASE"
        tell("1", bought)
        #expect(desk.subscriptions[key]?.owner == Sample.alice)
    }

    @Test mutating func `a token of nobody waits, and is claimed once`() {
        let waiting = Unclaimed(token: Sample.token(1), key: Sample.key("1"))
        tell("1", Sample.month("1", token: Sample.token(1)))
        #expect(desk.unclaimed[waiting] == true)
        #expect(desk.subscriptions[Sample.key("1")]?.owner == nil)
        absorb(.accountOpened(Sample.alice))
        absorb(.tokenClaimed(Sample.token(1), Sample.alice), seq: 7)
        #expect(desk.unclaimed[waiting] == nil)
        #expect(desk.subscriptions[Sample.key("1")]?.owner == Sample.alice)
        #expect(desk.accounts[Sample.alice]?.answer.slots.count == 1)
        #expect(desk.accounts[Sample.alice]?.lastSeq == 7)
    }

    @Test mutating func `an account has a bounded number of eras`() throws {
        // As many announced renewals as are kept, on so many subscriptions that they do not fit.
        let count = Limits.slotsMax / Limits.transactionsKeptMax + 2
        for number in 0..<count {
            let key = Sample.key("\(10_000 + number)")
            let renewals = (1...Int64(Limits.transactionsKeptMax))
                .map { Sample.month("\(number) \($0)", at: $0) }
            let subscription = Subscription(
                key: key,
                transactions: renewals,
                renewal: nil,
                status: nil,
                renewalDisabled: nil,
                everEntitled: true,
                bearer: nil,
                tokens: [],
                link: Sample.alice,
                owner: nil
            )
            absorb(.accountOpened(Sample.alice))
            absorb(.loaded(.subscription(subscription)))
            absorb(.merged(Fact(key: key)))
        }
        let account = try #require(desk.accounts[Sample.alice])
        #expect(account.answer.slots.count == Limits.slotsMax)
        #expect(account.subscriptions.count == count)
        #expect(isSound(account))
    }

    @Test mutating func `an account that has had hundreds of purchases has the newest`() throws {
        absorb(.tokenClaimed(Sample.token(1), Sample.alice))
        let count = Int64(Limits.subscriptionsMax) + 20
        for day in 0..<count {
            let pass = Sample.month("\(10_000 + day)", at: day, token: Sample.token(1))
            tell("\(10_000 + day)", pass, onDay: day)
        }
        let account = try #require(desk.accounts[Sample.alice])
        #expect(isSound(account))
        #expect(account.answer.slots.count == Limits.slotsMax)
        #expect(account.subscriptions.count == Limits.subscriptionsMax)
        let newest = Sample.key("\(10_000 + count - 1)")
        #expect(account.subscriptions.last == newest)
        #expect(account.answer.slots.last?.end == Sample.after(count - 1 + 30))
        // One that was put away and is told again stays away.
        tell("10000", Sample.month("10000", token: Sample.token(1)), onDay: count)
        #expect(desk.accounts[Sample.alice]?.answer.slots == account.answer.slots)
    }

    @Test mutating func `a sheet knows what changed`() {
        desk.accounts.lay(nil, at: Sample.alice)
        #expect(desk.accounts.isLaid(Sample.alice))
        #expect(!desk.accounts.isLaid(Sample.bob))
        #expect(desk.accounts.changed.isEmpty)
        absorb(.accountOpened(Sample.alice))
        #expect(desk.accounts.changed == [Sample.alice])
        // What lies there already is newer than what is laid again.
        desk.accounts.lay(nil, at: Sample.alice)
        #expect(desk.accounts[Sample.alice] != nil)
    }

    @Test func `reading a record that was not laid is a bug`() async {
        await #expect(processExitsWith: .failure) {
            _ = Desk().accounts[Sample.alice]
        }
    }

    @Test func `merging a fact into another subscription is a bug`() async {
        await #expect(processExitsWith: .failure) {
            var subscription = Subscription(key: Sample.key("1"))
            _ = subscription.merge(Fact(key: Sample.key("2")))
        }
    }
}
