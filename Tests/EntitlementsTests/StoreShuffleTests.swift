import Chance
import Entitlements
import Testing

/// The laws of `ShuffleTests` for stores that answer with whole states, and for lives that mix
/// them.
@Suite struct StoreShuffleTests {
    static let storiesCount = 150
    static let ordersCount = 20
    static let seed = Seed.told()
    private let policy = StoreStory.policy

    @Test func `any order of states, withdrawals and documents ends in the same accounts`() {
        for number in 0..<Self.storiesCount {
            let story = StoreStory(seed: Self.seed &+ UInt64(number))
            var random = SplitMix64(seed: ~story.seed)
            let expected = told(story, story.facts)
            for _ in 0..<Self.ordersCount {
                var order = story.facts
                for _ in 0..<random.pick(0..<4) { order.append(random.pick(order)) }
                for place in stride(from: order.count - 1, to: 0, by: -1) {
                    order.swapAt(place, random.pick(0..<place + 1))
                }
                guard isSame(told(story, order), expected, story) else { return }
            }
        }
    }

    @Test func `the flat answer is what the newest states say, at every later moment`() {
        var compared = 0
        for number in 0..<Self.storiesCount {
            let story = StoreStory(seed: Self.seed &+ UInt64(number))
            let desk = told(story, story.facts)
            for user in story.users {
                let fold = StoreFold(story, desk, policy)
                guard let account = desk.accounts[user], fold.covers(user) else { continue }
                compared += 1
                for day in stride(from: Int64(0), through: 240, by: 3) {
                    let now = Sample.after(Self.toldDay + day)
                    let decision = account.answer.decision(
                        ofCost: 1,
                        at: now,
                        under: policy,
                        sandboxes: .all
                    )
                    let wanted = fold.verdict(on: user, at: now)
                    let shown = account.key(shownBy: decision)
                    guard wanted.gives == decision.hasAccess,
                        wanted.allows(decision.status, shownBy: shown)
                    else {
                        Issue.record("seed \(story.seed), \(user), day \(day): \(decision)")
                        Issue.record("\(wanted), shown \(shown as Any)")
                        return
                    }
                }
            }
        }
        #expect(compared > Self.storiesCount / 2)
    }

    /// Half of all messages are lost, the rest come in any order and some twice; then a sweep asks
    /// every store.
    @Test func `whatever was lost of three stores, a sweep ends in what they say`() async {
        let orders = await withTaskGroup(of: Int.self) { group in
            let lanes = 2
            for lane in 0..<lanes {
                group.addTask {
                    stride(from: lane, to: Self.storiesCount, by: lanes)
                        .reduce(0) { $0 + lose(Self.seed &+ UInt64($1)) }
                }
            }
            return await group.reduce(0, +)
        }
        print("shuffles: \(orders) orders of three stores told to the end")
        #expect(orders >= ShuffleTests.ordersWanted)
    }

    /// How many orders of one story ended as they must; stops at the first that did not.
    private func lose(_ seed: UInt64) -> Int {
        let story = StoreStory(seed: seed, isComplete: true)
        #expect(Set(story.keys.map(\.store)).count == Store.allCases.count)
        var random = SplitMix64(seed: ~story.seed)
        let expected = answers(told(story, story.facts), story)
        let swept = story.swept
        for number in 0..<Self.mixedOrdersCount {
            var order = story.facts.filter { _ in random.chance() }
            if !order.isEmpty { for _ in 0..<3 { order.append(random.pick(order)) } }
            for place in stride(from: order.count - 1, to: 0, by: -1) {
                order.swapAt(place, random.pick(0..<place + 1))
            }
            let found = answers(told(story, order + swept), story)
            guard let place = found.indices.first(where: { found[$0] != expected[$0] }) else {
                continue
            }
            Issue.record("seed \(story.seed): \(found[place] as Any), not what all told says")
            Issue.record("\(expected[place] as Any)")
            return number
        }
        return Self.mixedOrdersCount
    }

    /// As many orders in all as `ENTITLD_SHUFFLES` says.
    static let mixedOrdersCount = ShuffleTests.ordersWanted / storiesCount + 1

    /// What each user is answered from then on, every few days.
    private func answers(_ desk: Desk, _ story: StoreStory) -> [Decision?] {
        story.users.flatMap { user in
            stride(from: Int64(0), through: 240, by: 8)
                .map { day in
                    desk.accounts[user]?.answer
                        .decision(
                            ofCost: 1,
                            at: Sample.after(Self.toldDay + day),
                            under: policy,
                            sandboxes: .all
                        )
                }
        }
    }

    /// When everything has been told.
    static let toldDay: Int64 = 0

    private func told(_ story: StoreStory, _ facts: [Fact]) -> Desk {
        var desk = Desk(numbering: Numbering(names: StoreStory.productNames))
        for user in story.users { desk.accounts.lay(nil, at: user) }
        for user in story.users { desk.merges.lay(nil, at: user) }
        for token in story.tokens { desk.tokens.lay(nil, at: token) }
        for key in story.keys { desk.subscriptions.lay(nil, at: key) }
        var kinds: [Command.Kind] = zip(story.users, story.tokens).map { Sample.register($0, $1) }
        kinds += facts.map { .learn([$0]) }
        for (seq, kind) in kinds.enumerated() {
            let command = Command(seq: UInt64(seq), at: Sample.after(Self.toldDay), kind: kind)
            for event in command.ruling(on: desk, under: policy).events {
                desk.absorb(event, at: command.at, seq: command.seq)
            }
        }
        return desk
    }

    private func isSame(_ desk: Desk, _ expected: Desk, _ story: StoreStory) -> Bool {
        for key in story.keys {
            var (left, right) = (desk.subscriptions[key], expected.subscriptions[key])
            left?.since = 0
            right?.since = 0
            let isEqual = left?.told(at: 0) == right?.told(at: 0)
            guard !isEqual else { continue }
            Issue.record("seed \(story.seed): \(key) depends on the order")
            return false
        }
        for user in story.users {
            let (left, right) = (desk.accounts[user], expected.accounts[user])
            let isEqual =
                left?.answer == right?.answer && left?.subscriptions == right?.subscriptions
            guard !isEqual else { continue }
            Issue.record("seed \(story.seed): the account of \(user) depends on the order")
            return false
        }
        return true
    }
}

/// What the newest states say, worked out from the list of facts alone; of whose a purchase is, the
/// desk is believed.
private struct StoreFold {
    private let story: StoreStory
    private let desk: Desk
    private let policy: Policy

    struct Verdict {
        var gives = false
        /// The best ones, none of which is better than another.
        var best: [(key: SubscriptionKey, status: Decision.Status)] = []

        func allows(_ status: Decision.Status?, shownBy key: SubscriptionKey?) -> Bool {
            if best.isEmpty { return status == nil && key == nil }
            return best.contains { $0.key == key && $0.status == status }
        }
    }

    init(_ story: StoreStory, _ desk: Desk, _ policy: Policy) {
        (self.story, self.desk, self.policy) = (story, desk, policy)
    }

    private struct Item {
        let key: SubscriptionKey
        let status: Decision.Status
        let rank: Int64
        let end: Moment
        var gives: Bool {
            [.subscribed, .cancelled, .trial, .gracePeriod].contains(status) && rank > 0
        }
    }

    /// Whether all that the user owns is known from states: documents are held to the plain fold of
    /// `ShuffleTests`.
    func covers(_ user: UserID) -> Bool {
        story.keys.allSatisfy { $0.store != .appStore || desk.owner(of: $0) != user }
    }

    func verdict(on user: UserID, at now: Moment) -> Verdict {
        let found = story.keys.filter { desk.owner(of: $0) == user }
            .flatMap { (key: SubscriptionKey) -> [Item] in self.items(of: key, at: now) }
        let best = found.max { isBetter($1, $0) }
        let ties = found.filter { item in best.map { !isBetter($0, item) } ?? false }
        return Verdict(
            gives: best?.gives ?? false,
            best: ties.map { (key: $0.key, status: $0.status) }
        )
    }

    private func isBetter(_ left: Item, _ right: Item) -> Bool {
        if left.gives != right.gives { return left.gives }
        if left.key.environment != right.key.environment {
            return left.key.environment == .production
        }
        if left.gives, left.rank != right.rank { return left.rank > right.rank }
        if !left.gives, life(left) != life(right) { return life(left) > life(right) }
        return left.end > right.end
    }

    private func life(_ item: Item) -> Int {
        let order: [Decision.Status] = [
            .revoked, .expired, .pending, .paused, .billingRetry, .subscribed,
        ]
        switch item.status {
        case .gracePeriod: return 4
        case .cancelled, .trial: return 5
        default: return order.firstIndex(of: item.status) ?? 0
        }
    }

    private func items(of key: SubscriptionKey, at now: Moment) -> [Item] {
        let facts = story.facts.filter { $0.key == key }
        let states = facts.filter { $0.status != nil }
        guard let newest = states.max(by: { version($0) < version($1) }),
            let status = newest.status,
            let code = StatusCode(rawValue: status.code)
        else { return [] }
        let replaced =
            story.facts.filter { $0.formerKey == key && $0.status != nil }
            .compactMap { $0.transaction?.purchased }.min()
        return newest.transactions.compactMap { one in
            // Of what is pending nothing is paid, whatever was said before.
            let told = code == .pending ? nil : one.expires ?? self.end(of: one, in: facts)
            var end = told ?? .distantPast
            if end == .distantPast, let grace = newest.renewal?.graceUntil {
                end = min(grace, status.version.signed)
            }
            let revoked = self.revoked(one, facts)
            let isCut = code == .paused ? replaced != nil : true
            if [.expired, .retry, .paused, .revoked].contains(code), isCut {
                let said = code == .revoked ? revoked : nil
                end = min(end, said ?? status.version.signed)
            }
            if let replaced { end = min(end, replaced) }
            let said = status.version.signed
            // At Stripe the word is about the items that are not paid.
            let isPaidAhead =
                key.store == .stripe && one.expires.map { $0 > said } ?? false
                && newest.transactions.contains { $0.expires.map { $0 <= said } ?? false }
            let code = code == .grace && isPaidAhead ? .active : code
            var words: Decision.Status
            if revoked != nil || code == .revoked {
                words = .revoked
            } else if code == .pending {
                words = .pending
            } else if code == .grace, replaced == nil,
                now < (newest.renewal?.graceUntil ?? one.expires ?? .distantPast)
            {
                words = .gracePeriod
            } else if code == .paused, replaced == nil {
                words = .paused
            } else if now < end {
                words = newest.renewal?.autoRenew == false ? .cancelled : .subscribed
            } else if code == .retry || code == .grace, replaced == nil,
                now < end.advanced(byMilliseconds: 60 * Sample.day)
            {
                words = .billingRetry
            } else {
                words = .expired
            }
            if end == .distantPast, code != .pending { return nil }
            let rank = (StoreStory.products.firstIndex(of: one.productID) ?? 0) + 1
            return Item(key: key, status: words, rank: Int64(rank), end: end)
        }
    }

    /// The end that the newest version before told of a transaction, which names none.
    private func end(of one: TransactionFact, in facts: [Fact]) -> Moment? {
        facts.flatMap(\.transactions).filter { $0.id == one.id && $0.expires != nil }
            .max { $0.version < $1.version }?
            .expires
    }

    private func version(_ fact: Fact) -> Version {
        fact.status?.version ?? Version(signed: .distantPast, digest: Sample.digest(0))
    }

    /// When it was revoked, by the newest word on it, where one that is revoked in a state is one,
    /// too.
    ///
    /// At Google an order is withdrawn with all of its items, and as of the earliest moment.
    private func revoked(_ one: TransactionFact, _ facts: [Fact]) -> Moment? {
        var words: [String: (version: Version, revoked: Moment?)] = [:]
        for fact in facts {
            let isGoogle = fact.key.store == .googlePlay
            func note(_ id: String, _ version: Version, _ revoked: Moment?) {
                guard id == one.id || isGoogle && one.id == id + ":item" else { return }
                guard let word = words[id] else {
                    words[id] = (version, revoked)
                    return
                }
                let newer = word.version < version ? revoked : word.revoked
                let earliest = [revoked, word.revoked].compactMap(\.self).min()
                words[id] = (max(word.version, version), isGoogle ? earliest : newer)
            }
            for word in fact.revocations { note(word.transactionID, word.version, word.revoked) }
            for stated in fact.transactions where stated.revoked != nil {
                note(stated.id, stated.version, stated.revoked)
            }
        }
        return words.values.max { $0.version < $1.version }?.revoked
    }
}

extension Desk {
    fileprivate func owner(of key: SubscriptionKey) -> UserID? { subscriptions[key]?.owner }
}

extension Account {
    fileprivate func key(shownBy decision: Decision) -> SubscriptionKey? {
        guard case .slot(let index) = decision.shown else { return nil }
        return subscriptions[Int(answer.slots[index].ordinal)]
    }
}
