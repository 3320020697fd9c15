import Entitlements
import Ledger

/// What was true of one user, moment by moment: the journal's steps, judged under the catalog that
/// was in force at each.
struct Chronicle {
    private let user: UserID
    private let steps: [HistoryStep]
    private let catalogs: [(from: Moment, policy: Policy)]
    private let present: Policy
    /// The position of the tick that covers a moment.
    private let ticks: (Moment) -> UInt64?
    private var past: Past
    /// The purchases of the account as they are in `past`.
    ///
    /// A view outlives its step, and may ask only for what was taken out: if it held `past`, every
    /// step would copy all of it.
    private var purchases: [SubscriptionKey: Subscription] = [:]
    private var next = 0
    /// From when on everything about the user is known, where something before is not.
    let oldest: Moment?
    /// The journal position of the last step that was taken.
    private(set) var seq: UInt64 = 0
    /// When it was taken; before the first, when the account began, if that is not told.
    private var heard: Moment?

    /// One change of what is true, or a step of the journal that changed nothing visible.
    struct Turn {
        let seq: UInt64
        let at: Moment
        let cause: Cause
        let before: StatusView
        let after: StatusView
        /// Whether the journal has it; what time has just changed is noted a moment later.
        var isNoted = true

        /// Whether what is shown changed.
        var isVisible: Bool { !before.status.isEqualStatus(to: after.status) }
    }

    init(of user: UserID, _ reader: LedgerReader) throws(LedgerFailure) {
        self.user = user
        present = reader.policy
        ticks = { (try? reader.tick(covering: $0)) ?? nil }
        (past, steps) = try reader.history(of: user)
        oldest = past.oldest
        heard = past.account?.opened
        seq = past.account?.lastSeq ?? 0
        let numbering = past.numbering
        catalogs = try reader.catalogs()
            .compactMap { catalog in
                Policy.Source(catalog.stamp)
                    .map { (catalog.from, Policy($0, numbering: numbering)) }
            }
        takeOutPurchases()
    }

    /// The last position of which nothing is known any more; 0 where everything is there.
    var border: UInt64 { past.border?.seq ?? 0 }

    /// What was true at `moment`, as the daemon knew it then.
    ///
    /// - Throws: `.gone` where that was pruned.
    mutating func view(at moment: Moment) throws(LedgerFailure) -> StatusView {
        if let border = past.border, moment < border.at { throw .gone(oldest: border.at) }
        // A step that a clock far ahead has dated was known to every step after it.
        let known = steps.lastIndex { $0.at <= moment } ?? -1
        while next <= known { try takeStep() }
        return look(moment, passed(through: moment).last?.seq)
    }

    /// Every change up to `end`, by what was heard and by time alone; what is shown after one is
    /// what is shown before the next, unless a catalog came between them.
    ///
    /// - Parameters:
    ///   - end: up to when.
    ///   - place: those of later positions only.
    ///   - limit: after so many, and all others of the last one's position, no more are looked for.
    /// - Returns: the changes, oldest first.
    /// - Throws: what `Past.absorb` throws.
    mutating func turns(
        until end: Moment,
        after place: UInt64 = 0,
        limit: Int = .max
    ) throws(LedgerFailure) -> [Turn] {
        var turns: [Turn] = []
        while next < steps.count {
            let step = steps[next]
            if step.seq <= place {
                try takeStep()
                continue
            }
            if turns.count > limit, turns[limit - 1].seq < turns[turns.count - 1].seq {
                return turns
            }
            let ended = passed(through: step.at)
            turns += ended.filter { isTold($0, after: place) }
            let before = look(step.at, ended.last?.seq)
            try takeStep()
            guard past.account?.lastSeq == step.seq else { continue }
            let after = look(step.at)
            let turn = Turn(
                seq: step.seq,
                at: step.at,
                cause: step.cause,
                before: before,
                after: after
            )
            if turn.isVisible || !step.isOfTimeAlone, isTold(turn, after: place) {
                turns.append(turn)
            }
        }
        return turns + passed(through: end).filter { isTold($0, after: place) }
    }

    private func isTold(_ turn: Turn, after place: UInt64) -> Bool {
        guard turn.seq > place else { return false }
        guard let border = past.border else { return true }
        return turn.seq > border.seq || turn.at > border.at
    }

    /// The changes that time alone made since the last step and until `end`.
    ///
    /// Each has the position of the tick that noted it. A tick that was late stands behind what was
    /// heard meanwhile, which has told of it.
    private func passed(through end: Moment) -> [Turn] {
        guard let heard, let account = past.account else { return [] }
        var turns: [Turn] = []
        var moment = heard
        while let change = account.alarm(after: moment, under: policy(at: moment)), change <= end {
            moment = change
            guard account.turns(at: change, under: policy(at: change)) else { continue }
            let told = next < steps.count ? steps[next].seq : .max
            let tick = ticks(change) ?? 0
            let place = min(max(tick, seq), told)
            let turn = Turn(
                seq: place,
                at: change,
                cause: .clock,
                before: look(Moment(change.milliseconds - 1), turns.last?.seq),
                after: look(change, place),
                isNoted: tick > seq || told < .max
            )
            if turn.isVisible { turns.append(turn) }
        }
        return turns
    }

    private mutating func takeStep() throws(LedgerFailure) {
        try past.absorb(steps[next])
        seq = steps[next].seq
        heard = steps[next].at
        next += 1
        takeOutPurchases()
    }

    private mutating func takeOutPurchases() {
        purchases.removeAll(keepingCapacity: true)
        for key in past.account?.subscriptions ?? [] {
            purchases[key] = past.subscription(of: key)
        }
    }

    private func policy(at moment: Moment) -> Policy {
        catalogs.last { $0.from <= moment }?.policy ?? present
    }

    private func look(_ moment: Moment, _ tick: UInt64? = nil) -> StatusView {
        StatusView(
            of: user,
            account: past.account,
            at: moment,
            under: policy(at: moment),
            seq: tick ?? seq
        ) { [purchases] in purchases[$0] }
    }
}

extension HistoryStep {
    /// Whether all it says is that holds had ended by themselves, when something met them.
    fileprivate var isOfTimeAlone: Bool {
        events.allSatisfy { event in
            if case .holdEnded(_, _, let ending, _) = event {
                ending.kind == .expired
            } else {
                false
            }
        }
    }
}
