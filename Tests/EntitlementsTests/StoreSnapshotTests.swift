import Testing

@testable import Entitlements

/// Facts of stores that answer with whole states.
@Suite struct StoreSnapshotTests {
    private let key = SubscriptionKey(store: .googlePlay, environment: .production, originalID: "t")
    private let policy = StoreStory.policy

    private func month(
        _ id: String = "GPA.1",
        at day: Int64 = 0,
        told: Int64 = 0,
        _ number: UInt64 = 0
    ) -> TransactionFact {
        var one = Sample.month(id, at: day, product: "best", token: Sample.token(1))
        one.version = Sample.version(told, number)
        one.reason = "PURCHASE"
        return one
    }

    private func state(
        _ code: StatusCode,
        _ one: TransactionFact,
        autoRenew: Bool? = true,
        graceDay: Int64? = nil,
        of key: SubscriptionKey? = nil
    ) -> Fact {
        var renewal = RenewalFact(version: one.version)
        renewal.autoRenew = autoRenew
        renewal.graceUntil = graceDay.map { Sample.after($0) }
        return Fact(
            snapshotOf: key ?? self.key,
            status: StatusFact(version: one.version, code, word: "\(code)"),
            transactions: [one],
            renewal: renewal
        )
    }

    /// The account of alice, who has the token, after these facts.
    private func desk(
        after facts: [Fact],
        _ policy: Policy? = nil,
        then commands: [Command.Kind] = []
    ) -> Desk {
        let policy = policy ?? self.policy
        var desk = Desk(numbering: Numbering(names: StoreStory.productNames))
        for user in [Sample.alice, Sample.bob] {
            desk.accounts.lay(nil, at: user)
            desk.merges.lay(nil, at: user)
        }
        for number in 1...2 { desk.tokens.lay(nil, at: Sample.token(UInt64(number))) }
        for id in ["t", "t2"] {
            desk.subscriptions.lay(nil, at: SubscriptionKey(key, originalID: id))
            for order in ["GPA.1", "GPA.2"] {
                let pack = PackKey(
                    store: .googlePlay,
                    environment: .production,
                    transactionID: order
                )
                desk.packs.lay(nil, at: pack)
            }
        }
        var kinds = [Sample.register(Sample.alice, Sample.token(1))]
        kinds += facts.map { .learn([$0]) } + commands
        for (seq, kind) in kinds.enumerated() {
            let command = Command(seq: UInt64(seq), at: Sample.start, kind: kind)
            for event in command.ruling(on: desk, under: policy).events {
                desk.absorb(event, at: command.at, seq: command.seq)
            }
        }
        return desk
    }

    private func decision(_ facts: [Fact], onDay day: Int64, _ hours: Int64 = 0) -> Decision? {
        desk(after: facts).accounts[Sample.alice]?.answer
            .decision(
                ofCost: 1,
                at: Sample.after(day).advanced(byMilliseconds: hours * 3_600_000),
                under: policy,
                sandboxes: .all
            )
    }

    struct Row: Sendable {
        let code: StatusCode
        var autoRenew: Bool? = true
        var grace: Int64?
        var told: Int64 = 0
        let day: Int64
        let status: Decision.Status
        let gives: Bool
    }

    @Test(arguments: [
        Row(code: .active, day: 29, status: .subscribed, gives: true),
        Row(code: .active, autoRenew: false, day: 29, status: .cancelled, gives: true),
        Row(code: .active, autoRenew: false, day: 30, status: .expired, gives: false),
        // Where a store puts the end off itself, all of it is grace.
        Row(code: .grace, day: 29, status: .gracePeriod, gives: true),
        Row(code: .grace, grace: 37, day: 36, status: .gracePeriod, gives: true),
        Row(code: .grace, grace: 37, day: 37, status: .billingRetry, gives: false),
        Row(code: .retry, told: 31, day: 40, status: .billingRetry, gives: false),
        Row(code: .retry, told: 31, day: 90, status: .expired, gives: false),
        Row(code: .paused, told: 31, day: 400, status: .paused, gives: false),
        Row(code: .expired, told: 31, day: 32, status: .expired, gives: false),
        // An end in the future is none where the store says that it is over.
        Row(code: .expired, told: 5, day: 6, status: .expired, gives: false),
        Row(code: .paused, told: 5, day: 6, status: .paused, gives: false),
        Row(code: .revoked, told: 5, day: 6, status: .revoked, gives: false),
        Row(code: .pending, day: 1, status: .pending, gives: false),
    ])
    func `a state is worth what its row says`(_ row: Row) {
        let fact = state(
            row.code,
            month(told: row.told),
            autoRenew: row.autoRenew,
            graceDay: row.grace
        )
        let met = decision([fact], onDay: row.day)
        #expect(met?.status == row.status && met?.hasAccess == row.gives)
        if !row.gives {
            let reasons: [Decision.Status: Decision.Reason] = [
                .expired: .expired, .billingRetry: .billingRetry, .paused: .paused,
                .revoked: .revoked, .pending: .pending,
            ]
            #expect(met?.reason == reasons[row.status])
        }
    }

    @Test func `a pause within what is paid leaves its end, whenever the store is asked`() {
        let paused = [5, 9].map { state(.paused, month(told: $0)) }
        for order in [paused, Array(paused.reversed())] {
            var subscription = Subscription(key: key)
            for fact in order { _ = subscription.merge(fact) }
            #expect(subscription.era(at: Sample.after(10))?.paidUntil == Sample.after(30))
            #expect(decision(order, onDay: 10)?.status == .paused)
            #expect(decision(order, onDay: 31)?.status == .paused)
        }
    }

    /// The whole refund of the order `GPA.1`, on day 3.
    private var voided: Fact {
        var voided = Fact(key: key)
        voided.revocations = [
            RevocationFact(
                transactionID: "GPA.1",
                version: Sample.version(3),
                revoked: Sample.after(3)
            )
        ]
        return voided
    }

    @Test func `what was withdrawn stays so, and the next period is not`() {
        let first = state(.active, month())
        let again = state(.active, month(told: 9))
        #expect(decision([voided, first], onDay: 4)?.status == .revoked)
        #expect(decision([first, voided, again], onDay: 10)?.status == .revoked)
        let next = state(.active, month("GPA.1..0", at: 30, told: 30))
        #expect(decision([first, voided, next], onDay: 31)?.status == .subscribed)
    }

    @Test func `Google never takes a refund back`() {
        let first = state(.active, month())
        var given = voided
        given.revocations[0].version = Sample.version(12)
        given.revocations[0].revoked = nil
        #expect(decision([given, first, voided], onDay: 13)?.status == .revoked)
    }

    @Test func `a whole refund of Google is no smaller where a part is stated later`() {
        let first = state(.active, month())
        var part = state(.active, month(told: 4))
        part.transaction?.revoked = Sample.after(4)
        part.transaction?.terms.revocationPercentage = 33_333
        for order in [[first, voided, part], [part, voided, first], [voided, part, first]] {
            var subscription = Subscription(key: key)
            for fact in order { _ = subscription.merge(fact) }
            let kept = subscription.transactions.first
            #expect(kept?.revoked == Sample.after(3) && kept?.revokedShare == 100_000)
        }
    }

    /// The order was withdrawn; an answer that is older than that, and came later, says less of one
    /// of its items.
    @Test(arguments: [nil, 100_000] as [Int64?])
    func `a whole order of Google is no smaller where a part of an item is stated`(whole: Int64?) {
        var item = month("GPA.1:x", told: 4)
        item.revoked = Sample.after(4)
        item.terms.revocationPercentage = 50_000
        let part = Fact(
            snapshotOf: key,
            status: StatusFact(version: item.version, .active, word: "active"),
            transactions: [month(told: 4), item]
        )
        var order = voided
        order.revocations[0].share = whole
        if whole != nil { order.revocations[0].transactionID = "GPA.1:x" }
        for facts in [[part, order], [order, part]] {
            var subscription = Subscription(key: key)
            for fact in facts { _ = subscription.merge(fact) }
            let kept = subscription.transactions.first { $0.id == "GPA.1:x" }
            #expect(kept?.revokedShare == 100_000)
        }
    }

    @Test func `a purchase that is linked to an older one takes its place, once it is paid`() {
        let newKey = SubscriptionKey(key, originalID: "t2")
        var one = month("GPA.2", at: 10, told: 10)
        one.token = nil
        let pending = state(.pending, one, of: newKey)
        one.version = Sample.version(11)
        let cancelled = state(.expired, one, of: newKey)
        one.terms.previousOriginalID = "t"
        let paid = state(.active, one, of: newKey)
        let old = state(.active, month())
        for order in [[old, pending], [old, pending, cancelled], [cancelled, pending, old]] {
            let before = desk(after: order)
            let era = before.subscriptions[key]?.era(at: Sample.after(12))
            #expect(era?.paidUntil == Sample.after(30) && era?.marks.contains(.renews) == true)
            let status = before.accounts[Sample.alice]?.answer
                .decision(ofCost: 1, at: Sample.after(12), under: policy, sandboxes: .all)
            #expect(status?.hasAccess == true && status?.status == .subscribed)
        }
        for order in [[old, pending, paid], [paid, old], [paid, pending, old]] {
            let after = desk(after: order)
            #expect(after.subscriptions[newKey]?.owner == Sample.alice)
            let era = after.subscriptions[key]?.era(at: Sample.after(12))
            #expect(era?.paidUntil == Sample.after(10) && era?.marks.contains(.renews) == false)
            let account = after.accounts[Sample.alice]
            #expect(account?.answer.paysTwice(at: Sample.after(12), under: policy) == false)
        }
    }

    @Test func `what a purchase takes the place of decides last, whichever was told of first`() {
        let newKey = SubscriptionKey(key, originalID: "t2")
        let old = state(.active, month(at: 20, told: 20))
        func renewal(_ token: Token?, _ reason: String) -> Fact {
            var one = month("GPA.2", at: 10, told: 21)
            (one.token, one.reason) = (token, reason)
            one.terms.previousOriginalID = "t"
            return state(.active, one, of: newKey)
        }
        let rows: [(new: Fact, owner: UserID, link: UserID?)] = [
            (renewal(nil, "RENEWAL"), Sample.alice, Sample.alice),
            (renewal(Sample.token(2), "PURCHASE"), Sample.bob, nil),
            (renewal(Sample.token(2), "RENEWAL"), Sample.bob, nil),
        ]
        for row in rows {
            for order in [[old, row.new], [row.new, old]] {
                let late = [Sample.register(Sample.bob, Sample.token(2))]
                let after = desk(after: order, then: late).subscriptions[newKey]
                #expect(after?.owner == row.owner && after?.link == row.link)
            }
        }
    }

    /// The purchase names an account that had gone into theirs; another user shares it, and a token
    /// of a third stands on it.
    @Test func `of whoever is erased the first one who shares it has it, whatever named them`() {
        let (first, second) = (Sample.alice, UserID("alice's second name"))
        guard let second else { return }
        for owner in [first, second] {
            var made = Subscription(key: key)
            _ = made.merge(state(.active, month()))
            let version = Sample.version(0)
            made.named = [UserFact(user: first, version: version)]
            made.owner = owner
            made.sharers = [Sample.bob, UserID("carol") ?? Sample.bob]
            made.forget([first, second], [])
            #expect(made.link == Sample.bob && made.named.isEmpty && made.sharers.count == 1)
        }
        var others = Subscription(key: key)
        others.owner = Sample.bob
        others.sharers = [first, second]
        others.forget([first, second], [])
        #expect(others.link == nil && others.sharers.isEmpty && others.owner == Sample.bob)
    }

    @Test func `two that renew are told`() {
        let other = SubscriptionKey(key, originalID: "t2")
        let facts = [state(.active, month()), state(.active, month("GPA.2"), of: other)]
        let account = desk(after: facts).accounts[Sample.alice]
        #expect(account?.answer.paysTwice(at: Sample.after(12), under: policy) == true)
        let off = state(.active, month("GPA.2", told: 2), autoRenew: false, of: other)
        let later = desk(after: facts + [off]).accounts[Sample.alice]
        #expect(later?.answer.paysTwice(at: Sample.after(12), under: policy) == false)
    }

    @Test func `a pack credits once for an order, times the quantity, and not before it is paid`() {
        var source = policy.source
        source.creditPacks = ["google_play:ten": 10]
        let policy = Policy(source)
        func pack(_ code: StatusCode, told: Int64) -> Fact {
            var one = month(told: told)
            one.productID = "ten"
            one.kind = TransactionFact.oneTimeKind
            one.expires = nil
            one.quantity = 2
            return Fact(
                snapshotOf: key,
                status: StatusFact(version: one.version, code),
                transactions: [one]
            )
        }
        func credits(_ facts: [Fact]) -> Int64? {
            desk(after: facts, policy).accounts[Sample.alice]?.purse.balance(at: Sample.start)
        }
        #expect(credits([pack(.pending, told: 0)]) == 0)
        #expect(credits([pack(.expired, told: 1)]) == 0)
        let paid = pack(.active, told: 1)
        #expect(credits([pack(.pending, told: 0), paid, paid, pack(.active, told: 2)]) == 20)
        var voided = Fact(key: key)
        voided.revocations = [
            RevocationFact(
                transactionID: "GPA.1",
                version: Sample.version(3),
                revoked: Sample.start
            )
        ]
        #expect(credits([paid, voided]) == 0)
        #expect(credits([voided, paid]) == 0)
    }

    @Test func `fifty items of one state count, and no more`() {
        let key = SubscriptionKey(store: .stripe, environment: .production, originalID: "sub_1")
        for count in [50, 51] {
            let items = (0..<count)
                .map { number in
                    var one = month("in_1:\(number)")
                    one.terms.variant = "price_\(number)"
                    return one
                }
            let fact = Fact(
                snapshotOf: key,
                status: StatusFact(version: Sample.version(0), .active),
                transactions: items
            )
            var subscription = Subscription(key: key)
            _ = subscription.merge(fact)
            let eras = subscription.eras(from: Sample.after(1))
            #expect(eras.count == min(count, Limits.statedItemsMax))
            #expect(eras.dropFirst().allSatisfy { $0.marks.isBeside })
        }
    }

    @Test func `each of fifty items that a state calls revoked stays so`() {
        let key = SubscriptionKey(store: .googlePlay, environment: .production, originalID: "t")
        var subscription = Subscription(key: key)
        for (day, isRevoked) in [(0, true), (1, false)] as [(Int64, Bool)] {
            let items = (0..<Limits.statedItemsMax)
                .map { number in
                    var one = month("GPA.\(number)", told: day)
                    one.purchased = Sample.after(-Int64(number))
                    one.revoked = isRevoked ? Sample.after(0) : nil
                    return one
                }
            let fact = Fact(
                snapshotOf: key,
                status: StatusFact(version: Sample.version(day), .active),
                transactions: items
            )
            let isNewer = subscription.merge(fact)
            #expect(isNewer)
            #expect(subscription.transactions.allSatisfy { $0.revoked != nil })
        }
        #expect(subscription.transactions.count == Limits.statedItemsMax)
    }

    @Test func `whoever is named first has it, and the name opens an account`() {
        func named(_ user: UserID, _ day: Int64) -> Fact {
            var one = month(told: day)
            one.token = nil
            var fact = state(.active, one)
            fact.user = UserFact(user: user, version: Sample.version(day))
            return fact
        }
        for order: [Int64] in [[1, 2], [2, 1]] {
            let facts = order.map { named($0 == 1 ? Sample.bob : Sample.alice, $0) }
            let after = desk(after: facts)
            #expect(after.subscriptions[key]?.owner == Sample.bob)
            #expect(after.accounts[Sample.bob]?.subscriptions == [key])
        }
    }

    @Test func `an account id is a token`() {
        let uuid = "C0FFEE00-1234-4bcd-8abc-0123456789ab"
        let digest = Digest256(0x0123_4567_89ab_cdef, 0xfedc_ba98_7654_3210, 1, 2)
        #expect(Token(accountID: uuid, sha256: digest) == Token(uuid))
        let hex = "0123456789abcdeffedcba98765432100000000000000001" + "0000000000000002"
        let other = Digest256(9, 9, 9, 9)
        #expect(Token(accountID: hex, sha256: other) == Token(derivedFrom: digest))
        #expect(Token(accountID: hex.uppercased(), sha256: other) == Token(derivedFrom: other))
        #expect(Token(accountID: "u-815", sha256: other) == Token(derivedFrom: other))
        #expect(
            Token(derivedFrom: digest)?.description == "01234567-89ab-8def-bedc-ba9876543210"
        )
        #expect(Token(accountID: "", sha256: other) == nil)
    }
}
