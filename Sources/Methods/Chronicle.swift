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
    private var next = 0
    /// When the account began, where it was there before what is kept.
    private let opened: Moment?
    /// The journal position of the last step that was taken.
    private(set) var seq: UInt64 = 0

    /// One change of what is true, or a step of the journal that changed nothing visible.
    struct Turn {
        let seq: UInt64
        let at: Moment
        let cause: Cause
        let before: StatusView
        let after: StatusView
    }

    init(of user: UserID, _ reader: LedgerReader) throws(LedgerFailure) {
        self.user = user
        present = reader.policy
        ticks = { (try? reader.tick(covering: $0)) ?? nil }
        (past, steps) = try reader.history(of: user)
        opened = past.border == nil ? nil : past.account?.opened
        seq = opened == nil ? 0 : past.account?.lastSeq ?? 0
        let numbering = past.numbering
        catalogs = try reader.catalogs()
            .compactMap { catalog in
                Policy.Source(catalog.stamp)
                    .map { (catalog.from, Policy($0, numbering: numbering)) }
            }
    }

    /// From when on everything about the user is known, where something before is not.
    var oldest: Moment? { opened == nil ? nil : past.border?.at }

    /// The last position of which nothing is known any more; 0 where everything is there.
    var border: UInt64 { past.border?.seq ?? 0 }

    /// What was true at `moment`, as the daemon knew it then.
    ///
    /// - Throws: `.gone` where that was pruned.
    mutating func view(at moment: Moment) throws(LedgerFailure) -> StatusView {
        if let border = past.border, moment < border.at { throw .gone(oldest: border.at) }
        var heard = opened
        while next < steps.count, steps[next].at <= moment {
            heard = steps[next].at
            try takeStep()
        }
        var passed: [Turn] = []
        passTime(from: heard, until: moment.advanced(byMilliseconds: 1), into: &passed)
        return look(moment, passed.last?.seq)
    }

    /// Every change that is kept, up to `end`: by what was heard, and by time alone.
    mutating func turns(until end: Moment) throws(LedgerFailure) -> [Turn] {
        var turns: [Turn] = []
        while next < steps.count {
            let step = steps[next]
            passTime(from: turns.last?.at ?? opened, until: step.at, into: &turns)
            let before = look(step.at)
            try takeStep()
            guard past.account?.lastSeq == step.seq else { continue }
            let after = look(step.at)
            turns.append(
                Turn(seq: step.seq, at: step.at, cause: step.cause, before: before, after: after)
            )
        }
        passTime(from: turns.last?.at ?? opened, until: end, into: &turns)
        if let border = past.border {
            turns.removeAll { $0.seq <= border.seq && $0.at <= border.at }
        }
        // A tick that was late stands behind what was heard meanwhile.
        return turns.sorted { ($0.seq, $0.at) < ($1.seq, $1.at) }
    }

    /// The changes that time alone made after `start` and before `end`.
    private func passTime(from start: Moment?, until end: Moment, into turns: inout [Turn]) {
        guard let start, past.account != nil else { return }
        var before = look(start)
        while let change = before.decision.nextChange, change < end {
            let earlier = look(Moment(change.milliseconds - 1))
            let tick = max(ticks(change) ?? seq, seq)
            let after = look(change, tick)
            turns.append(
                Turn(seq: tick, at: change, cause: .clock, before: earlier, after: after)
            )
            before = after
        }
    }

    private mutating func takeStep() throws(LedgerFailure) {
        try past.absorb(steps[next])
        seq = steps[next].seq
        next += 1
    }

    private func look(_ moment: Moment, _ tick: UInt64? = nil) -> StatusView {
        let policy = catalogs.last { $0.from <= moment }?.policy ?? present
        return StatusView(
            of: user,
            account: past.account,
            at: moment,
            under: policy,
            seq: tick ?? seq
        ) { past.subscription(of: $0) }
    }
}
