import Entitlements
import Fixtures
import Testing

/// mergeAccounts: an anonymous account goes into the one that logged in.
@Suite struct MergingTests {
    private static let guest = Sample.user("guest")
    private static let key = Sample.key("1")
    private var ledger = MemoryLedger()
    private var source = Policy.Source()
    private var keys: UInt64 = 0

    init() {
        source.freeCredits = 3
        source.creditPacks = ["coins": 10]
        source.owesRefunds = true
    }

    private mutating func submit(_ kind: Command.Kind, onDay day: Int64 = 0) -> Outcome {
        let policy = Policy(source, numbering: ledger.numbering)
        return ledger.submit(kind, at: Sample.after(day), under: policy)
    }

    private mutating func merge(
        _ from: UserID,
        _ into: UserID,
        key: UInt64? = nil,
        token: Token? = nil,
        onDay day: Int64 = 0
    ) -> Outcome {
        keys += 1
        let order = MergeOrder(
            from: from,
            into: into,
            token: token,
            key: IdempotencyKey(user: into, digest: Sample.digest(key ?? 1_000 + keys)),
            fingerprint: Digest256(fingerprintOf: Array("\(from)".utf8))
        )
        return submit(.merge(order), onDay: day)
    }

    private mutating func credit(_ user: UserID, _ amount: Int64, onDay day: Int64 = 0) {
        keys += 1
        _ = submit(
            .credit(
                CreditOrder(
                    user: user,
                    amount: amount,
                    key: IdempotencyKey(user: user, digest: Sample.digest(keys)),
                    fingerprint: Sample.digest(1),
                    until: nil,
                    source: "gift",
                    reason: "",
                    isAdjustment: false
                )
            ),
            onDay: day
        )
    }

    private func charge(_ user: UserID, _ amount: Int64, _ key: UInt64) -> Charge {
        Charge(
            user: user,
            amount: amount,
            key: IdempotencyKey(user: user, digest: Sample.digest(key)),
            fingerprint: Sample.digest(UInt64(amount))
        )
    }

    private func balance(_ user: UserID) -> Int64? {
        ledger.accounts[user]?.purse.balance(at: Sample.start)
    }

    private static func pack(_ id: String, _ token: Token, refunded: Bool = false) -> Fact {
        var pack = Sample.month(id, at: 0, token: token)
        pack.productID = "coins"
        pack.kind = "Consumable"
        pack.expires = nil
        pack.version = Sample.version(refunded ? 1 : 0)
        if refunded { pack.revoked = Sample.after(1) }
        return Fact(key: Sample.key(id), transaction: pack)
    }

    private func expectReplayed() {
        let again = MemoryLedger(replaying: ledger.journal)
        #expect(again.accounts == ledger.accounts)
        #expect(again.subscriptions == ledger.subscriptions)
        #expect(again.settlements == ledger.settlements)
        #expect(again.merges == ledger.merges)
        #expect(again.packs == ledger.packs)
    }

    @Test mutating func `purchases, tokens, grants and credits go, and the old id leads nowhere`() {
        let bought = Fact(
            key: Self.key,
            transaction: Sample.month("10", at: 0, token: Sample.token(1))
        )
        _ = submit(Sample.register(Self.guest, Sample.token(1)))
        _ = submit(.record(Sample.notification(1, [bought])))
        credit(Self.guest, 5)
        #expect(merge(Self.guest, Sample.alice) != .conflict(.merged))
        #expect(ledger.accounts[Self.guest] == nil)
        let account = ledger.accounts[Sample.alice]
        #expect(account?.subscriptions == [Self.key] && account?.tokens == [Sample.token(1)])
        #expect(account?.answer.slots.count == 1 && account?.formers == [Self.guest])
        #expect(account?.answer.flags.contains([.hadSubscription, .registered]) == true)
        #expect(balance(Sample.alice) == 8)
        #expect(ledger.subscriptions[Self.key]?.owner == Sample.alice)
        #expect(submit(Sample.register(Self.guest, Sample.token(1))) == .conflict(.merged))
        #expect(submit(.charge(charge(Self.guest, 1, 9))) == .conflict(.merged))
        #expect(submit(Sample.register(Sample.bob, Sample.token(1))) == .tokenTaken)
        // A renewal that carries the old token is the new owner's.
        let renewed = Fact(
            key: Self.key,
            transaction: Sample.month("11", at: 30, token: Sample.token(1))
        )
        _ = submit(.record(Sample.notification(2, [renewed])), onDay: 30)
        #expect(ledger.subscriptions[Self.key]?.owner == Sample.alice)
        #expect(ledger.accounts[Self.guest] == nil)
        // Free credits were given.
        let again = submit(Sample.register(Sample.alice, Sample.token(2)))
        #expect(again == .registered(token: Sample.token(2), created: false, credits: 8))
        expectReplayed()
    }

    @Test mutating func `free credits stay once, what is held of them too`() {
        _ = submit(Sample.register(Self.guest, Sample.token(1)))
        _ = submit(Sample.register(Sample.alice, Sample.token(2)))
        credit(Self.guest, 4)
        let order = ReservationOrder(
            charge: charge(Self.guest, 5, 50),
            milliseconds: 60_000,
            isLease: false,
            id: Limits.positionMax + 7
        )
        _ = submit(.reserve(order))
        #expect(balance(Self.guest) == 2)
        _ = merge(Self.guest, Sample.alice)
        #expect(balance(Sample.alice) == 5)
        #expect(ledger.accounts[Sample.alice]?.purse.held(at: Sample.start) == 5)
        // Three of the five were free ones, and alice has had hers.
        let end = ReservationEnd(id: order.id, kind: .released, amount: nil)
        #expect(submit(.endReservation(end)) == .holdEnded(.released, remaining: 7))
        expectReplayed()
    }

    @Test mutating func `free credits that one still waits for are not waited for after it`() {
        source.freeCreditsOnce = .appTransaction
        _ = submit(Sample.register(Self.guest, Sample.token(1)))
        _ = submit(Sample.register(Sample.alice, Sample.token(2)))
        _ = merge(Self.guest, Sample.alice)
        let waits = ledger.accounts[Sample.alice]?.answer.flags.contains(.awaitsAppTransaction)
        #expect(waits == true)
        source.freeCreditsOnce = .account
        _ = submit(Sample.register(Sample.bob, Sample.token(3)))
        _ = merge(Sample.bob, Sample.alice)
        let flags = ledger.accounts[Sample.alice]?.answer.flags
        #expect(flags?.contains(.awaitsAppTransaction) == false)
        #expect(balance(Sample.alice) == 3)
        expectReplayed()
    }

    @Test mutating func `a repetition changes nothing, and keys keep their first answers`() {
        credit(Self.guest, 5)
        credit(Sample.alice, 5)
        let guests = charge(Self.guest, 1, 77)
        let alices = charge(Sample.alice, 2, 77)
        #expect(submit(.charge(guests)) == .charged(.consumed, remaining: 4, replay: nil))
        #expect(submit(.charge(alices)) == .charged(.consumed, remaining: 3, replay: nil))
        guard case .merged(let seq, false) = merge(Self.guest, Sample.alice, key: 5) else {
            Issue.record("not merged")
            return
        }
        let entries = ledger.journal.count
        #expect(merge(Self.guest, Sample.alice, key: 5) == .merged(seq: seq, replayed: true))
        #expect(merge(Self.guest, Sample.alice, key: 6) == .merged(seq: seq, replayed: true))
        #expect(merge(Sample.bob, Sample.alice, key: 5) == .keyReused)
        #expect(merge(Self.guest, Sample.bob) == .conflict(.merged))
        #expect(merge(Sample.bob, Self.guest) == .conflict(.merged))
        for (charge, remaining) in [(guests, Int64(4)), (alices, 3)] {
            guard case .charged(.consumed, remaining, _?) = submit(.charge(charge)) else {
                Issue.record("not replayed")
                return
            }
        }
        #expect(ledger.journal.count == entries)
        #expect(balance(Sample.alice) == 7)
        // What the guest was charged can be put back, by the one who has the credits.
        let reversal = Reversal(
            user: Sample.bob,
            key: IdempotencyKey(user: Sample.bob, digest: Sample.digest(80)),
            fingerprint: Sample.digest(1),
            charge: IdempotencyKey(user: Sample.bob, digest: Sample.digest(77))
        )
        #expect(submit(.reverse(reversal)) == .chargeUnknown)
        _ = merge(Sample.alice, Sample.bob)
        #expect(ledger.accounts[Sample.bob]?.formers == [Self.guest, Sample.alice])
        #expect(ledger.merges[Self.guest]?.into == Sample.bob)
        guard case .reversed(true, let remaining, nil) = submit(.reverse(reversal)) else {
            Issue.record("not put back")
            return
        }
        #expect(remaining == 8)
        expectReplayed()
    }

    /// A charge, a gift, a hold and a reversal, under keys of the user.
    private func commands(_ user: UserID, _ id: UInt64) -> [Command.Kind] {
        func key(_ number: UInt64) -> IdempotencyKey {
            IdempotencyKey(user: user, digest: Sample.digest(number))
        }
        let gift = CreditOrder(
            user: user,
            amount: 2,
            key: key(60),
            fingerprint: Sample.digest(1),
            until: nil,
            source: "gift",
            reason: "",
            isAdjustment: false
        )
        let hold = ReservationOrder(
            charge: charge(user, 3, 61),
            milliseconds: 60_000,
            isLease: false,
            id: Limits.positionMax + id
        )
        let reversal = Reversal(
            user: user,
            key: key(62),
            fingerprint: Sample.digest(4),
            charge: key(70)
        )
        return [
            .charge(charge(user, 1, 70)), .credit(gift), .reserve(hold), .reverse(reversal),
        ]
    }

    @Test mutating func `a key of the old id replays under both, and each id keeps its own`() {
        credit(Self.guest, 9)
        credit(Sample.alice, 5)
        let first = commands(Self.guest, 1).map { submit($0) }
        // The same key with other arguments, and one that both have used.
        _ = submit(.charge(charge(Self.guest, 2, 71)))
        _ = submit(.charge(charge(Self.guest, 1, 72)))
        _ = submit(.charge(charge(Sample.alice, 1, 72)))
        _ = merge(Self.guest, Sample.alice)
        let entries = ledger.journal.count
        let balance = balance(Sample.alice)
        for user in [Self.guest, Sample.alice] {
            let again = commands(user, 2).map { submit($0) }
            #expect(again.map(\.isReplay) == [true, true, true, true], "\(user): \(again)")
            #expect(again.map(\.remaining) == first.map(\.remaining), "\(user)")
        }
        let collided = [Self.guest, Sample.alice].map { submit(.charge(charge($0, 1, 72))) }
        #expect(collided.map(\.remaining) == [5, 4] && collided.allSatisfy(\.isReplay))
        #expect(ledger.journal.count == entries && self.balance(Sample.alice) == balance)
        // Under the old id the key stands for what it stood for; under the new one it is free.
        #expect(submit(.charge(charge(Self.guest, 1, 71))) == .keyReused)
        let own = submit(.charge(charge(Sample.alice, 1, 71)))
        #expect(!own.isReplay && own.remaining == (balance ?? 0) - 1)
        // A key that the old id has not used is no key of anybody.
        #expect(submit(.charge(charge(Self.guest, 1, 73))) == .conflict(.merged))
        // And none is kept longer than others.
        let later = submit(.charge(charge(Self.guest, 1, 70)), onDay: 31)
        #expect(later == .conflict(.merged))
        expectReplayed()
    }

    @Test mutating func `a pack that is refunded later is taken from the one who has it`() {
        _ = submit(Sample.register(Self.guest, Sample.token(1)))
        _ = submit(.record(Sample.notification(1, [Self.pack("7", Sample.token(1))])))
        #expect(balance(Self.guest) == 13)
        _ = merge(Self.guest, Sample.alice)
        #expect(balance(Sample.alice) == 13)
        let refund = Self.pack("7", Sample.token(1), refunded: true)
        _ = submit(.record(Sample.notification(2, [refund])), onDay: 2)
        #expect(ledger.accounts[Sample.alice]?.purse.balance(at: Sample.after(2)) == 3)
        var again = refund
        again.transaction?.revoked = nil
        again.transaction?.version = Sample.version(3)
        _ = submit(.record(Sample.notification(3, [again])), onDay: 3)
        #expect(ledger.accounts[Sample.alice]?.purse.balance(at: Sample.after(3)) == 13)
        #expect(ledger.packs.values.map(\.amount) == [10])
        expectReplayed()
    }

    @Test(arguments: [true, false])
    mutating func `what one owes the other pays`(guestOwes: Bool) {
        let (poor, rich) = guestOwes ? (Self.guest, Sample.alice) : (Sample.alice, Self.guest)
        source.freeCredits = 0
        _ = submit(Sample.register(poor, Sample.token(1)))
        _ = submit(.record(Sample.notification(1, [Self.pack("7", Sample.token(1))])))
        _ = submit(.charge(charge(poor, 8, 60)))
        let refund = Self.pack("7", Sample.token(1), refunded: true)
        _ = submit(.record(Sample.notification(2, [refund])), onDay: 1)
        #expect(ledger.accounts[poor]?.purse.debt == 8)
        credit(rich, 10, onDay: 1)
        _ = merge(Self.guest, Sample.alice, onDay: 1)
        let purse = ledger.accounts[Sample.alice]?.purse
        #expect(purse?.debt == 0 && purse?.balance(at: Sample.after(1)) == 2)
        expectReplayed()
    }

    @Test mutating func `whoever has no account goes all the same, and their token leads on`() {
        let token = Sample.token(9)
        let bought = Fact(key: Self.key, transaction: Sample.month("10", at: 0, token: token))
        _ = submit(.record(Sample.notification(1, [bought])))
        #expect(ledger.subscriptions[Self.key]?.owner == nil)
        _ = merge(Self.guest, Sample.alice, token: token)
        #expect(ledger.subscriptions[Self.key]?.owner == Sample.alice)
        #expect(submit(Sample.register(Self.guest, token)) == .conflict(.merged))
        expectReplayed()
    }

    @Test mutating func `who shares a purchase with the other has it alone`() {
        source.transferPolicy = .share
        let month = Sample.month("10", at: 0, token: Sample.token(1))
        _ = submit(Sample.register(Self.guest, Sample.token(1)))
        _ = submit(.record(Sample.notification(1, [Fact(key: Self.key, transaction: month)])))
        var shown = Sample.month("10", at: 0, token: nil)
        shown.version = Sample.version(2)
        let facts = [Fact(key: Self.key, transaction: shown)]
        for user in [Sample.alice, Sample.bob] {
            _ = submit(.restore(Restoration(user: user, facts: facts, claimed: [])), onDay: 2)
        }
        _ = merge(Self.guest, Sample.alice, onDay: 2)
        #expect(ledger.subscriptions[Self.key]?.users == [Sample.alice, Sample.bob])
        let carol = Sample.user("carol")
        _ = merge(Sample.bob, carol, onDay: 2)
        #expect(ledger.subscriptions[Self.key]?.users == [Sample.alice, carol])
        #expect(ledger.accounts[carol]?.answer.slots.count == 1)
        expectReplayed()
    }

    @Test mutating func `where ids are tokens, a fact opens no account that went into another`() {
        source.userIDIsToken = true
        let guest = Sample.user(Sample.token(1).description)
        let alice = Sample.user(Sample.token(2).description)
        _ = submit(Sample.register(alice, Sample.token(2)))
        // Without a token of its own that would be claimed with it.
        guard case .merged = merge(guest, alice) else {
            Issue.record("not merged")
            return
        }
        let bought = Fact(
            key: Self.key,
            transaction: Sample.month("10", at: 0, token: Sample.token(1))
        )
        _ = submit(.record(Sample.notification(1, [bought])))
        #expect(ledger.accounts[guest] == nil && ledger.tokens[Sample.token(1)] == alice)
        #expect(ledger.subscriptions[Self.key]?.owner == alice)
        #expect(submit(Sample.register(guest, Sample.token(1))) == .conflict(.merged))
        expectReplayed()
    }

    @Test mutating func `more tokens than an account can have are refused, and nothing moves`() {
        for number in 1...UInt64(Limits.accountTokensMax) {
            _ = submit(Sample.register(Sample.alice, Sample.token(number)))
        }
        _ = submit(Sample.register(Self.guest, Sample.token(5_000)))
        let entries = ledger.journal.count
        #expect(merge(Self.guest, Sample.alice) == .tokensFull)
        #expect(ledger.journal.count == entries && ledger.accounts[Self.guest] != nil)
    }
}

extension Outcome {
    /// Whether it is what was answered first.
    fileprivate var isReplay: Bool {
        switch self {
        case .charged(_, _, let replay), .credited(_, let replay), .reserved(_, _, _, let replay),
            .reversed(_, _, let replay):
            replay != nil
        default: false
        }
    }

    fileprivate var remaining: Int64? {
        switch self {
        case .charged(_, let remaining, _), .credited(let remaining, _),
            .reserved(_, _, let remaining, _), .reversed(_, let remaining, _):
            remaining
        default: nil
        }
    }
}
