import Entitlements
import Fixtures
import Testing

/// Every guard of every command, in its order.
@Suite struct CommandTests {
    static let tokenA = Sample.token(1)
    static let tokenB = Sample.token(2)
    static let key = Sample.key("1")

    static let policy: Policy = {
        var source = Policy.Source()
        source.freeCredits = 3
        return Policy(source)
    }()

    private var ledger = MemoryLedger()

    private mutating func submit(
        _ kind: Command.Kind,
        onDay day: Int64 = 0,
        under policy: Policy = policy
    ) -> Outcome {
        ledger.submit(kind, at: Sample.after(day), under: policy)
    }

    private static func link(
        _ user: UserID,
        _ facts: [Fact],
        claiming claimed: [Token] = []
    ) -> Command.Kind {
        .link(Purchase(user: user, facts: facts, claimed: claimed))
    }

    @Test mutating func `an account has a bounded number of tokens, by either way`() {
        for number in 0..<UInt64(Limits.accountTokensMax) {
            let token = Sample.token(number + 1)
            guard case .registered = submit(Sample.register(Sample.alice, token)) else {
                Issue.record("token \(number) is refused")
                return
            }
        }
        let (first, another) = (Sample.token(1), Sample.token(.max))
        let count = ledger.journal.count
        #expect(submit(Sample.register(Sample.alice, another)) == .tokensFull)
        let month = Sample.month("1", token: another)
        let fact = Fact(key: Sample.key("1"), transaction: month)
        let linking = Self.link(Sample.alice, [fact], claiming: [another])
        #expect(submit(linking) == .tokensFull)
        #expect(ledger.journal.count == count)
        #expect(ledger.accounts[Sample.alice]?.tokens.count == Limits.accountTokensMax)
        // Those that there are go on.
        let again = submit(Sample.register(Sample.alice, first))
        #expect(again == .registered(token: first, created: false, credits: 3))
        #expect(
            submit(Sample.register(Sample.bob, another))
                == .registered(token: another, created: true, credits: 3)
        )
    }

    @Test mutating func `registering: a taken token, then news, then nothing new`() {
        let first = submit(Sample.register(Sample.alice, Self.tokenA))
        #expect(first == .registered(token: Self.tokenA, created: true, credits: 3))
        #expect(submit(Sample.register(Sample.bob, Self.tokenA)) == .tokenTaken)
        #expect(ledger.accounts[Sample.bob] == nil)
        let count = ledger.journal.count
        let again = submit(Sample.register(Sample.alice, Self.tokenA))
        #expect(again == .registered(token: Self.tokenA, created: false, credits: 3))
        #expect(ledger.journal.count == count)
        let second = submit(Sample.register(Sample.alice, Self.tokenB))
        #expect(second == .registered(token: Self.tokenB, created: false, credits: 3))
        let account = ledger.accounts[Sample.alice]
        #expect(account?.tokens == [Self.tokenA, Self.tokenB])
        #expect(account?.answer.credits == 3)
        #expect(account?.answer.flags == [.registered, .everCredited])
        #expect(account?.lastSeq == UInt64(ledger.journal.last?.seq ?? 0))
        #expect(account?.opened == Sample.start)
    }

    @Test mutating func `without free credits nobody has ever been credited`() {
        _ = submit(Sample.register(Sample.alice, Self.tokenA), under: Policy(Policy.Source()))
        #expect(ledger.accounts[Sample.alice]?.answer.flags == [.registered])
    }

    @Test mutating func `free credits come with the first registration, not with the account`() {
        _ = submit(Sample.order("default", key: 1))
        #expect(ledger.accounts[Sample.alice]?.answer.credits == 0)
        let registered = submit(Sample.register(Sample.alice, Self.tokenA))
        #expect(registered == .registered(token: Self.tokenA, created: false, credits: 3))
    }

    @Test
    mutating func `recording: a duplicate, then nothing in it, then nothing newer, then news`() {
        let fact = Fact(key: Self.key, transaction: Sample.month("1"))
        #expect(submit(.record(Sample.notification(1, [fact]))) == .recorded(.applied))
        let count = ledger.journal.count
        #expect(submit(.record(Sample.notification(1, []))) == .recorded(.duplicate))
        #expect(ledger.journal.count == count)
        #expect(submit(.record(Sample.notification(2, []))) == .recorded(.ignored))
        #expect(submit(.record(Sample.notification(2, [fact]))) == .recorded(.duplicate))
        #expect(submit(.record(Sample.notification(3, [fact]))) == .recorded(.stale))
        #expect(ledger.notifications.count == 3)
        var newer = fact
        newer.status = StatusFact(version: Sample.version(1), code: 1)
        #expect(submit(.record(Sample.notification(4, [newer]))) == .recorded(.applied))
    }

    @Test mutating func `the same documents under a new UUID are stale, whatever their digest`() {
        func said(_ code: Int64, digest: UInt64) -> Fact {
            var fact = Fact(key: Self.key, transaction: Sample.month("1"))
            let version = Version(signed: Sample.after(1), digest: Sample.digest(digest))
            fact.status = StatusFact(version: version, code: code)
            return fact
        }
        let first = said(1, digest: 2)
        #expect(submit(.record(Sample.notification(1, [first]))) == .recorded(.applied))
        let lesser = said(1, digest: 1)
        #expect(submit(.record(Sample.notification(2, [lesser]))) == .recorded(.stale))
        let greater = said(1, digest: 3)
        #expect(submit(.record(Sample.notification(3, [greater]))) == .recorded(.stale))
        #expect(ledger.subscriptions[Self.key]?.status == greater.status)
        let other = said(2, digest: 4)
        #expect(submit(.record(Sample.notification(4, [other]))) == .recorded(.applied))
    }

    @Test mutating func `an old notice of a cancellation is stale, and is kept all the same`() {
        let fact = Fact(key: Self.key, transaction: Sample.month("1", at: 5))
        _ = submit(.record(Sample.notification(1, [fact])))
        var notice = fact
        notice.renewalDisabled = Sample.after(2)
        #expect(submit(.record(Sample.notification(2, [notice]))) == .recorded(.stale))
        #expect(ledger.subscriptions[Self.key]?.renewalDisabled == Sample.after(2))
    }

    @Test mutating func `linking: another's subscription, another's token, nobody's token, linked`()
    {
        let bare = Fact(key: Self.key, transaction: Sample.month("1"))
        #expect(submit(Self.link(Sample.alice, [bare])) == .linked(applied: true))
        #expect(submit(Self.link(Sample.alice, [bare])) == .linked(applied: false))
        #expect(submit(Self.link(Sample.bob, [bare])) == .conflict(.owned))
        #expect(ledger.accounts[Sample.bob] == nil)
        _ = submit(Sample.register(Sample.alice, Self.tokenA))
        let signed = Fact(
            key: Sample.key("2"),
            transaction: Sample.month("2", token: Self.tokenA)
        )
        #expect(submit(Self.link(Sample.bob, [signed])) == .conflict(.token))
        #expect(
            submit(Self.link(Sample.bob, [signed], claiming: [Self.tokenA])) == .conflict(.token)
        )
        let unknown = Fact(
            key: Sample.key("3"),
            transaction: Sample.month("3", token: Self.tokenB)
        )
        #expect(submit(Self.link(Sample.bob, [unknown])) == .conflict(.unknownToken))
        #expect(ledger.accounts[Sample.bob] == nil)
        let claimed = submit(Self.link(Sample.bob, [unknown], claiming: [Self.tokenB]))
        #expect(claimed == .linked(applied: true))
        #expect(ledger.tokens[Self.tokenB] == Sample.bob)
        #expect(ledger.subscriptions[Sample.key("3")]?.owner == Sample.bob)
    }

    @Test mutating func `a subscription told before it is linked is linked as news`() {
        let fact = Fact(key: Self.key, transaction: Sample.month("1"))
        _ = submit(.record(Sample.notification(1, [fact])))
        #expect(submit(Self.link(Sample.alice, [fact])) == .linked(applied: true))
        #expect(ledger.subscriptions[Self.key]?.owner == Sample.alice)
        let events = ledger.journal.map(\.event)
        let link = Event.linked(Self.key, Sample.alice, at: Sample.start)
        #expect(events.filter { $0 == link }.count == 1)
        #expect(events.filter { $0 == .merged(fact) }.count == 1)
    }

    @Test mutating func `granting: another use of the key, a repetition, no plan, too many, given`()
    {
        #expect(submit(Sample.order("gold", key: 1)) == .planUnknown)
        #expect(ledger.journal.isEmpty)
        #expect(submit(Sample.order("default", key: 1)) == .granted(id: 1, replayed: false))
        #expect(submit(Sample.order("default", key: 1)) == .granted(id: 1, replayed: true))
        #expect(submit(Sample.order("gold", key: 1, fingerprint: 2)) == .keyReused)
        for key in 2...UInt64(Limits.grantsMax) {
            let outcome = submit(Sample.order("default", key: key, until: Sample.after(10)))
            guard case .granted(_, false) = outcome else {
                Issue.record("grant \(key): \(outcome)")
                return
            }
        }
        #expect(ledger.accounts[Sample.alice]?.answer.grants.count == Limits.grantsMax)
        #expect(submit(Sample.order("default", key: 65)) == .grantsFull)
        #expect(submit(Sample.order("default", key: 1)) == .granted(id: 1, replayed: true))
        // Those that have ended make room, and are dropped.
        guard case .granted = submit(Sample.order("default", key: 65), onDay: 10) else {
            Issue.record("there is room")
            return
        }
        #expect(ledger.accounts[Sample.alice]?.answer.grants.count == 2)
    }

    @Test mutating func `a first answer is kept for thirty days`() {
        let kept = Limits.settlementKeptMilliseconds / Sample.day
        #expect(submit(Sample.order("default", key: 1)) == .granted(id: 1, replayed: false))
        let replay = submit(Sample.order("default", key: 1), onDay: kept - 1)
        #expect(replay == .granted(id: 1, replayed: true))
        let after = submit(Sample.order("default", key: 1, fingerprint: 9), onDay: kept)
        #expect(after == .granted(id: 2, replayed: false))
    }

    @Test mutating func `revoking a grant: unknown, then gone`() {
        let revocation = GrantRevocation(user: Sample.alice, grant: 1, reason: "")
        #expect(submit(.revokeGrant(revocation)) == .grantUnknown)
        _ = submit(Sample.order("default", key: 1))
        let wrong = GrantRevocation(user: Sample.bob, grant: 1, reason: "")
        #expect(submit(.revokeGrant(wrong)) == .grantUnknown)
        #expect(submit(.revokeGrant(revocation)) == .grantRevoked)
        #expect(submit(.revokeGrant(revocation)) == .grantUnknown)
        #expect(ledger.accounts[Sample.alice]?.answer.grants == [])
    }

    @Test mutating func `a catalog is installed once`() {
        let stamp = CatalogStamp(version: 1, digest: Sample.digest(1), text: "")
        #expect(submit(.install(stamp)) == .installed)
        #expect(submit(.install(stamp)) == .installed)
        #expect(ledger.journal.count == 1)
        #expect(ledger.catalog == stamp)
    }

    @Test mutating func `where user ids are tokens, a fact opens its account`() throws {
        var source = Policy.Source()
        source.userIDIsToken = true
        source.freeCredits = 2
        let policy = Policy(source)
        let user = try #require(UserID(Self.tokenA.description))
        let fact = Fact(key: Self.key, transaction: Sample.month("1", token: Self.tokenA))
        _ = submit(.record(Sample.notification(1, [fact, fact])), under: policy)
        let account = try #require(ledger.accounts[user])
        #expect(account.tokens == [Self.tokenA])
        #expect(account.answer.credits == 0)
        #expect(account.answer.slots.count == 1)
        let opened = ledger.journal.map(\.event).filter { $0 == .accountOpened(user) }
        #expect(opened.count == 1)
        let registered = submit(Sample.register(user, Self.tokenA), under: policy)
        #expect(registered == .registered(token: Self.tokenA, created: false, credits: 2))
        // An id that is no UUID behaves as without the switch.
        let alice = submit(Sample.register(Sample.alice, Self.tokenB), under: policy)
        #expect(alice == .registered(token: Self.tokenB, created: true, credits: 2))
    }

    @Test mutating func `where user ids are tokens, a token made from an account id opens none`()
        throws
    {
        var source = Policy.Source()
        source.userIDIsToken = true
        let policy = Policy(source)
        let phantom = try #require(UserID(Self.tokenA.description))
        let uuid = try #require(UserID(Self.tokenB.description))
        // Of a user whose id is no UUID, it is the token; of another, the account id beside it.
        for (user, token) in [(Sample.alice, Self.tokenA), (uuid, Self.tokenB)] {
            for kind in [Command.Kind.learn([Self.hashed]), .record(Self.heard(Self.hashed))] {
                ledger = MemoryLedger()
                _ = submit(kind, under: policy)
                #expect(ledger.accounts[phantom] == nil && ledger.tokens[Self.tokenA] == nil)
                let registration = Registration(user: user, token: token, accountID: Self.tokenA)
                #expect(
                    submit(.register(registration), under: policy)
                        == .registered(token: token, created: true, credits: 0)
                )
                #expect(ledger.subscriptions[Self.hashed.key]?.owner == user)
            }
        }
    }

    @Test mutating func `a restored purchase opens no account for a token made from an account id`()
        throws
    {
        var source = Policy.Source()
        source.userIDIsToken = true
        let phantom = try #require(UserID(Self.tokenA.description))
        let order = Restoration(user: Sample.bob, facts: [Self.hashed], claimed: [])
        _ = submit(.restore(order), under: Policy(source))
        #expect(ledger.accounts[phantom] == nil && ledger.tokens[Self.tokenA] == nil)
        // The journal keeps the fact without the mark.
        var kept = Self.hashed
        kept.hasDerivedToken = false
        #expect(ledger.journal.contains { $0.event == .merged(kept) })
    }

    /// A purchase whose token stands for an account id that is no UUID.
    private static var hashed: Fact {
        var fact = Fact(key: key, transaction: Sample.month("1", token: tokenA))
        fact.hasDerivedToken = true
        return fact
    }

    private static func heard(_ fact: Fact) -> Notification { Sample.notification(1, [fact]) }
}
