import Entitlements
import Fixtures
import Testing

/// Whose a purchase is, asked by verifyPurchase, verifyReceipt and restorePurchases alike.
@Suite struct OwnershipTests {
    private static let mine = Sample.token(1)
    private static let others = Sample.token(2)
    private static let nobodys = Sample.token(3)
    private static let key = Sample.key("1")

    private var ledger = MemoryLedger()

    private static func policy(
        _ transfer: Policy.TransferPolicy = .move,
        userIDIsToken: Bool = false
    ) -> Policy {
        var source = Policy.Source()
        source.transferPolicy = transfer
        source.userIDIsToken = userIDIsToken
        return Policy(source)
    }

    private mutating func submit(_ kind: Command.Kind, under policy: Policy = policy()) -> Outcome {
        ledger.submit(kind, at: Sample.start, under: policy)
    }

    /// A month of the purchase `id`, whose transaction of the day `day` carries `token`.
    private static func fact(_ token: Token?, onDay day: Int64 = 0, of id: String = "1") -> Fact {
        let transaction = Sample.month("\(id)\(day)", at: day, token: token)
        return Fact(key: Sample.key(id), transaction: transaction)
    }

    private static func link(
        _ user: UserID,
        _ facts: [Fact],
        naming named: [Token] = []
    ) -> Command.Kind {
        .link(Purchase(user: user, facts: facts, claimed: named))
    }

    private static func restore(
        _ user: UserID,
        _ facts: [Fact],
        naming named: [Token] = []
    ) -> Command.Kind {
        .restore(Restoration(user: user, facts: facts, claimed: named))
    }

    private mutating func tell(_ number: UInt64, _ facts: Fact...) {
        _ = submit(.record(Sample.notification(number, facts)))
    }

    private mutating func restored(
        _ user: UserID,
        _ facts: [Fact],
        naming named: [Token] = [],
        under policy: Policy = policy()
    ) -> [RestoredSubscription.Outcome] {
        let outcome = submit(Self.restore(user, facts, naming: named), under: policy)
        guard case .restored(let results) = outcome else {
            Issue.record("\(outcome)")
            return []
        }
        return results.map(\.outcome)
    }

    private var owner: UserID? { ledger.subscriptions[Self.key]?.owner }

    @Test(arguments: [Policy.TransferPolicy.move, .share, .refuse])
    func `a purchase whose token is nobody's is nobody's to restore or to verify`(
        transfer: Policy.TransferPolicy
    ) {
        // The document carries it, or a notification brought it and the document carries none, as a
        // receipt never does.
        for (number, shown) in [Self.fact(Self.nobodys), Self.fact(nil)].enumerated() {
            var test = OwnershipTests()
            let policy = Self.policy(transfer)
            if number == 1 { test.tell(1, Self.fact(Self.nobodys)) }
            #expect(test.restored(Sample.bob, [shown], under: policy) == [.refused])
            #expect(
                test.submit(Self.link(Sample.bob, [shown]), under: policy)
                    == .conflict(.unknownToken)
            )
            #expect(test.owner == nil)
            #expect(test.ledger.accounts[Sample.bob]?.subscriptions ?? [] == [])
            // Whose it is comes later, and is not locked out.
            _ = test.submit(Sample.register(Sample.alice, Self.nobodys), under: policy)
            #expect(test.owner == Sample.alice)
            #expect(test.ledger.accounts[Sample.alice]?.answer.slots.count == 1)
        }
    }

    @Test mutating func `a token of nobody that is named becomes the user's with the purchase`() {
        let facts = [Self.fact(Self.nobodys), Self.fact(Self.nobodys, of: "2")]
        let named = [Self.nobodys]
        #expect(restored(Sample.alice, facts, naming: named) == [.linked, .linked])
        #expect(ledger.tokens[Self.nobodys] == Sample.alice)
        let claims = ledger.journal.filter {
            if case .tokenClaimed = $0.event { true } else { false }
        }
        #expect(claims.count == 1, "one claim of two purchases")
        #expect(submit(Self.link(Sample.bob, facts, naming: named)) == .conflict(.owned))
        // Named for a receipt, which carries none: the one that a notification brought.
        tell(1, Self.fact(Self.others, of: "3"))
        let receipt = Self.link(Sample.bob, [Self.fact(nil, of: "3")], naming: [Self.others])
        #expect(submit(receipt) == .linked(applied: true))
        #expect(ledger.tokens[Self.others] == Sample.bob)
    }

    @Test mutating func `a receipt that also holds another user's purchase links the user's own`() {
        func receipt(_ facts: Fact...) -> Command.Kind {
            .link(Purchase(user: Sample.bob, facts: facts, claimed: [], isReceipt: true))
        }
        _ = submit(Sample.register(Sample.alice, Self.mine))
        tell(1, Self.fact(Self.mine))
        tell(2, Self.fact(Self.nobodys, of: "2"))
        let alices = Self.fact(nil)
        let nobodys = Self.fact(nil, of: "2")
        let own = Self.fact(nil, of: "3")
        #expect(submit(receipt(alices, nobodys)) == .conflict(.owned))
        #expect(submit(receipt(nobodys, alices)) == .conflict(.unknownToken))
        #expect(ledger.accounts[Sample.bob] == nil)
        #expect(submit(receipt(alices, nobodys, own)) == .linked(applied: true))
        #expect(submit(receipt(alices, nobodys, own)) == .linked(applied: false))
        #expect(ledger.accounts[Sample.bob]?.subscriptions == [Sample.key("3")])
        #expect(owner == Sample.alice)
        #expect(ledger.subscriptions[Sample.key("2")]?.owner == nil)
        // Of signed transactions, which name their buyers, all or none.
        let another = Self.fact(nil, of: "4")
        #expect(submit(Self.link(Sample.bob, [another, alices])) == .conflict(.owned))
        #expect(ledger.subscriptions[Sample.key("4")] == nil)
    }

    @Test func `of several documents the newest token decides`() {
        // Older and newer token → what becomes of it.
        let rows: [(Token?, Token?, RestoredSubscription.Outcome)] = [
            (nil, Self.nobodys, .refused), (Self.nobodys, nil, .refused),
            (Self.nobodys, Self.mine, .linked), (Self.mine, Self.nobodys, .refused),
            (Self.others, Self.mine, .linked), (Self.mine, Self.others, .refused),
            (nil, Self.mine, .linked), (nil, nil, .linked),
        ]
        for (older, newer, expected) in rows {
            for isReversed in [false, true] {
                var test = OwnershipTests()
                _ = test.submit(Sample.register(Sample.alice, Self.mine))
                _ = test.submit(Sample.register(Sample.bob, Self.others))
                var facts = [Self.fact(older), Self.fact(newer, onDay: 31)]
                if isReversed { facts.reverse() }
                let met = test.restored(Sample.alice, facts, under: Self.policy(.refuse))
                #expect(met == [expected], "\(older as Any), then \(newer as Any)")
                let linking = test.submit(Self.link(Sample.alice, facts))
                #expect((linking == .linked(applied: false)) == (expected == .linked))
            }
        }
    }

    @Test mutating func `what was bought anew is the buyer's own under each policy of transfers`() {
        _ = submit(Sample.register(Sample.alice, Self.mine))
        _ = submit(Sample.register(Sample.bob, Self.others))
        tell(1, Self.fact(Self.mine))
        #expect(owner == Sample.alice)
        // Bob has bought anew on the same store account, and his notification is still to come.
        let newer = Self.fact(Self.others, onDay: 31)
        #expect(restored(Sample.alice, [newer], under: Self.policy(.refuse)) == [.refused])
        #expect(owner == Sample.bob)
        #expect(restored(Sample.alice, [newer], under: Self.policy(.move)) == [.moved])
        #expect(owner == Sample.alice)
    }

    @Test mutating func `an old document with a token of nobody takes nothing from its owner`() {
        _ = submit(Sample.register(Sample.alice, Self.mine))
        var renewal = Sample.month("131", at: 31, token: Self.mine)
        renewal.reason = "RENEWAL"
        tell(1, Fact(key: Self.key, transaction: renewal))
        #expect(owner == Sample.alice)
        for transfer in [Policy.TransferPolicy.move, .share, .refuse] {
            let met = restored(
                Sample.bob,
                [Self.fact(Self.nobodys)],
                under: Self.policy(transfer)
            )
            #expect(met == [.refused])
        }
        #expect(owner == Sample.alice)
    }

    @Test mutating func `a user keeps what is linked to them, whatever token comes later`() {
        #expect(submit(Self.link(Sample.alice, [Self.fact(nil)])) == .linked(applied: true))
        let later = Self.fact(Self.nobodys, onDay: 31)
        tell(1, later)
        #expect(owner == Sample.alice)
        #expect(restored(Sample.alice, [Self.fact(nil), later]) == [.alreadyOwned])
        #expect(submit(Self.link(Sample.alice, [Self.fact(nil)])) == .linked(applied: false))
        // Somebody else holds no more than the document.
        #expect(restored(Sample.bob, [later]) == [.refused])
        #expect(restored(Sample.bob, [later], under: Self.policy(.share)) == [.refused])
        #expect(owner == Sample.alice)
        #expect(restored(Sample.bob, [later], naming: [Self.nobodys]) == [.moved])
        #expect(owner == Sample.bob)
        #expect(ledger.tokens[Self.nobodys] == Sample.bob)
    }

    /// A purchase of the day, with this token.
    private static func bought(_ token: Token?, onDay day: Int64) -> Fact {
        var fact = Self.fact(token, onDay: day)
        fact.transaction?.reason = "PURCHASE"
        return fact
    }

    @Test(arguments: [false, true])
    mutating func `what is bought anew is the buyer's, whatever arrives first`(isShown: Bool) {
        _ = submit(Sample.register(Sample.alice, Self.mine))
        #expect(submit(Self.link(Sample.alice, [Self.fact(nil)])) == .linked(applied: true))
        let anew = Self.bought(Self.others, onDay: 60)
        if !isShown { tell(1, anew) }
        #expect(owner == Sample.alice)
        _ = submit(Sample.register(Sample.bob, Self.others))
        #expect(submit(Self.link(Sample.bob, [anew])) == .linked(applied: true))
        #expect(owner == Sample.bob)
        tell(2, anew)
        #expect(owner == Sample.bob)
        #expect(ledger.accounts[Sample.alice]?.subscriptions == [])
        #expect(ledger.accounts[Sample.alice]?.answer.flags.contains(.hadSubscription) == true)
        // What was hers before is no way back.
        #expect(submit(Self.link(Sample.alice, [Self.fact(nil)])) == .conflict(.owned))
        #expect(restored(Sample.alice, [Self.fact(nil)]) == [.refused])
        #expect(restored(Sample.alice, [Self.bought(nil, onDay: 60)]) == [.moved])
        #expect(MemoryLedger(replaying: ledger.journal).accounts == ledger.accounts)
    }

    @Test mutating func `nine purchases with nine tokens, and the newest eight are remembered`() {
        _ = submit(Sample.register(Sample.alice, Sample.token(100)))
        for number in 0...Int64(Limits.claimsKeptMax) {
            tell(UInt64(number), Self.bought(Sample.token(UInt64(100 + number)), onDay: number))
        }
        let claims = ledger.subscriptions[Self.key]?.claims ?? []
        #expect(claims.map(\.token) == (101...108).map { Sample.token($0) })
    }

    @Test mutating func `to whom it is shared it stays shared, and what is refused claims nothing`()
    {
        _ = submit(Sample.register(Sample.alice, Self.mine))
        let fact = Self.fact(Self.mine)
        let policy = Self.policy(.share)
        #expect(restored(Sample.bob, [fact], under: policy) == [.shared])
        #expect(restored(Sample.bob, [fact], under: policy) == [.alreadyOwned])
        #expect(submit(Self.link(Sample.bob, [fact]), under: policy) == .linked(applied: false))
        #expect(ledger.subscriptions[Self.key]?.sharers == [Sample.bob])
        let linked = Self.fact(nil, of: "2")
        _ = submit(Self.link(Sample.alice, [linked]))
        let named = Self.fact(Self.nobodys, onDay: 31, of: "2")
        let refusal = restored(
            Sample.user("carol"),
            [named],
            naming: [Self.nobodys],
            under: Self.policy(.refuse)
        )
        #expect(refusal == [.refused])
        #expect(ledger.tokens[Self.nobodys] == nil)
    }

    @Test mutating func `a restoration names no more tokens than an account can have`() {
        for number in 1...UInt64(Limits.accountTokensMax) {
            _ = submit(Sample.register(Sample.alice, Sample.token(number)))
        }
        let another = Sample.token(.max)
        let fact = Self.fact(another)
        #expect(submit(Self.restore(Sample.alice, [fact], naming: [another])) == .tokensFull)
        #expect(ledger.tokens[another] == nil)
        #expect(restored(Sample.alice, [Self.fact(Self.mine)]) == [.linked])
    }

    @Test mutating func `where user ids are tokens, a restored purchase goes to its own user`()
        throws
    {
        let policy = Self.policy(userIDIsToken: true)
        let owner = try #require(UserID(Self.mine.description))
        let thief = try #require(UserID(Self.others.description))
        let own = [Self.others]
        #expect(
            restored(thief, [Self.fact(Self.mine)], naming: own, under: policy) == [.refused]
        )
        #expect(self.owner == owner, "their account begins with the first fact about them")
        #expect(ledger.accounts[owner]?.answer.slots.count == 1)
        #expect(restored(thief, [Self.fact(Self.others, of: "2")], under: policy) == [.linked])
    }

    @Test mutating func `with nine tokens on a purchase the smallest may decide after all`() {
        // Eight tokens are remembered beside those of the transactions: the greatest ones.
        _ = submit(Sample.register(Sample.alice, Self.mine))
        for number in 0...UInt64(Limits.tokensKeptMax) {
            let token = Sample.token(number + 1)
            tell(number + 1, Self.fact(token, onDay: Int64(number)))
        }
        #expect(ledger.subscriptions[Self.key]?.tokens.contains(Self.mine) == false)
        // The newer ones are told once more, later and without their tokens.
        for number in 1...Int64(Limits.tokensKeptMax) {
            var bare = Self.fact(nil, onDay: number)
            bare.transaction?.version = Sample.version(100 + number)
            tell(UInt64(100 + number), bare)
        }
        #expect(owner == Sample.alice)
    }
}
