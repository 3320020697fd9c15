import Chance
import Entitlements
import Glibc
import Journal
import TestSupport
import Testing

@testable import Ledger

/// The past of a user, entered at any place, is what the whole journal makes of it.
struct HistoryTests {
    private let hands = HandClock()
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    /// What a replay of the whole journal makes of every account, after each entry that changed it.
    private struct Lives {
        private(set) var accounts: [UserID: [(seq: UInt64, account: Account?)]] = [:]
        private(set) var subscriptions: [SubscriptionKey: [(seq: UInt64, kept: Subscription?)]] =
            [:]
        private(set) var moments: [(seq: UInt64, at: Moment, stamp: Moment)] = []

        init(_ directory: String) throws {
            var desk = Desk()
            desk.isFollowed = true
            var lives = (accounts, subscriptions)
            var moments = moments
            _ = try Segments.readEach(directory: directory + "/journal", afterSeq: 0) { entry, _ in
                let now = try desk.absorb(entry, from: EmptySource())
                moments.append((entry.seq, now, Moment(entry.moment)))
                for (user, _) in desk.touched {
                    lives.0[user, default: []].append((entry.seq, desk.accounts[user]))
                }
                for (key, _) in desk.touchedSubscriptions {
                    lives.1[key, default: []].append((entry.seq, desk.subscriptions[key]))
                }
            }
            (accounts, subscriptions) = lives
            self.moments = moments
        }

        func account(_ user: UserID, at place: UInt64) -> Account? {
            accounts[user]?.last { $0.seq <= place }?.account
        }

        func subscription(_ key: SubscriptionKey, at place: UInt64) -> Subscription? {
            subscriptions[key]?.last { $0.seq <= place }?.kept
        }
    }

    private func opened(pace: MilestonePace = .quick) throws -> Ledger {
        try open(
            scratch.store,
            clock: hands.clock,
            segmentBytesMax: WriterBench.smallLimits.segmentBytesMax,
            milestones: pace
        )
    }

    /// Random lives of few users, whose clock is set back now and then.
    private func live(
        batches: Int,
        erases: Bool,
        migrates: Bool = false,
        statesWhole: Bool = false,
        crowd: Crowd = .few,
        round: Int = 0,
        seed: UInt64? = nil
    ) throws {
        let seed = seed.map { $0 &+ UInt64(round) << 32 } ?? Seed.told(round: round)
        var maker = try StreamMaker(random: SplitMix64(seed: seed), hands: hands, crowd: crowd)
        maker.erases = erases
        maker.showsAppTransactions = !erases
        maker.migrates = migrates
        maker.statesWhole = statesWhole
        let hands = hands
        let stream = Stream(maker, batches: batches, countMax: 8)
        let bench = try WriterBench(scratch.store, clock: hands.clock, source: try source(maker))
        let round = Notebook<Int>()
        let gaveUp = bench.run { said in
            round.note(0)
            // Far ahead for some time, and back again; the clock is trusted again after 5 s.
            switch round.notes.count % 40 {
            case 11: hands.jump(3 * day)
            case 19: hands.jump(-3 * day)
            case 12, 20: hands.advance(6_000)
            default: break
            }
            return stream.next(said)
        }
        #expect(gaveUp == nil)
    }

    private func source(_ maker: StreamMaker) throws -> Policy.Source {
        var maker = maker
        return maker.source()
    }

    /// Expects of the past of everybody, begun at each place behind `border`, what `lives` says.
    private func expectPasts(
        _ ledger: Ledger,
        _ lives: Lives,
        after border: UInt64 = 0,
        every stride: Int = 1
    ) throws -> Int {
        var compared = 0
        // What a lease that ended with the writer has left stands behind what was read.
        let last = lives.moments.last?.seq ?? 0
        for (user, states) in lives.accounts {
            for (index, state) in states.enumerated()
            where state.seq > border && index % stride == 0 {
                for place in [state.seq, state.seq + 1] where place <= last {
                    try ledger.look { reader in
                        guard try reader.account(of: user) != nil else { return }
                        var past = try reader.past(of: user, before: place)
                        #expect(past.seq <= place)
                        while let step = try past.next(), step.seq <= place { try past.takeStep() }
                        expectSame(past, user, lives, at: place)
                        compared += 1
                    }
                }
            }
        }
        return compared
    }

    private func expectSame(_ past: Past, _ user: UserID, _ lives: Lives, at place: UInt64) {
        // Of a life before an erasure nothing is told under the name that came again.
        guard let known = lives.account(user, at: place) else { return }
        guard var found = past.account else {
            Issue.record("\(user) at \(place) is not there")
            return
        }
        var expected = known
        // Not needed for what is told: first answers, and where the chain can be entered.
        (found.firstAnswers, expected.firstAnswers) = ([], [])
        (found.chain, expected.chain) = (Chain(), Chain())
        #expect(found == expected, "\(user) at \(place)")
        for key in expected.subscriptions {
            guard let one = lives.subscription(key, at: place) else { continue }
            let other = past.subscription(of: key)
            #expect(other?.transactions == one.transactions, "\(user) at \(place): \(key)")
            #expect(other?.renewal == one.renewal && other?.status == one.status, "\(key)")
            #expect(other?.lastSeq == one.lastSeq, "\(user) at \(place): \(key)")
        }
    }

    @Test(arguments: 0..<4) func `a past begun at any place is what the whole journal makes`(
        _ round: Int
    ) throws {
        try live(batches: 160, erases: false, migrates: round % 2 == 1, round: round)
        let lives = try Lives(scratch.store)
        let ledger = try opened()
        #expect(try expectPasts(ledger, lives) > 100)
        let milestones = try ledger.look { reader in
            try reader.rows(of: .accounts, count: 100)
                .compactMap { row -> UInt32? in
                    guard case .account(let account) = row.value else { return nil }
                    return account.chain.count
                }
        }
        #expect(milestones.max() ?? 0 > 8, "or it says nothing of milestones: \(milestones)")
        ledger.stop()
        try expectClean(scratch.store)
    }

    @Test(arguments: 0..<6) func `and so it is where others were erased`(_ round: Int) throws {
        try expectPastsAmongErased(round)
    }

    /// Once a purchase was linked to an account that had gone into one that went into another, and
    /// once a purchase named an account that had gone into the one that was erased.
    @Test(arguments: [(107, 1), (18, 4)] as [(UInt64, Int)])
    func `and so it is where a past was wrong once`(seed: UInt64, round: Int) throws {
        try expectPastsAmongErased(round, seed: seed)
    }

    private func expectPastsAmongErased(_ round: Int, seed: UInt64? = nil) throws {
        try live(
            batches: 240,
            erases: true,
            migrates: round % 2 == 1,
            statesWhole: round > 3,
            round: round,
            seed: seed
        )
        // The first start finishes what was erased.
        try opened().stop()
        let lives = try Lives(scratch.store)
        let stores = Set(lives.subscriptions.keys.map(\.store))
        #expect(stores.count == (round > 3 ? 3 : 1))
        let ledger = try opened()
        #expect(try expectPasts(ledger, lives) > 20)
        ledger.stop()
        try expectClean(scratch.store)
    }

    @Test func `a token of whoever was erased counts until then`() throws {
        let ledger = try open(scratch.store, clock: hands.clock, milestones: MilestonePace())
        let (alice, bob, carol) = (try user("alice"), try user("bob"), try user("carol"))
        let (hers, his) = (try token(1), try token(2))
        /// A period that began on such a day.
        func period(_ number: Int, of original: String = "1000", with token: Token) -> Fact {
            let start = Moment(1_749_000_000_000 + Int64(number) * day)
            var period = TransactionFact(
                id: "\(original)\(number)",
                version: Version(signed: start, digest: digest(number)),
                productID: "pro.monthly",
                purchased: start
            )
            period.expires = start.advanced(byMilliseconds: 30 * day)
            period.kind = TransactionFact.renewingKind
            period.reason = "PURCHASE"
            period.token = token
            let key = SubscriptionKey(
                store: .appStore,
                environment: .production,
                originalID: original
            )
            return Fact(key: key, transaction: period)
        }
        func erase(_ user: UserID) throws {
            try ledger.order(.erase(ErasureOrder(user: user, secret: HashKey(1, 2))))
        }
        try ledger.order(.register(Registration(user: alice, token: hers)))
        try ledger.order(.register(Registration(user: bob, token: his)))
        try ledger.order(.learn([period(1, with: hers)]))
        let move = PurchaseMove(store: .appStore, originalID: "1000", to: carol, reason: "")
        try ledger.order(.move(move))
        // As long as it is carol's, no entry about it says whose this token is.
        try ledger.order(.learn([period(3, with: his)]))
        try erase(carol)
        // A step of her history that tells of the purchase too, which is bob's by now.
        var renewal = period(2, with: hers)
        renewal.transaction?.reason = "RENEWAL"
        let news = [renewal, period(0, of: "3000", with: hers)]
        let place = try ledger.order(.learn(news)).seq
        try erase(bob)
        try ledger.look { reader in
            var past = try reader.past(of: alice)
            while let step = try past.next(), step.seq <= place { try past.takeStep() }
            #expect(past.account?.subscriptions.map(\.originalID) == ["3000"])
            let account = try reader.account(of: alice)
            #expect(account?.subscriptions.map(\.originalID) == ["1000", "3000"])
        }
        ledger.stop()
        let lives = try Lives(scratch.store)
        let again = try opened()
        #expect(try expectPasts(again, lives) > 5)
        again.stop()
        try expectClean(scratch.store)
    }

    @Test func `what is linked to an account goes with the one that it went into`() throws {
        let ledger = try open(scratch.store, clock: hands.clock, milestones: MilestonePace())
        let (first, second, third) = (try user("user 1"), try user("user 2"), try user("user 3"))
        let from = Int64(1_749_000_000_000)
        let key = SubscriptionKey(store: .appStore, environment: .production, originalID: "1000")
        func bought(_ id: String, on number: Int64, signed: Int64, with token: Token?) -> Fact {
            var bought = TransactionFact(
                id: id,
                version: Version(signed: Moment(from + signed * day), digest: digest(1)),
                productID: "pro.monthly",
                purchased: Moment(from + number * day)
            )
            bought.expires = bought.purchased.advanced(byMilliseconds: 30 * day)
            bought.kind = TransactionFact.renewingKind
            bought.reason = "PURCHASE"
            bought.token = token
            return Fact(key: key, transaction: bought)
        }
        for number in [1, 2, 4] { try ledger.order(try registration(number)) }
        let shown = bought("1001", on: 1, signed: 1, with: nil)
        try ledger.order(.link(Purchase(user: first, facts: [shown], claimed: [])))
        // Another user has it when the account goes, so the merger does not name it.
        try ledger.order(.learn([bought("1002", on: 3, signed: 3, with: try token(4))]))
        try ledger.order(try WholeStore.merger("user 1", "user 2"))
        try ledger.order(.learn([bought("1002", on: 0, signed: 4, with: try token(9))]))
        #expect(try ledger.account(second)?.subscriptions == [key])
        let place = try ledger.order(try WholeStore.merger("user 2", "user 3")).seq
        try ledger.look { reader in
            #expect(try reader.subscription(of: key)?.link == first)
            var past = try reader.past(of: third)
            while let step = try past.next(), step.seq <= place { try past.takeStep() }
            #expect(past.account?.subscriptions == [key])
        }
        ledger.stop()
        try expectClean(scratch.store)
    }

    @Test(arguments: 0..<2) func `and so it is behind the border of what was pruned`(
        _ round: Int
    ) throws {
        try live(batches: 160, erases: false, migrates: round == 1, round: round)
        let lives = try Lives(scratch.store)
        let ledger = try opened()
        let middle = lives.moments[lives.moments.count / 2].stamp
        let report = try ledger.prune(olderThan: middle, reserveBytes: 0)
        guard case .pruned(_, let border) = report else {
            Issue.record("\(report)")
            return
        }
        #expect(try expectPasts(ledger, lives, after: border.seq) > 20)
        ledger.stop()
        try expectClean(scratch.store)
    }

    @Test func `the last step that was judged at a moment or before is found`() throws {
        try live(batches: 160, erases: false)
        let lives = try Lives(scratch.store)
        let at = Dictionary(uniqueKeysWithValues: lives.moments.map { ($0.seq, $0.at) })
        #expect(zip(lives.moments, lives.moments.dropFirst()).contains { $0.at > $1.at })
        let ledger = try opened()
        // What a lease that ended with the writer has left stands behind what was read, and before
        // what is asked first.
        try ledger.order(.revokeGrant(.init(user: try user("nobody"), grant: 0, reason: "")))
        let last = lives.moments.last?.seq ?? 0
        var compared = 0
        for (user, states) in lives.accounts {
            let steps = try ledger.history(of: user).steps
                .filter { step in
                    step.seq > last || states.contains { $0.seq == step.seq }
                }
            for moment in Set(steps.map(\.at)) {
                for moment in [moment, moment.advanced(byMilliseconds: -1)] {
                    let found = try ledger.look {
                        try $0.past(of: user).lastStep(at: moment)
                    }
                    let expected = steps.last { (at[$0.seq] ?? $0.at) <= moment }?.seq
                    #expect(found == expected, "\(user) at \(moment)")
                    compared += 1
                }
            }
        }
        #expect(compared > 100)
        ledger.stop()
    }

    @Test func `whose others' tokens were is looked for once, not for each step`() throws {
        let ledger = try open(scratch.store, clock: hands.clock, milestones: MilestonePace())
        let (alice, bob) = (try user("alice"), try user("bob"))
        let (hers, his) = (try token(1), try token(2))
        try ledger.order(.register(Registration(user: alice, token: hers)))
        /// The purchase is alice's, and a token that is bob's later stands on each renewal.
        func renewal(_ number: Int) -> Fact {
            let start = Moment(1_750_000_000_000 + Int64(number) * day)
            var period = TransactionFact(
                id: "\(1_000 + number)",
                version: Version(signed: start, digest: digest(number)),
                productID: "pro.monthly",
                purchased: start
            )
            period.expires = start.advanced(byMilliseconds: day)
            period.kind = "Auto-Renewable Subscription"
            period.reason = "RENEWAL"
            period.token = his
            let key = SubscriptionKey(
                store: .appStore,
                environment: .production,
                originalID: "1000"
            )
            return Fact(key: key, transaction: period)
        }
        var first = renewal(0)
        first.transaction?.token = hers
        first.transaction?.reason = "PURCHASE"
        try ledger.order(.link(Purchase(user: alice, facts: [first], claimed: [])))
        for number in 1...200 { try ledger.order(.learn([renewal(number)])) }
        try ledger.order(.register(Registration(user: bob, token: his)))
        let gift = CreditOrder(
            user: bob,
            amount: 1_000,
            key: IdempotencyKey(user: bob, digest: digest(1)),
            fingerprint: digest(1),
            until: nil,
            source: "gift",
            reason: "",
            isAdjustment: false
        )
        try ledger.order(.credit(gift))
        let charges = (2..<1_000)
            .map { number in
                Command.Kind.charge(
                    Charge(
                        user: bob,
                        amount: 1,
                        key: IdempotencyKey(user: bob, digest: digest(number)),
                        fingerprint: digest(number)
                    )
                )
            }
        try ledger.orderTogether(charges)
        for number in 201...210 { try ledger.order(.learn([renewal(number)])) }
        let (steps, decoded) = try ledger.look { reader in
            var past = try reader.past(of: alice)
            var count = 0
            while try past.next() != nil {
                try past.takeStep()
                count += 1
            }
            let account = try reader.account(of: alice)
            #expect(past.account?.answer.slots == account?.answer.slots)
            #expect(past.account?.subscriptions == account?.subscriptions)
            return (count, reader.journalEntriesDecoded)
        }
        #expect(steps >= 211)
        // Her own, and of his the windows and milestones that lead to one entry.
        let windows = 8 * Int(LedgerLimits.milestoneEntries)
        #expect(decoded <= steps + windows + 4 * UInt32.bitWidth, "\(decoded)")
        ledger.stop()
    }

    @Test func `replayed from nothing, everybody's milestones are where they were`() throws {
        try live(batches: 80, erases: false)
        let stored = try storedRows(scratch.store)
        let rebuilt = try rebuiltRows(scratch.store, in: scratch.path + "/rebuilt")
        #expect(differences(stored, rebuilt) == [])
    }
}
