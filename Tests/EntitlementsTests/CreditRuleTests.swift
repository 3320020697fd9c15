import Entitlements
import Fixtures
import Testing

/// Single rules about credits, by the words of a story: what docs/calls.md says of each.
struct CreditRuleTests {
    /// A ledger that is told steps, days apart.
    private struct Stage {
        var ledger = MemoryLedger()
        var clerk = CreditClerk(bought: Sample.start.milliseconds)
        var policy: Policy

        init(freeCredits: Int64 = 0, owesRefunds: Bool = false, packs: [String: Int64]? = nil) {
            var source = CreditClerk.source(freeCredits: freeCredits, owesRefunds: owesRefunds)
            if let packs { source.creditPacks = packs }
            policy = Policy(source, numbering: Numbering(names: [Numbering.planName("pro")]))
        }

        mutating func tell(_ step: CreditStep, _ milliseconds: Int64 = 0) -> CreditAnswer {
            let at = Sample.start.advanced(byMilliseconds: milliseconds)
            return clerk.answer(ledger.submit(clerk.command(step), at: at, under: policy))
        }

        var account: Account? { ledger.accounts[CreditClerk.user(0)] }

        func balance(_ milliseconds: Int64 = 0) -> Int64 {
            let at = Sample.start.advanced(byMilliseconds: milliseconds)
            let (exact, flat) = (account?.purse.balance(at: at), account?.answer.spendable(at: at))
            #expect(exact == flat)
            return exact ?? 0
        }
    }

    private func grant(_ amount: Int64, _ key: String, until: Int64? = nil) -> CreditStep {
        let end = until.map { Sample.start.milliseconds + $0 }
        return .grant(user: 0, amount: amount, until: end, source: "gift", key: key)
    }

    private func word(
        _ pack: Int,
        signed: Int64,
        product: String = "pack.ten",
        quantity: Int64 = 1,
        isRevoked: Bool = false
    ) -> CreditPackWord {
        CreditPackWord(
            pack: pack,
            buyer: 0,
            product: product,
            quantity: quantity,
            signed: signed,
            isRevoked: isRevoked
        )
    }

    @Test func `a key belongs to one method and one list of arguments, for its user alone`() {
        var stage = Stage()
        _ = stage.tell(grant(9, "k"))
        let mismatch = CreditAnswer.refused("idempotency_mismatch")
        #expect(stage.tell(.consume(user: 0, amount: 9, key: "k")) == mismatch)
        #expect(stage.tell(.adjust(user: 0, amount: 9, key: "k")) == mismatch)
        #expect(
            stage.tell(
                .reserve(user: 0, amount: 9, milliseconds: 1, isLease: false, key: "k")
            ) == mismatch
        )
        #expect(stage.tell(.reverse(user: 0, charge: "x", key: "k")) == mismatch)
        #expect(
            stage.tell(.unlimited(user: 0, until: .max, key: "k"))
                == .refused("idempotency_mismatch")
        )
        #expect(stage.tell(grant(9, "k")) == .credited(remaining: 9, replayed: true))
        #expect(
            stage.tell(.consume(user: 1, amount: 1, key: "k"))
                == .charged("insufficient", remaining: 0, replayed: false)
        )
        #expect(stage.balance() == 9)
    }

    @Test func `a first answer is kept for 30 days to the millisecond`() {
        var stage = Stage()
        let kept = 30 * Sample.day
        _ = stage.tell(grant(9, "g"))
        let charge = CreditStep.consume(user: 0, amount: 2, key: "k")
        #expect(stage.tell(charge) == .charged("consumed", remaining: 7, replayed: false))
        #expect(stage.tell(charge, kept - 1) == .charged("consumed", remaining: 7, replayed: true))
        #expect(stage.tell(charge, kept) == .charged("consumed", remaining: 5, replayed: false))
        let late = stage.tell(.reverse(user: 0, charge: "k", key: "r"), 2 * kept)
        #expect(late == .refused("not_found"), "a charge that is forgotten is none")
    }

    @Test func `the latest first answers stand with the account, earlier ones as rows`() {
        var stage = Stage()
        _ = stage.tell(grant(100, "g"))
        for number in 1...Limits.firstAnswersMax {
            _ = stage.tell(.consume(user: 0, amount: 1, key: "c\(number)"))
        }
        // The list was full with the grant's answer in it, and went as a whole.
        #expect(stage.account?.firstAnswers.count == 1)
        #expect(stage.ledger.settlements.count == Limits.firstAnswersMax)
        // Wherever it stands, it is given again, and a charge can be put back.
        for number in 1...Limits.firstAnswersMax {
            let answer = stage.tell(.consume(user: 0, amount: 1, key: "c\(number)"))
            #expect(answer == .charged("consumed", remaining: Int64(100 - number), replayed: true))
        }
        #expect(stage.balance() == 100 - Int64(Limits.firstAnswersMax))
        for number in 1...Limits.firstAnswersMax {
            _ = stage.tell(.reverse(user: 0, charge: "c\(number)", key: "r\(number)"))
            _ = stage.tell(.reverse(user: 0, charge: "c\(number)", key: "again \(number)"))
        }
        #expect(stage.balance() == 100)
    }

    @Test func `a first answer that is kept no longer makes room`() {
        var stage = Stage()
        _ = stage.tell(grant(100, "g"))
        _ = stage.tell(.consume(user: 0, amount: 1, key: "c"))
        _ = stage.tell(.consume(user: 0, amount: 1, key: "c"), Limits.settlementKeptMilliseconds)
        #expect(stage.balance() == 98)
        #expect(stage.account?.firstAnswers.count == 1 && stage.ledger.settlements.isEmpty)
    }

    /// What changes no account stands as a row beside the old answer, until something changes it.
    @Test func `a key that is used again has its new answer`() {
        var stage = Stage()
        let later = 30 * Sample.day
        _ = stage.tell(grant(3, "g"))
        _ = stage.tell(.consume(user: 0, amount: 1, key: "k"))
        let again = CreditStep.consume(user: 0, amount: 5, key: "k")
        let refused = CreditAnswer.charged("insufficient", remaining: 2, replayed: false)
        #expect(stage.tell(again, later) == refused)
        _ = stage.tell(grant(10, "h"), later)
        let kept = CreditAnswer.charged("insufficient", remaining: 2, replayed: true)
        #expect(stage.tell(again, later) == kept)
        let other = stage.tell(.consume(user: 0, amount: 7, key: "k"), later)
        #expect(other == .refused("idempotency_mismatch"))
        _ = stage.tell(.reverse(user: 0, charge: "k", key: "r"), later)
        #expect(stage.balance(later) == 12)
    }

    @Test func `who renders freely is charged nothing, and nothing is kept of it`() {
        var stage = Stage()
        _ = stage.tell(grant(3, "g"))
        let end = Sample.start.milliseconds + 1_000
        #expect(stage.tell(.unlimited(user: 0, until: end, key: "u")) == .done)
        let (journal, accounts) = (stage.ledger.journal, stage.ledger.accounts)
        let charge = CreditStep.consume(user: 0, amount: 2, key: "k")
        let hold = CreditStep.reserve(
            user: 0,
            amount: 2,
            milliseconds: 9,
            isLease: true,
            key: "h"
        )
        for time in [0, 500, 999] as [Int64] {
            let free = CreditAnswer.charged("unlimited", remaining: 3, replayed: false)
            #expect(stage.tell(charge, time) == free)
            let held = CreditAnswer.reserved("unlimited", nil, remaining: 3, replayed: false)
            #expect(stage.tell(hold, time) == held)
        }
        #expect(stage.ledger.journal == journal)
        #expect(stage.ledger.accounts == accounts && stage.ledger.settlements.isEmpty)
        #expect(stage.tell(charge, 1_000) == .charged("consumed", remaining: 1, replayed: false))
    }

    @Test func `a commit may spend a part, never more than is held, and answers once`() {
        var stage = Stage()
        _ = stage.tell(grant(3, "a", until: 5_000))
        _ = stage.tell(grant(7, "b"))
        _ = stage.tell(
            .reserve(user: 0, amount: 6, milliseconds: 9_000, isLease: false, key: "h")
        )
        let more = CreditStep.commit(reservation: 1, amount: 7)
        #expect(stage.tell(more) == .refused("invalid_params"))
        // The three that end at 5 s are spent first; one of the others is, and two return.
        let part = CreditStep.commit(reservation: 1, amount: 4)
        #expect(stage.tell(part, 6_000) == .ended("committed", remaining: 6))
        #expect(stage.tell(.consume(user: 0, amount: 6, key: "c"), 6_000).left == 0)
        #expect(stage.tell(part, 7_000) == .ended("committed", remaining: 6))
        let release = stage.tell(.release(reservation: 1), 7_000)
        #expect(release == .ended("committed", remaining: 0))
        #expect(stage.tell(.commit(reservation: 9, amount: nil)) == .refused("not_found"))
    }

    @Test func `a lease that lost its connection is released to whoever asks again`() {
        var stage = Stage()
        _ = stage.tell(grant(5, "g"))
        let hold = CreditStep.reserve(
            user: 0,
            amount: 5,
            milliseconds: 9_000,
            isLease: true,
            key: "h"
        )
        #expect(stage.tell(hold) == .reserved("reserved", 1, remaining: 0, replayed: false))
        #expect(stage.tell(.disconnect(reservation: 1)) == .ended("released", remaining: 5))
        #expect(stage.tell(hold) == .reserved("released", 1, remaining: 0, replayed: true))
        #expect(
            stage.tell(.commit(reservation: 1, amount: nil)) == .ended("released", remaining: 5)
        )
    }

    @Test func `a hold returns at its own end, whoever asks when`() {
        // What pays a debt has paid it, also where nobody looked before it would have ended.
        for asked in [false, true] {
            var stage = Stage(owesRefunds: true)
            _ = stage.tell(.register(user: 0))
            _ = stage.tell(.notice(id: 1, [word(1, signed: 1)]))
            _ = stage.tell(.consume(user: 0, amount: 10, key: "c"))
            _ = stage.tell(grant(4, "g", until: 8_000))
            _ = stage.tell(
                .reserve(user: 0, amount: 4, milliseconds: 5_000, isLease: false, key: "h")
            )
            _ = stage.tell(.notice(id: 2, [word(1, signed: 2, isRevoked: true)]))
            #expect(stage.account?.purse.debt == 10)
            if asked { _ = stage.tell(.adjust(user: 0, amount: -1, key: "a"), 6_000) }
            #expect(stage.tell(grant(9, "later"), 9_000).left == 3, "10 owed, 4 and 9 paid")
            #expect(stage.balance(9_000) == 3)
        }
    }

    @Test func `what has ended neither pays a debt nor comes back`() {
        var stage = Stage(owesRefunds: true)
        _ = stage.tell(.register(user: 0))
        _ = stage.tell(.notice(id: 1, [word(1, signed: 1)]))
        _ = stage.tell(grant(4, "g", until: 1_000))
        _ = stage.tell(.consume(user: 0, amount: 14, key: "c"))
        _ = stage.tell(.notice(id: 2, [word(1, signed: 2, isRevoked: true)]))
        #expect(stage.account?.purse.debt == 10)
        // Ten permanent ones come back and pay; the four have ended and pay nothing.
        let back = stage.tell(.reverse(user: 0, charge: "c", key: "r"), 2_000)
        #expect(back == .reversed("reversed", remaining: 0, replayed: false))
        #expect(stage.account?.purse.debt == 0)
        _ = stage.tell(.notice(id: 3, [word(2, signed: 1)]), 3_000)
        _ = stage.tell(.consume(user: 0, amount: 10, key: "d"), 3_000)
        _ = stage.tell(.notice(id: 4, [word(2, signed: 2, isRevoked: true)]), 3_000)
        _ = stage.tell(grant(5, "dead", until: 2_500), 3_000)
        #expect(stage.account?.purse.debt == 10, "a grant that has ended is worth nothing")
    }

    @Test func `two packs in one command credit each once, and quantity counts to its bound`() {
        var stage = Stage()
        _ = stage.tell(.register(user: 0))
        let words = [
            word(1, signed: 1), word(2, signed: 2, product: "pack.two", quantity: 3),
            word(1, signed: 3),
        ]
        _ = stage.tell(.restore(user: 0, words))
        #expect(stage.balance() == 16)
        _ = stage.tell(.notice(id: 1, words))
        for word in words { _ = stage.tell(.verify(user: 0, word)) }
        #expect(stage.balance() == 16)
        _ = stage.tell(.verify(user: 0, word(3, signed: 1, quantity: .max)))
        #expect(stage.balance() == 16 + 10 * Limits.packQuantityMax)
        _ = stage.tell(.verify(user: 0, word(4, signed: 1, quantity: -5)))
        #expect(stage.balance() == 26 + 10 * Limits.packQuantityMax)
    }

    @Test(arguments: 0..<24)
    func `whatever the order of what tells of a pack, it credits once`(order: Int) {
        var stage = Stage()
        var steps: [CreditStep] = [
            .notice(id: 1, [word(1, signed: 5)]), .verify(user: 0, word(1, signed: 4)),
            .register(user: 0), .notice(id: 2, [word(1, signed: 5)]),
        ]
        var (rest, sorted) = (order, [CreditStep]())
        while !steps.isEmpty {
            sorted.append(steps.remove(at: rest % steps.count))
            rest /= steps.count + 1
        }
        for step in sorted + sorted.reversed() { _ = stage.tell(step) }
        #expect(stage.balance() == 10, "\(sorted)")
    }

    @Test func `a refund is taken once, a reversed one given back once, and again`() {
        var stage = Stage()
        _ = stage.tell(.verify(user: 0, word(1, signed: 1)))
        _ = stage.tell(.consume(user: 0, amount: 10, key: "c"))
        var signed: Int64 = 1
        for round in 0..<3 {
            signed += 1
            let refund = word(1, signed: signed, isRevoked: true)
            let (first, again) = (round * 10 + 1, round * 10 + 2)
            _ = stage.tell(.notice(id: first, [refund]))
            _ = stage.tell(.notice(id: again, [refund]))
            #expect(stage.balance() == 0, "round \(round): the floor")
            signed += 1
            _ = stage.tell(.notice(id: round * 10 + 3, [word(1, signed: signed)]))
            // What was spent is not given back; later credits are taken by the next refund.
            #expect(stage.balance() == (round == 0 ? 0 : 5), "round \(round)")
            if round == 0 { _ = stage.tell(grant(5, "late")) }
        }
    }

    /// A part of a purchase of several packs is refunded.
    ///
    /// Apple's page on `revocationPercentage` says of the quantity: "if 1 of 3 items was refunded,
    /// the value would be approximately 33.333". What is some of the items, as exactly as three
    /// decimals can say it, is those items; any other share is of all credits, and what is no whole
    /// credit stays with the customer.
    @Test(
        arguments: [
            (1, 100_000, 10), (1, 33_333, 3), (1, 99_999, 9), (2, 50_000, 10), (2, 33_333, 6),
            (3, 33_333, 10), (3, 33_334, 10), (3, 66_666, 20), (3, 66_667, 20), (3, 33_330, 9),
            (3, 40_000, 12), (7, 14_285, 10), (7, 14_286, 10), (7, 85_714, 60), (10, 10_000, 10),
            (10, 10_009, 10), (10, 15_000, 15), (3, 0, 0), (3, 2, 0), (3, 100_000, 30),
        ] as [(Int64, Int64, Int64)]
    )
    func `a refund of some of the packs takes those, any other is rounded for the customer`(
        _ quantity: Int64,
        _ share: Int64,
        _ taken: Int64
    ) {
        var stage = Stage()
        _ = stage.tell(.verify(user: 0, word(1, signed: 1, quantity: quantity)))
        #expect(stage.balance() == 10 * quantity)
        let refund = CreditPackWord(
            pack: 1,
            buyer: 0,
            product: "pack.ten",
            quantity: quantity,
            signed: 2,
            isRevoked: true,
            share: share
        )
        _ = stage.tell(.notice(id: 1, [refund]))
        #expect(stage.balance() == 10 * quantity - taken)
    }

    @Test func `a charge put back after the refund of its pack gives nothing back`() {
        var stage = Stage()
        _ = stage.tell(.verify(user: 0, word(1, signed: 1)))
        _ = stage.tell(grant(3, "g"))
        for (amount, key) in [(4, "a"), (7, "b")] as [(Int64, String)] {
            _ = stage.tell(.consume(user: 0, amount: amount, key: key))
        }
        #expect(stage.balance() == 2)
        _ = stage.tell(.notice(id: 1, [word(1, signed: 2, isRevoked: true)]))
        #expect(stage.balance() == 0, "2 are taken, 8 forgiven")
        #expect(stage.account?.purse.forgiven.map(\.amount) == [8])
        _ = stage.tell(.reverse(user: 0, charge: "b", key: "rb"), 1)
        #expect(stage.balance() == 0, "7 of the 8")
        // What is charged later is no business of that refund.
        _ = stage.tell(grant(5, "late"), 1)
        _ = stage.tell(.consume(user: 0, amount: 5, key: "c"), 1)
        _ = stage.tell(.reverse(user: 0, charge: "c", key: "rc"), 1)
        #expect(stage.balance() == 5)
        _ = stage.tell(.reverse(user: 0, charge: "a", key: "ra"), 1)
        #expect(stage.balance() == 8, "one of the 4, and with it the whole pack is taken")
        #expect(stage.account?.purse.forgiven == [])
        // The refund is reversed: all ten come again.
        _ = stage.tell(.notice(id: 2, [word(1, signed: 3)]), 1)
        #expect(stage.balance() == 18)
    }

    @Test func `put back before the refund or after it, the same is left`() {
        for order in [["reverse", "refund"], ["refund", "reverse"]] {
            var stage = Stage()
            _ = stage.tell(grant(6, "g", until: 90_000))
            _ = stage.tell(.verify(user: 0, word(1, signed: 1)))
            _ = stage.tell(.consume(user: 0, amount: 13, key: "c"))
            for step in order {
                if step == "reverse" {
                    _ = stage.tell(.reverse(user: 0, charge: "c", key: "r"), 1)
                } else {
                    _ = stage.tell(.notice(id: 1, [word(1, signed: 2, isRevoked: true)]), 1)
                }
            }
            #expect(stage.balance() == 6, "\(order)")
            #expect(stage.account?.purse.buckets.map(\.source) == ["gift"], "\(order)")
            #expect(stage.account?.purse.forgiven == [], "\(order)")
        }
    }

    @Test func `a refund that was reversed forgives nothing any more`() {
        var stage = Stage()
        _ = stage.tell(.verify(user: 0, word(1, signed: 1)))
        _ = stage.tell(.consume(user: 0, amount: 10, key: "c"))
        _ = stage.tell(.notice(id: 1, [word(1, signed: 2, isRevoked: true)]))
        _ = stage.tell(.notice(id: 2, [word(1, signed: 3)]))
        #expect(stage.balance() == 0)
        _ = stage.tell(.reverse(user: 0, charge: "c", key: "r"))
        #expect(stage.balance() == 10)
    }

    @Test func `what was forgiven is remembered as long as a charge can be put back, and bounded`()
    {
        var stage = Stage()
        for pack in 1...Limits.forgivenMax + 3 {
            _ = stage.tell(.verify(user: 0, word(pack, signed: 1)))
            _ = stage.tell(.consume(user: 0, amount: 10, key: "c\(pack)"))
            _ = stage.tell(.notice(id: pack, [word(pack, signed: 2, isRevoked: true)]))
        }
        #expect(stage.account?.purse.forgiven.count == Limits.forgivenMax)
        #expect(stage.account?.purse.forgiven.first?.pack.transactionID.hasSuffix("4") == true)
        _ = stage.tell(grant(1, "later"), Limits.settlementKeptMilliseconds)
        #expect(stage.account?.purse.forgiven == [])
    }

    @Test func `who reserves a pack and has it refunded keeps neither`() {
        var stage = Stage()
        _ = stage.tell(.verify(user: 0, word(1, signed: 1)))
        _ = stage.tell(grant(3, "g"))
        for (amount, key) in [(9, "a"), (2, "b"), (1, "c")] as [(Int64, String)] {
            let hold = CreditStep.reserve(
                user: 0,
                amount: amount,
                milliseconds: 9_000,
                isLease: false,
                key: key
            )
            _ = stage.tell(hold)
        }
        _ = stage.tell(.notice(id: 1, [word(1, signed: 2, isRevoked: true)]))
        // The oldest came back for it; the others are held on.
        #expect(stage.balance() == 0)
        #expect(
            stage.tell(.commit(reservation: 1, amount: nil)) == .ended("released", remaining: 0)
        )
        #expect(stage.tell(.release(reservation: 2)).left == 2)
        #expect(stage.tell(.release(reservation: 3)) == .ended("released", remaining: 3))
        _ = stage.tell(.notice(id: 2, [word(1, signed: 3)]))
        #expect(stage.balance() == 13, "the refund was reversed")
    }

    @Test func `what is held of a bucket counts among the buckets of a purse`() {
        var stage = Stage()
        for number in 0..<Limits.bucketsMax {
            let end = Int64(1_000_000 + number)
            _ = stage.tell(grant(1, "g\(number)", until: end))
        }
        let all = CreditStep.reserve(
            user: 0,
            amount: Int64(Limits.bucketsMax),
            milliseconds: 60_000,
            isLease: false,
            key: "all"
        )
        #expect(
            stage.tell(all)
                == .reserved("reserved", 1, remaining: 0, replayed: false)
        )
        #expect(stage.tell(grant(1, "more", until: 9_000_000)) == .refused("full"))
        _ = stage.tell(.commit(reservation: 1, amount: Int64(Limits.bucketsMax)))
        #expect(
            stage.tell(grant(1, "more", until: 9_000_000))
                == .credited(remaining: 1, replayed: false)
        )
    }

    @Test func `a buyer of many packs still subscribes`() {
        var stage = Stage()
        let count = Limits.subscriptionsMax + 100
        for number in 1...count { _ = stage.tell(.verify(user: 0, word(number, signed: 1))) }
        #expect(stage.balance() == Int64(count) * 10)
        #expect(stage.account?.subscriptions.count == Limits.purchasesListedMax)
        #expect(stage.account?.answer.slots.isEmpty == true, "a question looks at no pack")
        let fact = Fact(
            key: Sample.key("900"),
            transaction: Sample.month("900", token: Token(high: 7, low: 1))
        )
        _ = stage.ledger.submit(
            .record(Sample.notification(1, [fact])),
            at: Sample.start,
            under: stage.policy
        )
        #expect(stage.account?.answer.slots.count == 1)
        #expect(stage.account?.subscriptions.count == Limits.purchasesListedMax + 1)
        // A pack that is listed no more is refunded all the same.
        _ = stage.tell(.notice(id: 1, [word(count, signed: 2, isRevoked: true)]))
        #expect(stage.balance() == Int64(count - 1) * 10)
    }

    @Test func `a purse has a bound of buckets and of holds, and says so`() {
        var stage = Stage()
        for number in 0..<Limits.bucketsMax {
            let end = Int64(number) + 1_000
            #expect(stage.tell(grant(1, "b\(number)", until: end)).left == Int64(number) + 1)
        }
        #expect(stage.tell(grant(1, "more", until: 9)) == .refused("full"))
        let same = stage.tell(grant(1, "same", until: 1_000))
        #expect(same.left == Int64(Limits.bucketsMax) + 1, "more of the same needs no room")
        let all = Int64(Limits.bucketsMax) + 1
        let spent = stage.tell(.consume(user: 0, amount: all, key: "all"))
        #expect(spent.left == 0, "from all of them at once")
        #expect(stage.tell(grant(1_000, "one")).left == 1_000)
        for number in 0..<Limits.holdsMax {
            let hold = CreditStep.reserve(
                user: 0,
                amount: 1,
                milliseconds: 5_000,
                isLease: false,
                key: "h\(number)"
            )
            #expect(stage.tell(hold).left == 999 - Int64(number))
        }
        let more = CreditStep.reserve(
            user: 0,
            amount: 1,
            milliseconds: 5_000,
            isLease: false,
            key: "more"
        )
        #expect(stage.tell(more) == .refused("full"))
        #expect(stage.tell(more, 5_000).left == 999, "ended holds make room")
    }

    @Test func `the greatest amounts add up`() {
        let most: Int64 = 1_000_000_000
        var stage = Stage(freeCredits: most, packs: ["pack.ten": most])
        _ = stage.tell(.register(user: 0))
        for number in 1...50 { _ = stage.tell(grant(most, "g\(number)")) }
        let word = word(1, signed: 1, quantity: 1_000)
        _ = stage.tell(.verify(user: 0, word))
        #expect(stage.balance() == most * 1_051)
        _ = stage.tell(.consume(user: 0, amount: most, key: "c"))
        _ = stage.tell(.adjust(user: 0, amount: -most, key: "a"))
        #expect(stage.balance() == most * 1_049)
        let far = grant(1, "far", until: Int64.max - Sample.start.milliseconds - 1)
        #expect(stage.tell(far).left == most * 1_049 + 1)
        let forever = CreditStep.reserve(
            user: 0,
            amount: 1,
            milliseconds: .max,
            isLease: false,
            key: "h"
        )
        #expect(stage.tell(forever).left == most * 1_049)
    }
}

extension CreditAnswer {
    /// What remained, where the answer says.
    fileprivate var left: Int64? {
        switch self {
        case .registered(let left), .credited(let left, _), .charged(_, let left, _),
            .reserved(_, _, let left, _), .ended(_, let left), .reversed(_, let left, _):
            left
        case .refused, .done: nil
        }
    }
}
