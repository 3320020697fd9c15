import Entitlements
import Fixtures
import Testing

/// Credits of packs and of paid periods at stores that answer with whole states.
@Suite struct StorePeriodTests {
    private var ledger = MemoryLedger()
    private static let policy = {
        var plan = Policy.Plan(name: "paid")
        plan.products = ["google_play:best", "stripe:best"]
        plan.unlimited = ["render"]
        plan.creditsPerPeriod = 100
        plan.creditsInTrial = 3
        var better = Policy.Plan(name: "better")
        better.rank = 2
        better.products = ["stripe:better"]
        better.creditsPerPeriod = 30
        var source = Policy.Source()
        source.plans = [plan, better]
        source.creditPacks = ["google_play:ten": 10]
        return Policy(source, numbering: Numbering())
    }()

    init() {
        for (number, user) in [Sample.alice, Sample.bob].enumerated() {
            let register = Sample.register(user, Sample.token(UInt64(number) + 1))
            _ = ledger.submit(register, at: Sample.start, under: Self.policy)
        }
    }

    private static func key(_ id: String, of store: Store) -> SubscriptionKey {
        SubscriptionKey(store: store, environment: .production, originalID: id)
    }

    private static func month(
        _ id: String,
        from day: Int64,
        to end: Int64,
        told: Int64
    ) -> TransactionFact {
        var one = Sample.month(id, at: day, product: "best", token: Sample.token(1))
        one.expires = Sample.after(end)
        one.version = Sample.version(told)
        one.kind = TransactionFact.renewingKind
        one.reason = "PURCHASE"
        return one
    }

    private static func trial(
        _ id: String,
        from day: Int64,
        to end: Int64,
        told: Int64
    ) -> TransactionFact {
        var one = month(id, from: day, to: end, told: told)
        (one.offerType, one.offerDiscount) = (1, "FREE_TRIAL")
        return one
    }

    private mutating func tell(
        _ code: StatusCode,
        _ one: TransactionFact,
        of key: SubscriptionKey,
        at day: Int64
    ) {
        let fact = Fact(
            snapshotOf: key,
            status: StatusFact(version: one.version, code, word: "\(code)"),
            transactions: [one]
        )
        _ = ledger.submit(.learn([fact]), at: Sample.after(day), under: Self.policy)
    }

    private mutating func move(_ key: SubscriptionKey, to user: UserID, at day: Int64) {
        let move = PurchaseMove(
            store: key.store,
            originalID: key.originalID,
            to: user,
            reason: ""
        )
        _ = ledger.submit(.move(move), at: Sample.after(day), under: Self.policy)
    }

    /// The rest of what was paid until day 30, under the token of a replacement.
    private static func carried(
        _ number: Int,
        from day: Int64,
        next: String?,
        told: Int64
    ) -> Fact {
        var one = month("GPA.\(number)", from: day, to: 30, told: told)
        one.terms.previousOriginalID = "t\(number - 1)"
        var renewal = RenewalFact(version: one.version)
        (renewal.autoRenew, renewal.nextProductID) = (next != nil, next)
        return Fact(
            snapshotOf: key("t\(number)", of: .googlePlay),
            status: StatusFact(version: one.version, .active, word: "active"),
            transactions: [one],
            renewal: renewal
        )
    }

    private mutating func charge(_ cost: Int64, at day: Int64) {
        let charge = Charge(
            user: Sample.alice,
            amount: cost,
            key: IdempotencyKey(user: Sample.alice, digest: Sample.digest(1)),
            fingerprint: Sample.digest(1)
        )
        _ = ledger.submit(.charge(charge), at: Sample.after(day), under: Self.policy)
    }

    private func credits(_ user: UserID, at day: Int64) -> Int64? {
        ledger.accounts[user]?.purse.balance(at: Sample.after(day))
    }

    @Test mutating func `a pack that is paid in cash is credited once`() {
        let key = Self.key("t", of: .googlePlay)
        for (code, id, day) in [(StatusCode.pending, "t", 0), (.active, "GPA.1", 1)] {
            var one = TransactionFact(
                id: id,
                version: Sample.version(Int64(day)),
                productID: "ten",
                purchased: Sample.after(Int64(day))
            )
            one.kind = TransactionFact.oneTimeKind
            one.reason = "PURCHASE"
            one.token = Sample.token(1)
            tell(code, one, of: key, at: Int64(day))
            #expect(credits(Sample.alice, at: 2) == (day == 0 ? 0 : 10))
        }
    }

    @Test mutating func `where no beginning is told a renewal's credits are the owner's`() {
        let key = Self.key("t", of: .googlePlay)
        tell(.active, Self.month("GPA.1", from: 0, to: 30, told: 0), of: key, at: 0)
        #expect(credits(Sample.alice, at: 1) == 100)
        move(key, to: Sample.bob, at: 10)
        // Google's answer has the beginning of the first period alone.
        var renewed = Self.month("GPA.1..0", from: 0, to: 60, told: 30)
        renewed.purchased = Sample.start.advanced(byMilliseconds: 1_000)
        renewed.reason = "RENEWAL"
        tell(.active, renewed, of: key, at: 30)
        #expect(credits(Sample.alice, at: 31) == 0)
        #expect(credits(Sample.bob, at: 31) == 100)
    }

    @Test(arguments: [Store.googlePlay, .stripe])
    mutating func `a running period's credits stay where they are when it moves again`(
        _ store: Store
    ) {
        let key = Self.key("t", of: store)
        tell(.active, Self.month("1", from: 0, to: 30, told: 0), of: key, at: 0)
        move(key, to: Sample.bob, at: 10)
        var renewed = Self.month("2", from: 30, to: 60, told: 30)
        renewed.reason = "RENEWAL"
        tell(.active, renewed, of: key, at: 30)
        #expect(credits(Sample.bob, at: 31) == 100)
        move(key, to: Sample.bob, at: 40)
        move(key, to: Sample.alice, at: 41)
        #expect(credits(Sample.bob, at: 42) == 100)
        #expect(credits(Sample.alice, at: 42) == 0)
    }

    @Test mutating func `a renewal whose payment fails gives nothing, until it is paid`() {
        let key = Self.key("sub_1", of: .stripe)
        tell(.active, Self.month("in_1", from: 0, to: 30, told: 0), of: key, at: 0)
        // Stripe calls it active for an hour, before it charges the card.
        tell(.active, Self.month("in_2", from: 30, to: 60, told: 30), of: key, at: 30)
        #expect(credits(Sample.alice, at: 31) == 100)
        tell(.grace, Self.month("in_2", from: 30, to: 30, told: 31), of: key, at: 31)
        #expect(credits(Sample.alice, at: 32) == 0)
        tell(.active, Self.month("in_2", from: 30, to: 60, told: 33), of: key, at: 33)
        #expect(credits(Sample.alice, at: 34) == 100)
    }

    /// Items of one subscription begin at the same time.
    @Test(arguments: ["another", "best", "better"])
    mutating func `each plan of a subscription's items gives its credits`(_ product: String) {
        let key = Self.key("sub_1", of: .stripe)
        let one = Self.month("in_1", from: 0, to: 30, told: 0)
        var item = Self.month("in_1:si_2", from: 0, to: 30, told: 0)
        item.productID = product
        let fact = Fact(
            snapshotOf: key,
            status: StatusFact(version: one.version, .active, word: "active"),
            transactions: [one, item]
        )
        _ = ledger.submit(.learn([fact]), at: Sample.start, under: Self.policy)
        #expect(credits(Sample.alice, at: 1) == (product == "better" ? 130 : 100))
    }

    @Test mutating func `a top-up of a prepaid plan takes nothing of what is left`() {
        let (old, new) = (Self.key("t1", of: .googlePlay), Self.key("t2", of: .googlePlay))
        var first = Self.month("GPA.1", from: 0, to: 30, told: 0)
        first.kind = TransactionFact.prepaidKind
        tell(.active, first, of: old, at: 0)
        charge(20, at: 1)
        var more = Self.month("GPA.2", from: 20, to: 60, told: 20)
        more.kind = TransactionFact.prepaidKind
        more.terms.previousOriginalID = "t1"
        tell(.active, more, of: new, at: 20)
        #expect(credits(Sample.alice, at: 21) == 180)
        #expect(credits(Sample.alice, at: 31) == 100)
        #expect(credits(Sample.alice, at: 61) == 0)
    }

    @Test mutating func `a trial gives its own credits, and what follows it the whole`() {
        let key = Self.key("t", of: .googlePlay)
        tell(.active, Self.trial("GPA.1", from: 0, to: 7, told: 0), of: key, at: 0)
        charge(2, at: 1)
        #expect(credits(Sample.alice, at: 1) == 1)
        var paid = Self.month("GPA.1..0", from: 0, to: 37, told: 7)
        paid.purchased = Sample.start.advanced(byMilliseconds: 1_000)
        paid.reason = "RENEWAL"
        tell(.active, paid, of: key, at: 7)
        #expect(credits(Sample.alice, at: 8) == 100)
        #expect(credits(Sample.alice, at: 38) == 0)
    }

    /// What was spent counts either way.
    @Test(arguments: [false, true])
    mutating func `a period that was taken for a trial, or for a paid one, is corrected`(
        _ isTrialAtLast: Bool
    ) {
        let key = Self.key("t", of: .googlePlay)
        func word(_ isTrial: Bool, at day: Int64) {
            let make = isTrial ? Self.trial : Self.month
            tell(.active, make("GPA.1", 0, 7, day), of: key, at: day)
        }
        word(!isTrialAtLast, at: 0)
        charge(2, at: 1)
        #expect(credits(Sample.alice, at: 1) == (isTrialAtLast ? 98 : 1))
        word(isTrialAtLast, at: 2)
        #expect(credits(Sample.alice, at: 2) == (isTrialAtLast ? 1 : 98))
        word(isTrialAtLast, at: 3)
        #expect(credits(Sample.alice, at: 3) == (isTrialAtLast ? 1 : 98))
    }

    @Test mutating func `a trial that was none gives back a hold that has ended once`() {
        let key = Self.key("t", of: .googlePlay)
        tell(.active, Self.trial("GPA.1", from: 0, to: 7, told: 0), of: key, at: 0)
        let user = Sample.alice
        let gift = CreditOrder(
            user: user,
            amount: 50,
            key: IdempotencyKey(user: user, digest: Sample.digest(2)),
            fingerprint: Sample.digest(2),
            until: nil,
            source: "gift",
            reason: "",
            isAdjustment: false
        )
        _ = ledger.submit(.credit(gift), at: Sample.start, under: Self.policy)
        let hold = ReservationOrder(
            charge: Charge(
                user: user,
                amount: 20,
                key: IdempotencyKey(user: user, digest: Sample.digest(3)),
                fingerprint: Sample.digest(3)
            ),
            milliseconds: 3_600_000,
            isLease: false,
            id: Reservation.id(of: 9)
        )
        _ = ledger.submit(.reserve(hold), at: Sample.start, under: Self.policy)
        let before = credits(user, at: 1) ?? 0
        tell(.active, Self.month("GPA.1", from: 0, to: 7, told: 2), of: key, at: 2)
        #expect(before > 50 && credits(user, at: 2) == 150)
    }

    @Test mutating func `a paused period gives nothing`() {
        let key = Self.key("sub_1", of: .stripe)
        tell(.active, Self.month("in_1", from: 0, to: 30, told: 0), of: key, at: 0)
        tell(.paused, Self.month("in_2", from: 30, to: 60, told: 30), of: key, at: 30)
        #expect(credits(Sample.alice, at: 31) == 0)
    }

    @Test mutating func `an upgrade ends the credits of the period before`() {
        let old = Self.key("t1", of: .googlePlay)
        let new = Self.key("t2", of: .googlePlay)
        tell(.active, Self.month("GPA.1", from: 0, to: 30, told: 0), of: old, at: 0)
        var upgraded = Self.month("GPA.2", from: 10, to: 40, told: 10)
        upgraded.terms.previousOriginalID = "t1"
        tell(.active, upgraded, of: new, at: 10)
        #expect(credits(Sample.alice, at: 11) == 100)
    }

    /// A downgrade that waits for the end of what is paid has a token of its own at once, under
    /// which the old product goes on.
    @Test(arguments: [false, true], [30, 10] as [Int64])
    mutating func `a replacement that is deferred gives credits when it takes place`(
        _ isToldFirst: Bool,
        _ endShown: Int64
    ) {
        let (old, new) = (Self.key("t1", of: .googlePlay), Self.key("t2", of: .googlePlay))
        let deferred = Self.carried(2, from: 10, next: "other", told: 10)
        func announce() {
            _ = ledger.submit(.learn([deferred]), at: Sample.after(10), under: Self.policy)
        }
        let heard: Int64 = isToldFirst ? 11 : 5
        if isToldFirst { announce() }
        tell(.active, Self.month("GPA.1", from: 0, to: 30, told: 0), of: old, at: heard)
        charge(60, at: heard)
        if !isToldFirst { announce() }
        #expect(credits(Sample.alice, at: 11) == 40)
        // The purchase that was replaced is over; Google may show another end of it.
        tell(.expired, Self.month("GPA.1", from: 0, to: endShown, told: 11), of: old, at: 11)
        #expect(credits(Sample.alice, at: 12) == 40)
        #expect(credits(Sample.alice, at: 29) == 40)
        var taken = Self.month("GPA.2..0", from: 10, to: 60, told: 30)
        taken.purchased = Sample.after(10).advanced(byMilliseconds: 1_000)
        taken.terms.previousOriginalID = "t1"
        taken.reason = "RENEWAL"
        tell(.active, taken, of: new, at: 30)
        #expect(credits(Sample.alice, at: 31) == 100)
        #expect(credits(Sample.alice, at: 61) == 0)
    }

    /// Neither a cancellation before it takes place nor another choice gives more.
    @Test mutating func `a deferred replacement that is called off gives nothing again`() {
        let first = Self.key("t1", of: .googlePlay)
        tell(.active, Self.month("GPA.1", from: 0, to: 30, told: 0), of: first, at: 0)
        charge(60, at: 6)
        func learn(_ fact: Fact, at day: Int64) {
            _ = ledger.submit(.learn([fact]), at: Sample.after(day), under: Self.policy)
        }
        learn(Self.carried(2, from: 10, next: "other", told: 10), at: 10)
        tell(.expired, Self.month("GPA.1", from: 0, to: 10, told: 11), of: first, at: 11)
        #expect(credits(Sample.alice, at: 11) == 40)
        learn(Self.carried(2, from: 10, next: nil, told: 12), at: 12)
        #expect(credits(Sample.alice, at: 13) == 40)
        learn(Self.carried(3, from: 15, next: "third", told: 15), at: 15)
        #expect(credits(Sample.alice, at: 16) == 40)
    }

    /// What Google says of a pass for 30 days: bought, or, with `code`, revoked or never paid.
    private static func pass(_ code: StatusCode, told: Int64) -> Fact {
        var one = TransactionFact(
            id: "GPA.1",
            version: Sample.version(told),
            productID: "pass",
            purchased: Sample.start
        )
        one.kind = TransactionFact.oneTimeKind
        one.reason = "PURCHASE"
        one.token = Sample.token(1)
        if code == .revoked { one.revoked = Sample.after(told) }
        return Fact(
            snapshotOf: key("t", of: .googlePlay),
            status: StatusFact(version: one.version, code),
            transactions: [one]
        )
    }

    private static let passes = {
        var plan = Policy.Plan(name: "pass")
        plan.products = ["google_play:pass"]
        plan.days = ["google_play:pass": 30]
        plan.unlimited = ["render"]
        plan.creditsPerPeriod = 20
        var source = Policy.Source()
        source.plans = [plan]
        return source
    }()

    /// The message of a refund may come before the state that shows it, behind it, or never.
    @Test(arguments: [[1, 2, 3], [1, 3, 2], [3, 1, 2], [1, 3], [2, 1, 3], [3, 2]])
    mutating func `a refunded pass is shown as revoked and keeps no credits`(order: [Int]) {
        var voided = Fact(key: Self.key("t", of: .googlePlay))
        voided.revocations = [
            RevocationFact(
                transactionID: "GPA.1",
                version: Sample.version(2),
                revoked: Sample.after(2)
            )
        ]
        let said = [Self.pass(.active, told: 1), voided, Self.pass(.revoked, told: 3)]
        for number in order {
            let policy = Policy(Self.passes, numbering: ledger.numbering)
            _ = ledger.submit(.learn([said[number - 1]]), at: Sample.after(3), under: policy)
            if order.first == 1, number == 1 { #expect(credits(Sample.alice, at: 3) == 20) }
        }
        #expect(credits(Sample.alice, at: 4) == 0)
        let policy = Policy(Self.passes, numbering: ledger.numbering)
        let met = ledger.accounts[Sample.alice]?.answer
            .decision(ofCost: 1, at: Sample.after(4), under: policy, sandboxes: .all)
        #expect(met?.status == .revoked && met?.hasAccess == false)
    }

    @Test(arguments: [StatusCode.pending, .expired])
    mutating func `a pass that was never paid is shown nowhere`(_ code: StatusCode) {
        let policy = Policy(Self.passes, numbering: ledger.numbering)
        _ = ledger.submit(.learn([Self.pass(code, told: 1)]), at: Sample.after(3), under: policy)
        #expect(credits(Sample.alice, at: 4) == 0)
        #expect(ledger.accounts[Sample.alice]?.answer.slots.isEmpty == true)
    }

    /// A state of a subscription with these products, numbered as Google's answer has them.
    private static func items(_ products: [String], told: Int64) -> Fact {
        let bought = products.enumerated()
            .map { number, product in
                let id = number == 0 ? "GPA.1" : "GPA.1:\(product)"
                var one = month(id, from: 0, to: 30, told: told)
                one.productID = product
                one.purchased = Sample.start.advanced(byMilliseconds: -Int64(number))
                return one
            }
        return Fact(
            snapshotOf: key("t", of: .googlePlay),
            status: StatusFact(version: Sample.version(told), .active),
            transactions: bought
        )
    }

    @Test(arguments: [
        [["best", "other"], ["other", "best"], ["best", "other"]], [["best"], ["addon", "best"]],
        [["addon", "best"], ["best"]], [["addon", "best"], ["best"], ["addon", "best"]],
    ])
    mutating func `an item gives once for a payment, whatever its number`(states: [[String]]) {
        for (told, products) in zip(Int64(1)..., states) {
            let fact = Self.items(products, told: told)
            _ = ledger.submit(.learn([fact]), at: Sample.after(told), under: Self.policy)
            #expect(credits(Sample.alice, at: told) == 100, "\(told)")
        }
        var voided = Fact(key: Self.key("t", of: .googlePlay))
        voided.revocations = [
            RevocationFact(
                transactionID: "GPA.1",
                version: Sample.version(9),
                revoked: Sample.after(9)
            )
        ]
        _ = ledger.submit(.learn([voided]), at: Sample.after(9), under: Self.policy)
        #expect(credits(Sample.alice, at: 10) == 0)
    }

    @Test func `a user whom a store names is folded as callers' ids are`() throws {
        var source = Policy.Source()
        source.userIDIsToken = true
        let policy = Policy(source, numbering: Numbering())
        let text = "3F2A0000-0000-4000-8000-00000000000B"
        var fact = Fact(key: Self.key("sub_1", of: .stripe))
        let user = try #require(UserID(text))
        fact.user = UserFact(user: user, version: Sample.version(0))
        for kind in [Command.Kind.learn([fact]), .record(Sample.notification(1, [fact]))] {
            let folded = kind.folded(under: policy).facts.first?.user?.user
            #expect(folded == UserID(text.lowercased()))
            #expect(kind.folded(under: Self.policy).facts.first?.user?.user == user)
        }
    }

    /// A refund that is reversed late must find what the period gave.
    @Test func `a period is forgotten 60 days after its end, but not one that was refunded`() {
        let end = Sample.after(30)
        func isForgotten(after days: Int64, takenBack: Int64?) -> Bool {
            let pack = Pack(
                user: Sample.alice,
                source: "period:monthly",
                amount: 100,
                period: 1,
                from: Sample.start,
                until: end,
                takenBack: takenBack
            )
            return pack.isOver(at: end.advanced(byMilliseconds: days * Sample.day))
        }
        #expect(!isForgotten(after: 59, takenBack: nil) && isForgotten(after: 60, takenBack: nil))
        #expect(!isForgotten(after: 700, takenBack: 0))
    }
}
