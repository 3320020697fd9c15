import Entitlements
import Glibc
import JSON
import Testing

@testable import Ledger
@testable import Methods

/// What tells other systems can find of a user whom it knows by an id alone.
struct ChangeReaderTests {
    private let stage: Stage
    private let reader: ChangeReader
    private let guest: UserID
    private let alice: UserID

    init() throws {
        stage = try Stage(startingAt: 1_750_000_000_000)
        reader = try ChangeReader(stage.ledger)
        (guest, alice) = (YearOfLife.users[0], YearOfLife.users[1])
        for user in [guest, alice] {
            try stage.order(.register(Registration(user: user, token: YearOfLife.token(user))))
        }
    }

    /// A catalog with one plan, `pro`, in which renders are free.
    private static func catalog(_ tier: String = "paid") -> Policy.Source {
        var plan = Policy.Plan(name: "pro")
        plan.tier = tier
        plan.unlimited = ["render"]
        var source = Policy.Source()
        source.plans = [plan]
        return source
    }

    private static func grant(
        _ user: UserID,
        _ digest: Digest256,
        until end: Moment? = nil
    ) -> Command.Kind {
        .grant(
            GrantOrder(
                user: user,
                plan: "pro",
                key: IdempotencyKey(user: user, digest: digest),
                fingerprint: digest,
                from: nil,
                until: end,
                store: .stripe,
                reason: ""
            )
        )
    }

    @Test func `a stretch names whom its entries are about`() throws {
        let all = try reader.stretch(after: reader.seq - 2, through: reader.seq)
        #expect(all.users == [guest, alice] && !all.isTorn)
        let last = try reader.stretch(after: reader.seq - 1, through: reader.seq)
        #expect(last.users == [alice] && last.changes.map(\.user) == [alice])
    }

    @Test func `a state is that of an account, at its last position`() throws {
        let state = try #require(try reader.state(of: alice))
        #expect(state.seq == reader.seq && state.params["cause"] == "reconciled")
        let nobody = try #require(UserID("nobody"))
        #expect(try reader.state(of: nobody) == nil)
    }

    @Test func `an account that went into another has a last change, and no state`() throws {
        let digest = Digest256(1, 2, 3, 4)
        let before = reader.seq - 2
        try stage.order(
            .merge(
                MergeOrder(
                    from: guest,
                    into: alice,
                    token: nil,
                    key: IdempotencyKey(user: alice, digest: digest),
                    fingerprint: digest
                )
            )
        )
        #expect(try reader.state(of: guest) == nil)
        let change = try #require(try reader.latest(of: guest, after: before))
        #expect(change.seq == reader.seq)
        #expect(try reader.stretch(after: before, through: before + 1).users == [guest])
    }

    /// More ends in one moment than one tick notes.
    @Test func `of many ends in one moment each is told once, stretch by stretch`() throws {
        let count = 2_300
        try stage.install(Self.catalog())
        let end = Moment(stage.hands.wall + 60_000)
        for number in 0..<count {
            let user = try #require(UserID("many-\(number)"))
            let kind = Self.grant(user, Digest256(77, UInt64(number), 0, 0), until: end)
            if number < count - 1 {
                stage.ledger.submit(kind) { _ in }
            } else {
                try stage.order(kind)
            }
        }
        let first = reader.seq
        stage.pass(120_000)
        // Whoever decides next tells what is due; some of it after the command.
        let user = guest
        try stage.order(.register(Registration(user: user, token: YearOfLife.token(alice))))
        var told: [UserID: Int] = [:]
        var positions: Set<UInt64> = []
        var place = first
        for _ in 0..<200 where told.count < count {
            let stretch = try reader.stretch(after: place, through: reader.seq)
            for change in stretch.changes where change.at == end {
                #expect(change.seq > place && change.seq <= stretch.through)
                told[change.user, default: 0] += 1
                positions.insert(change.seq)
            }
            place = stretch.through
            if place == reader.seq { usleep(10_000) }
        }
        #expect(told.count == count)
        #expect(told.values.allSatisfy { $0 == 1 })
        #expect(positions.count > 2, "one tick noted them all")
    }

    @Test func `a catalog that a clock ahead has dated is in force for what comes after it`() throws
    {
        try stage.install(Self.catalog("silver"))
        stage.pass(7_200_000)
        try stage.install(Self.catalog("gold"))
        // Somebody puts the clock right.
        stage.pass(-7_200_000)
        try stage.order(Self.grant(alice, Digest256(5, 6, 7, 8)))
        let state = try #require(try reader.state(of: alice)).params
        let change = try #require(try reader.latest(of: alice, after: reader.seq - 1)).params
        #expect(state["status"]?["tier"] == "gold")
        #expect(change["status"]?["tier"] == "gold")
    }

    /// A subscription that lasts until `end`.
    private static func subscription(_ user: UserID, until end: Moment) -> Command.Kind {
        let digest = Digest256(9, 9, 9, 9)
        let signed = end.advanced(byMilliseconds: -30 * YearOfLife.day)
        var bought = TransactionFact(
            id: "1",
            version: Version(signed: signed, digest: digest),
            productID: "premium",
            purchased: signed
        )
        bought.kind = "Auto-Renewable Subscription"
        bought.expires = end
        bought.token = YearOfLife.token(user)
        let key = SubscriptionKey(store: .appStore, environment: .production, originalID: "1")
        return .record(
            Notification(
                id: NotificationID(signed: signed, digest: digest),
                type: "",
                subtype: "",
                document: digest,
                facts: [Fact(key: key, transaction: bought)]
            )
        )
    }

    @Test func `a loss that a catalog made is told, also where it would have come since`() throws {
        var source = Self.catalog()
        source.plans?[0].products = ["premium"]
        source.lateRenewalMilliseconds = 60 * 60_000
        try stage.install(source)
        let end = stage.now.advanced(byMilliseconds: 60_000)
        try stage.order(Self.subscription(alice, until: end))
        stage.pass(10 * 60_000)
        #expect(try reader.state(of: alice)?.hasAccess == true)
        let first = reader.seq
        source.lateRenewalMilliseconds = 0
        try stage.install(source)
        let former = try reader.stretch(after: first, through: reader.seq).formerCatalog
        let version = try #require(former)
        for minutes in [Int64(0), 70] {
            stage.pass(minutes * 60_000)
            let page = try reader.states(after: nil, limit: 10, otherThanUnder: version)
            #expect(page.states.map(\.user) == [alice], "\(minutes) minutes later")
            #expect(page.states.first?.hasAccess == false)
        }
    }

    @Test func `of one catalog a stretch names the one before, of several that they were several`()
        throws
    {
        try stage.install(Self.catalog("silver"))
        let first = reader.seq
        try stage.install(Self.catalog("gold"))
        let second = reader.seq
        try stage.install(Self.catalog("silver"))
        let one = try reader.stretch(after: first, through: second)
        #expect(one.formerCatalog == 1 && !one.hasSeveralCatalogs)
        let both = try reader.stretch(after: first, through: reader.seq)
        #expect(both.formerCatalog == nil && both.hasSeveralCatalogs)
    }

    /// What is told of an end does not depend on where one stretch ends and the next begins.
    @Test func `wherever the journal is cut, each change is told once`() throws {
        try stage.install(Self.catalog())
        let first = reader.seq
        for round in UInt64(1)...4 {
            for user in [guest, alice] {
                let digest = Digest256(round, 8, 9, user == guest ? 0 : 1)
                let end = stage.now.advanced(byMilliseconds: user == guest ? 20_000 : 30_000)
                try stage.order(Self.grant(user, digest, until: end))
                stage.pass(1_000)
            }
            // Their ends are noted before the next round, by whatever comes first.
            stage.pass(60_000)
        }
        let carol = try #require(UserID("carol"))
        let token = try #require(Token("77777777-7777-4777-8777-777777777777"))
        try stage.order(.register(Registration(user: carol, token: token)))
        let last = reader.seq
        func told(_ first: UInt64, _ last: UInt64) throws -> [String] {
            try reader.stretch(after: first, through: last).changes
                .map { "\($0.user) \($0.seq) \($0.ordinal) \($0.at.milliseconds)" }
        }
        let whole = try told(first, last)
        #expect(whole.count == 17)
        for cut in first...last {
            #expect(try told(first, cut) + told(cut, last) == whole, "cut at \(cut)")
        }
    }

    private func move(to user: UserID) throws {
        let move = PurchaseMove(store: .appStore, originalID: "1", to: user, reason: "")
        try stage.order(.move(move))
    }

    private func erase(_ user: UserID) throws {
        try stage.order(.erase(ErasureOrder(user: user, secret: HashKey(1, 2))))
    }

    /// Two who have accounts, the first of whom has bought, and a catalog that names it.
    private func bought() throws -> UserID {
        var source = Self.catalog()
        source.plans?[0].products = ["premium"]
        try stage.install(source)
        let carol = try #require(UserID("carol"))
        let token = try #require(Token("77777777-7777-4777-8777-777777777777"))
        try stage.order(.register(Registration(user: carol, token: token)))
        let end = stage.now.advanced(byMilliseconds: YearOfLife.day)
        try stage.order(Self.subscription(alice, until: end))
        return carol
    }

    @Test func `who has a purchase again because another was erased is told of`() throws {
        let carol = try bought()
        try move(to: carol)
        let before = reader.seq
        #expect(try reader.state(of: alice)?.hasAccess == false)
        try erase(carol)
        let erased = reader.seq
        func told() throws -> [String] {
            let stretch = try reader.stretch(after: before, through: erased)
            #expect(!stretch.isTorn)
            return stretch.changes.map { "\($0.user) \($0.seq) \($0.hasAccess)" }
        }
        #expect(try told() == ["\(alice) \(erased) true"])
        #expect(try reader.state(of: alice)?.hasAccess == true)
        // It is found again, also once somebody else has it.
        try move(to: guest)
        #expect(try told() == ["\(alice) \(erased) true"])
    }

    @Test func `what comes behind an erasure is told as it is`() throws {
        let carol = try bought()
        try move(to: carol)
        try erase(alice)
        let before = reader.seq
        try move(to: guest)
        let stretch = try reader.stretch(after: before, through: reader.seq)
        #expect(!stretch.isTorn)
        let told = stretch.changes.map { "\($0.user) \($0.hasAccess)" }
        #expect(told.sorted() == ["\(carol) false", "\(guest) true"].sorted())
    }

    /// Behind a pruning there is nothing to read up to its border.
    @Test func `a stretch that was pruned is torn once, however long it was`() throws {
        let stage = try Stage(startingAt: 1_750_000_000_000, segmentBytesMax: 16 << 10)
        let reader = try ChangeReader(stage.ledger)
        for number in 0..<3_000 {
            let user = try #require(UserID("some-\(number)"))
            let token = try #require(Token(high: 9, low: UInt64(number) + 1))
            let kind = Command.Kind.register(Registration(user: user, token: token))
            if number % 500 == 499 {
                stage.pass(86_400_000)
                try stage.order(kind)
            } else {
                stage.ledger.submit(kind) { _ in }
            }
        }
        try stage.ledger.checkpointer.settle()
        let report = try stage.ledger.prune(olderThan: stage.now)
        guard case .pruned(_, let border) = report else {
            Issue.record("\(report)")
            return
        }
        #expect(border.seq > UInt64(MethodLimits.outboxEntriesMax))
        let torn = try reader.stretch(after: 3, through: reader.seq)
        #expect(torn.isTorn && torn.through >= border.seq)
        let next = try reader.stretch(after: torn.through, through: reader.seq)
        #expect(!next.isTorn)
    }
}
