import Entitlements
import Journal

/// One entry of the journal that bears on a user.
package struct HistoryStep: Sendable {
    /// Of whose history: an account that went into another has one of its own.
    package let user: UserID
    /// Its place.
    package let seq: UInt64
    /// When it was decided, by the clock: before the moment of an earlier step where the clock was
    /// set back between them.
    package let at: Moment
    /// Why the user's status changed, if it did.
    package let cause: Cause
    /// Who asked for it; nil where a store, time or the daemon itself did.
    package let author: Author?
    /// What was asked for, as far as the events do not say it.
    package let order: OrderNote
    /// What happened.
    package let events: [Event]
    /// Whose history it is a part of.
    let links: EntryLinks
    /// Records that it has left.
    let milestones: [Milestone]

    /// The purchases that its events name.
    var keys: Set<SubscriptionKey> { Set(events.flatMap(\.needs.keys)) }

    /// Whether the account of `user` went into another with it.
    package func ends(_ user: UserID) -> Bool {
        events.contains { event in
            if case .accountsMerged(let merge) = event { merge.from == user } else { false }
        }
    }

    /// The account of `user` as it left it, and the last entries of the purchases listed in it.
    func account(of user: UserID) -> (account: Account, places: [UInt64])? {
        for case .account(let account, let places) in milestones.map(\.kind)
        where account.user == user { return (account, places) }
        return nil
    }

    /// The subscription as it left it.
    func subscription(of key: SubscriptionKey) -> Subscription? {
        for case .subscription(let kept) in milestones.map(\.kind) where kept.key == key {
            return kept
        }
        return nil
    }
}

extension LedgerReader {
    /// The past of `user`, at the milestone from which `place` is reached by few steps.
    ///
    /// - Throws: `.damaged` where an entry cannot be read, `.gone` where it was pruned meanwhile.
    package func past(of user: UserID, before place: UInt64 = 0) throws(LedgerFailure) -> Past {
        do {
            return try Past(
                HistoryTrail(of: user, self),
                numbering: try numbering(),
                before: place
            )
        } catch {
            throw met(error)
        }
    }

    /// Answers what `body` does, which reads histories; again where segments of the journal were
    /// replaced or removed meanwhile, and what was read may be of two states.
    package func settled<Value>(
        _ body: () throws(LedgerFailure) -> Value
    ) throws(LedgerFailure) -> Value {
        defer { forgetJournal() }
        var triesLeft = LedgerLimits.historyTriesMax
        while true {
            triesLeft -= 1
            let border = base.seq
            do throws(LedgerFailure) {
                let value = try body()
                if triesLeft == 0 || !isJournalOutdated { return value }
            } catch {
                guard case .gone = error, triesLeft > 0, base.seq > border || isJournalOutdated
                else { throw error }
            }
        }
    }

    /// Hands everything that the journal tells of `user` behind `place` to `visit`, oldest first,
    /// until that answers false.
    ///
    /// What was heard of a purchase before it was the user's is told before the step that made it
    /// theirs, and what an account did that went into the user's before the step of that.
    /// `purchases`, asked only where a token was claimed, answers all that are: an account
    /// lists no more than a row has room for.
    package func tell(
        of user: UserID,
        after place: HistoryPlace?,
        owning purchases: () throws(LedgerFailure) -> Set<SubscriptionKey>,
        to visit: (HistoryPlace, HistoryStep) -> Bool
    ) throws(LedgerFailure) {
        do {
            let trail = try HistoryTrail(of: user, self)
            // The step of the place may have more to tell.
            var read = place.map { max($0.step, 1) - 1 } ?? 0
            while let window = try trail.window(after: read) {
                for step in window.steps where step.seq > read {
                    var told: [UInt64: HistoryStep] = [step.seq: step]
                    var owned = Set(window.purchases)
                    for case .tokenClaimed(_, user) in step.events {
                        owned.formUnion(try purchases())
                    }
                    for case .accountsMerged(let merge) in step.events where merge.into == user {
                        for one in try stepsOfFormer(merge.from) where one.seq < step.seq {
                            told[one.seq] = one
                        }
                    }
                    for one in try trail.stepsTold(with: step, among: owned)
                    where told[one.seq] == nil { told[one.seq] = one }
                    for seq in told.keys.sorted() {
                        let here = HistoryPlace(step: step.seq, seq: seq)
                        guard place.map({ $0 < here }) ?? true, let one = told[seq] else {
                            continue
                        }
                        if !visit(here, one) { return }
                    }
                }
                read = window.steps.last?.seq ?? .max
            }
        } catch {
            throw met(error)
        }
    }
}

extension LedgerReader {
    /// Everything that the journal tells of an account that went into another, oldest first; with
    /// what it tells of those that went into that one before.
    private func stepsOfFormer(_ user: UserID) throws -> [HistoryStep] {
        let trail = try HistoryTrail(of: user, self)
        var told: [UInt64: HistoryStep] = [:]
        var read: UInt64 = 0
        while let window = try trail.window(after: read) {
            for step in window.steps where step.seq > read {
                for case .accountsMerged(let merge) in step.events where merge.into == user {
                    for one in try stepsOfFormer(merge.from) { told[one.seq] = one }
                }
                for one in try trail.stepsTold(with: step, among: Set(window.purchases)) {
                    told[one.seq] = one
                }
                told[step.seq] = step
            }
            read = window.steps.last?.seq ?? .max
        }
        return told.values.sorted { $0.seq < $1.seq }
    }
}

extension HistoryTrail {
    /// What was heard before of purchases that a step made the user's.
    fileprivate func stepsTold(
        with step: HistoryStep,
        among owned: Set<SubscriptionKey>
    ) throws -> [HistoryStep] {
        try step.purchases(among: owned, gainedBy: user)
            .flatMap { try earlierSteps(of: $0, before: step) }
    }
}

/// Where an entry stands among everything that is told of a user.
package struct HistoryPlace: Hashable, Comparable, Sendable {
    /// The step of the user's own history with which it is told.
    package let step: UInt64
    /// Its own position.
    package let seq: UInt64

    /// The place of the entry `seq`, which is told with `step`.
    package init(step: UInt64, seq: UInt64) {
        self.step = step
        self.seq = seq
    }

    package static func < (left: HistoryPlace, right: HistoryPlace) -> Bool {
        (left.step, left.seq) < (right.step, right.seq)
    }
}

extension HistoryStep {
    /// The purchases that may be the user's since this step, `owned` or named in it, and were there
    /// before.
    fileprivate func purchases(
        among owned: Set<SubscriptionKey>,
        gainedBy user: UserID
    ) -> Set<SubscriptionKey> {
        var keys = owned
        for event in events {
            if case .linked(let key, user, _) = event { keys.insert(key) }
            if case .shared(let key, user) = event { keys.insert(key) }
        }
        return keys.filter { (links.previous(of: ChainLink.subject(of: $0)) ?? 0) > 0 }
    }
}

/// Whose history an entry is a part of, and where each goes on before.
struct EntryLinks {
    /// Pairs: a subject (`ChainLink`), and the position before.
    private let pairs: [UInt64]

    init(_ entry: JournalEntry) { pairs = entry.links }

    var subjects: Set<UInt64> { Set(places.map { pairs[$0] }) }

    /// The position before, 0 where there is none; nil where it is no part of that history.
    func previous(of subject: UInt64) -> UInt64? {
        places.first { pairs[$0] == subject }.map { pairs[$0 + 1] }
    }

    private var places: StrideTo<Int> { stride(from: 0, to: pairs.count - 1, by: 2) }
}

/// An entry that was pruned, or that names nobody any more.
struct HistoryGone: Error {}

/// A catalog that was in force, from a moment on.
package struct InstalledCatalog: Hashable, Sendable {
    /// Where the journal installed it.
    package let seq: UInt64
    /// From when.
    package let from: Moment
    /// Which one.
    package let stamp: CatalogStamp
}
