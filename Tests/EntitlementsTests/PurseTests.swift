import Entitlements
import Fixtures
import Testing

/// Credits: what each command does to a purse, and what a reader sees of it at every moment.
struct PurseTests {
    private var ledger = MemoryLedger()
    private let policy: Policy

    init() {
        var source = Policy.Source()
        source.freeCredits = 3
        source.plans = []
        source.creditPacks = ["pack.10": 10]
        policy = Policy(source)
    }

    private func key(_ number: UInt64) -> IdempotencyKey {
        IdempotencyKey(user: Sample.alice, digest: Sample.digest(number))
    }

    private func credit(_ amount: Int64, _ number: UInt64, until: Moment? = nil) -> Command.Kind {
        .credit(
            CreditOrder(
                user: Sample.alice,
                amount: amount,
                key: key(number),
                fingerprint: Sample.digest(UInt64(bitPattern: amount)),
                until: until,
                source: "gift",
                reason: "",
                isAdjustment: amount < 0
            )
        )
    }

    private func charge(_ amount: Int64, _ number: UInt64) -> Charge {
        Charge(
            user: Sample.alice,
            amount: amount,
            key: key(number),
            fingerprint: Sample.digest(UInt64(bitPattern: amount))
        )
    }

    private func pack(_ id: String, signed: Int64, revoked: Bool = false) -> Fact {
        var transaction = TransactionFact(
            id: id,
            version: Sample.version(signed),
            productID: "pack.10",
            purchased: Sample.start
        )
        transaction.kind = "Consumable"
        transaction.token = Sample.token(1)
        if revoked { transaction.revoked = Sample.after(signed) }
        return Fact(key: Sample.key(id), transaction: transaction)
    }

    private var purse: Purse { ledger.accounts[Sample.alice]?.purse ?? Purse() }

    @Test mutating func `what ends soonest is spent first, and comes back where it was`() {
        _ = ledger.submit(
            Sample.register(Sample.alice, Sample.token(1)),
            at: Sample.start,
            under: policy
        )
        _ = ledger.submit(credit(5, 1, until: Sample.after(2)), at: Sample.start, under: policy)
        let spent = ledger.submit(.charge(charge(6, 2)), at: Sample.start, under: policy)
        #expect(spent == .charged(.consumed, remaining: 2, replay: nil))
        #expect(purse.buckets == [Bucket(source: "free", amount: 2)])
        let order = Reversal(
            user: Sample.alice,
            key: key(3),
            fingerprint: Sample.digest(0),
            charge: key(2)
        )
        let back = ledger.submit(.reverse(order), at: Sample.after(1), under: policy)
        #expect(back == .reversed(true, remaining: 8, replay: nil))
        #expect(
            purse.buckets == [
                Bucket(source: "gift", until: Sample.after(2), amount: 5),
                Bucket(source: "free", amount: 3),
            ]
        )
        #expect(purse.balance(at: Sample.after(2)) == 3, "what has an end, ends")
    }

    @Test mutating func `what had ended stays ended when a charge is put back`() {
        _ = ledger.submit(credit(5, 1, until: Sample.after(1)), at: Sample.start, under: policy)
        _ = ledger.submit(.charge(charge(5, 2)), at: Sample.start, under: policy)
        let order = Reversal(
            user: Sample.alice,
            key: key(3),
            fingerprint: Sample.digest(0),
            charge: key(2)
        )
        let back = ledger.submit(.reverse(order), at: Sample.after(3), under: policy)
        #expect(back == .reversed(true, remaining: 0, replay: nil))
    }

    @Test mutating func `a key gives its first answer, for its arguments alone`() {
        _ = ledger.submit(credit(1, 1), at: Sample.start, under: policy)
        let first = ledger.submit(.charge(charge(1, 2)), at: Sample.start, under: policy)
        #expect(first == .charged(.consumed, remaining: 0, replay: nil))
        guard
            case .charged(.consumed, 0, let replay?) = ledger.submit(
                .charge(charge(1, 2)),
                at: Sample.after(29),
                under: policy
            )
        else {
            Issue.record("no replay")
            return
        }
        #expect(replay.seq == 2)
        #expect(ledger.submit(.charge(charge(2, 2)), at: Sample.start, under: policy) == .keyReused)
        #expect(
            ledger.submit(credit(1, 2), at: Sample.start, under: policy)
                == .credited(remaining: 0, replay: replay)
        )
        let poor = ledger.submit(.charge(charge(9, 3)), at: Sample.start, under: policy)
        #expect(poor == .charged(.insufficient, remaining: 0, replay: nil))
        _ = ledger.submit(credit(50, 4), at: Sample.start, under: policy)
        guard
            case .charged(.insufficient, 0, _?) = ledger.submit(
                .charge(charge(9, 3)),
                at: Sample.start,
                under: policy
            )
        else {
            Issue.record("an insufficient answer is kept too")
            return
        }
        let later = ledger.submit(.charge(charge(9, 3)), at: Sample.after(31), under: policy)
        #expect(later == .charged(.consumed, remaining: 41, replay: nil), "after 30 days it is new")
    }

    @Test mutating func `a pack credits once, whoever tells it, and a refund takes it back`() {
        let one = pack("1000", signed: 1)
        _ = ledger.submit(.record(Sample.notification(1, [one])), at: Sample.start, under: policy)
        #expect(ledger.accounts.isEmpty, "nobody's yet")
        _ = ledger.submit(
            Sample.register(Sample.alice, Sample.token(1)),
            at: Sample.start,
            under: policy
        )
        #expect(purse.balance(at: Sample.start) == 13)
        _ = ledger.submit(.record(Sample.notification(2, [one])), at: Sample.start, under: policy)
        let purchase = Purchase(
            user: Sample.alice,
            facts: [pack("1000", signed: 2)],
            claimed: [Sample.token(1)]
        )
        _ = ledger.submit(.link(purchase), at: Sample.start, under: policy)
        #expect(purse.balance(at: Sample.start) == 13)
        let refund = pack("1000", signed: 3, revoked: true)
        _ = ledger.submit(
            .record(Sample.notification(3, [refund])),
            at: Sample.start,
            under: policy
        )
        #expect(purse.balance(at: Sample.start) == 3)
        _ = ledger.submit(
            .record(Sample.notification(4, [pack("1000", signed: 4)])),
            at: Sample.start,
            under: policy
        )
        #expect(purse.balance(at: Sample.start) == 13, "the refund was reversed")
    }

    @Test(arguments: [false, true])
    mutating func `a refund of spent credits stops at zero, or is owed`(owes: Bool) {
        var source = policy.source
        source.owesRefunds = owes
        let policy = Policy(source)
        _ = ledger.submit(
            Sample.register(Sample.alice, Sample.token(1)),
            at: Sample.start,
            under: policy
        )
        _ = ledger.submit(
            .record(Sample.notification(1, [pack("1000", signed: 1)])),
            at: Sample.start,
            under: policy
        )
        _ = ledger.submit(.charge(charge(9, 1)), at: Sample.start, under: policy)
        let refund = pack("1000", signed: 2, revoked: true)
        _ = ledger.submit(
            .record(Sample.notification(2, [refund])),
            at: Sample.start,
            under: policy
        )
        #expect(purse.balance(at: Sample.start) == 0)
        #expect(purse.debt == (owes ? 6 : 0))
        _ = ledger.submit(credit(10, 2), at: Sample.start, under: policy)
        #expect(purse.balance(at: Sample.start) == (owes ? 4 : 10))
    }

    @Test mutating func `a hold ends by itself, commits a part, and answers the same again`() {
        _ = ledger.submit(credit(10, 1), at: Sample.start, under: policy)
        func reserve(_ amount: Int64, _ number: UInt64) -> Command.Kind {
            .reserve(
                ReservationOrder(
                    charge: charge(amount, number),
                    milliseconds: Sample.day,
                    isLease: false,
                    id: number
                )
            )
        }
        _ = ledger.submit(reserve(4, 2), at: Sample.start, under: policy)
        _ = ledger.submit(reserve(6, 3), at: Sample.start, under: policy)
        #expect(purse.balance(at: Sample.start) == 0)
        #expect(purse.held(at: Sample.start) == 10)
        let end = ReservationEnd(id: 2, kind: .committed, amount: 1)
        let most = ReservationEnd(id: 2, kind: .committed, amount: 5)
        #expect(
            ledger.submit(.endReservation(most), at: Sample.start, under: policy)
                == .holdSmaller(amount: 4)
        )
        let first = ledger.submit(.endReservation(end), at: Sample.start, under: policy)
        #expect(first == .holdEnded(.committed, remaining: 3))
        let again = ReservationEnd(id: 2, kind: .committed, amount: 3)
        #expect(ledger.submit(.endReservation(again), at: Sample.after(3), under: policy) == first)
        let release = ReservationEnd(id: 2, kind: .released)
        #expect(
            ledger.submit(.endReservation(release), at: Sample.start, under: policy)
                == .holdEnded(.committed, remaining: 3)
        )
        // Nothing is asked, and the second one is over: a reader sees it at once.
        let answer = ledger.accounts[Sample.alice]?.answer ?? Answer()
        #expect(answer.spendable(at: Sample.start) == 3)
        #expect(answer.spendable(at: Sample.after(1)) == 9)
        let late = ReservationEnd(id: 3, kind: .committed)
        #expect(
            ledger.submit(.endReservation(late), at: Sample.after(1), under: policy)
                == .holdEnded(.expired, remaining: 9)
        )
        let unknown = ReservationEnd(id: 77, kind: .released)
        #expect(
            ledger.submit(.endReservation(unknown), at: Sample.start, under: policy) == .holdUnknown
        )
    }
}
