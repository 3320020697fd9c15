import Entitlements

/// A user and their purchases as they were, rebuilt from the journal step by step.
package struct Past {
    /// Whose.
    package let user: UserID
    /// Where it begins; nil where everything is known.
    package let border: HistoryBorder?
    /// Where what is known begins, if the user was there before.
    package let oldest: Moment?
    /// The journal position of the last step that was taken, or that of the milestone where it
    /// began; 0 before everything.
    package private(set) var seq: UInt64 = 0
    /// When that was; before the first step, when the account began, if that is not told.
    package private(set) var heard: Moment?
    private let trail: HistoryTrail
    private var desk: Desk
    /// Steps that were read and not taken, oldest first.
    private var waiting: ArraySlice<HistoryStep> = []
    /// Where they end.
    private var read: UInt64 = 0
    /// The purchases whose facts they may tell.
    private var purchases: Set<SubscriptionKey> = []
    /// Entries that loaded purchases of the account, and did not touch it.
    private var loads: [HistoryStep] = []

    /// At the milestone from which `place` is reached by few steps; `numbering` is today's, which
    /// only ever grew.
    init(_ trail: HistoryTrail, numbering: Numbering, before place: UInt64) throws {
        user = trail.user
        self.trail = trail
        border = trail.edge
        let wasThere =
            try border != nil && trail.lookAtBase { try $0.account(of: trail.user) != nil }
        oldest = wasThere ? border?.at : nil
        desk = Desk(numbering: numbering)
        let start = try trail.start(for: place)
        read = start
        guard let (account, places) = try trail.account(at: start) else {
            desk.accounts.lay(nil, at: user)
            return
        }
        desk.accounts.lay(account, at: user)
        for token in account.tokens { desk.tokens.lay(user, at: token) }
        for former in account.formers {
            desk.merges.lay(MergedAccount(into: user), at: former)
        }
        for (key, place) in zip(account.subscriptions, places) {
            let kept = try trail.subscription(of: key, at: place, knowing: desk)
            desk.subscriptions.lay(kept, at: key)
        }
        seq = account.lastSeq
        heard = start > trail.border ? try trail.step(at: start).at : account.opened
    }

    /// The account as it was; nil before it began.
    package var account: Account? { desk.accounts[user] }

    /// Numbers of products and plans, as they are now or grew meanwhile.
    package var numbering: Numbering { desk.numbering }

    /// A subscription as it was.
    package func subscription(of key: SubscriptionKey) -> Subscription? {
        desk.subscriptions.isLaid(key) ? desk.subscriptions[key] : nil
    }

    /// The next step, read where that is needed; nil behind the last.
    package mutating func next() throws(LedgerFailure) -> HistoryStep? {
        do { try fill() } catch { throw trail.met(error) }
        return waiting.first
    }

    private mutating func fill() throws {
        if waiting.isEmpty, let window = try trail.window(after: read) {
            purchases = Set(window.purchases).union(account?.subscriptions ?? [])
            for step in window.steps { purchases.formUnion(step.keys) }
            read = window.steps.last?.seq ?? read
            let loaded = loads.filter { $0.seq <= read }
            loads.removeAll { $0.seq <= read }
            waiting = (window.steps + loaded).sorted { $0.seq < $1.seq }[...]
        }
    }

    /// Begins anew where `place` is reached by fewer steps from a later milestone.
    package mutating func skip(to place: UInt64) throws(LedgerFailure) {
        do {
            guard try trail.start(for: place) > max(seq, trail.border) else { return }
            self = try Past(trail, numbering: desk.numbering, before: place)
        } catch {
            throw trail.met(error)
        }
    }

    /// The last step that was judged at `moment` or before; nil where there is none.
    package func lastStep(at moment: Moment) throws(LedgerFailure) -> UInt64? {
        do { return try trail.lastStep(at: moment) } catch { throw trail.met(error) }
    }

    /// Goes on by the step that `next` has answered.
    package mutating func takeStep() throws(LedgerFailure) {
        do { try absorbNext() } catch { throw trail.met(error) }
    }

    private mutating func absorbNext() throws {
        guard let step = waiting.popFirst() else { return }
        for key in purchases {
            guard let place = step.links.previous(of: ChainLink.subject(of: key)) else { continue }
            try bring(key, to: place)
            guard let kept = subscription(of: key) else { continue }
            var needs = Needs()
            needs.keys = [key]
            try desk.lay(needs, from: EmptySource())
            for case .tokenClaimed(let token, _) in step.events
            where kept.tokensKnown.contains(token) {
                desk.unclaimed.lay(true, at: Unclaimed(token: token, key: key))
            }
            try trail.learn(before: step, about: kept, on: &desk)
        }
        try trail.learn(before: step, on: &desk)
        for event in step.events {
            desk.knowFormers(of: event)
            try desk.absorb(event, at: step.at, seq: step.seq, from: EmptySource())
        }
        desk.forgetTouched()
        // It is a part of their histories, also where nothing but others' names tells why.
        if desk.accounts[user] != nil { desk.accounts[user]?.lastSeq = step.seq }
        for key in purchases where step.links.previous(of: ChainLink.subject(of: key)) != nil {
            guard let kept = subscription(of: key) else { continue }
            desk.subscriptions[key] = kept.told(at: step.seq)
        }
        seq = step.seq
        heard = step.at
        for case .loaded(.account(let loaded, _)) in step.events where loaded.user == user {
            try findLoads(after: step.seq)
        }
    }

    /// Finds the purchases that were loaded beside the account, before it or after it: their
    /// entries need not be links of its chain.
    private mutating func findLoads(after place: UInt64) throws {
        for key in account?.subscriptions ?? [] {
            if desk.subscriptions.isLaid(key), desk.subscriptions[key] != nil { continue }
            guard let (first, last) = try trail.ends(of: key, at: place) else { continue }
            if last > 0 {
                let kept = try trail.subscription(of: key, at: last, knowing: desk)
                desk.subscriptions[key] = kept
            } else if first > read {
                loads.append(try trail.step(at: first))
            } else if !waiting.contains(where: { $0.seq == first }) {
                let index = waiting.firstIndex { $0.seq > first } ?? waiting.endIndex
                waiting.insert(try trail.step(at: first), at: index)
            }
        }
    }

    /// What others' entries have made of a purchase meanwhile: as its entry at `place` left it.
    private mutating func bring(_ key: SubscriptionKey, to place: UInt64) throws {
        if desk.subscriptions.isLaid(key), (desk.subscriptions[key]?.lastSeq ?? 0) == place {
            return
        }
        if !desk.subscriptions.isLaid(key), place == 0 { return }
        let kept = try trail.subscription(of: key, at: place, knowing: desk)
        desk.subscriptions[key] = kept
    }
}
