import Entitlements
import JSON
import Ledger

/// What was true of one user, moment by moment: the journal's steps, judged under the catalog that
/// was in force at each.
struct Chronicle {
    private let user: UserID
    private let catalogs: CatalogShelf
    /// The position of the tick that noted a moment: 0 where there is none, nil where that tick is
    /// outside of the stretch that was read.
    ///
    /// The views keep one position for a first moment. Where more ends come in one moment than one
    /// tick notes, that is the last one's; a stretch of the journal that was read says which
    /// (decision 63).
    private let ticks: (Moment) -> UInt64?
    private var past: Past
    /// The purchases of the account as they are in `past`.
    ///
    /// A view outlives its step, and may ask only for what was taken out: if it held `past`, every
    /// step would copy all of it.
    private var purchases: [SubscriptionKey: Subscription] = [:]

    /// One change of what is true, or a step of the journal that changed nothing visible.
    ///
    /// A class: it holds much, and is passed from hand to hand.
    final class Turn {
        let seq: UInt64
        let at: Moment
        let cause: Cause
        let before: StatusView
        let after: StatusView
        /// The step of the journal that made it; nil where time alone did.
        let step: HistoryStep?
        /// Whether the journal has it; what time has just changed is noted a moment later.
        let isNoted: Bool
        /// What a store said, where that is what the step was.
        let storeEvent: StoreEvent?
        /// What is shown before it and after it.
        let shown: (before: JSONObject, after: JSONObject)
        /// Whether that changed.
        let isVisible: Bool

        init(
            seq: UInt64,
            at: Moment,
            cause: Cause,
            before: StatusView,
            after: StatusView,
            step: HistoryStep? = nil,
            storeEvent: StoreEvent? = nil,
            isNoted: Bool = true
        ) {
            self.seq = seq
            self.at = at
            self.cause = cause
            self.before = before
            self.after = after
            self.step = step
            self.storeEvent = storeEvent
            self.isNoted = isNoted
            shown = (before.status, after.status)
            isVisible = !shown.before.isEqualStatus(to: shown.after)
        }
    }

    /// Begins before the first step of `user`.
    ///
    /// `stretch` is what was read in the journal, if only changes that it has are wanted.
    init(
        of user: UserID,
        _ reader: LedgerReader,
        in stretch: JournalChanges? = nil
    ) throws(LedgerFailure) {
        self.user = user
        ticks = { moment in
            let passing = Tick.Passing(user: user, due: moment)
            if let noted = stretch?.ticks[passing] { return noted }
            let tick = ((try? reader.tick(covering: moment)) ?? nil) ?? 0
            guard let stretch, stretch.border < tick, tick <= stretch.through else { return tick }
            return nil
        }
        past = try reader.past(of: user)
        catalogs = CatalogShelf(try reader.catalogs(), reader.policy, past.numbering)
        takeOutPurchases()
    }

    /// From when on everything about the user is known, where something before is not.
    var oldest: Moment? { past.oldest }

    /// The last position of which nothing is known any more; 0 where everything is there.
    var border: UInt64 { past.border?.seq ?? 0 }

    /// What was true at `moment`, as the daemon knew it then.
    ///
    /// - Throws: `.gone` where that was pruned.
    mutating func view(at moment: Moment) throws(LedgerFailure) -> StatusView {
        if let border = past.border, moment < border.at { throw .gone(oldest: border.at) }
        // A step that a clock far ahead has dated was known to every step after it.
        let known = try past.lastStep(at: moment) ?? 0
        try skip(to: known)
        while let step = try past.next(), step.seq <= known { try takeStep() }
        let told = try past.next()?.seq
        return look(moment, passed(through: moment, told: told).last?.seq)
    }

    /// Every change up to `end`, by what was heard and by time alone; what is shown after one is
    /// what is shown before the next, unless a catalog came between them.
    ///
    /// - Parameters:
    ///   - end: up to when.
    ///   - place: those of later positions only.
    ///   - limit: after so many, and all others of the last one's position, no more are looked for.
    /// - Returns: the changes, oldest first.
    /// - Throws: what `Past` throws.
    mutating func turns(
        until end: Moment,
        after place: UInt64 = 0,
        limit: Int = .max
    ) throws(LedgerFailure) -> [Turn] {
        var turns: [Turn] = []
        try skip(to: place)
        while let step = try past.next() {
            if step.seq <= place {
                try takeStep()
                continue
            }
            if turns.count > limit, turns[limit - 1].seq < turns[turns.count - 1].seq {
                return turns
            }
            let ended = passed(through: step.at, told: step.seq)
            turns += ended.filter { isTold($0, after: place) }
            let before = look(step.at, ended.last?.seq, knownTo: step.seq)
            try takeStep()
            // An account that went into another has none behind it.
            guard past.account.map({ $0.lastSeq == step.seq }) ?? step.ends(user) else {
                continue
            }
            let after = look(step.at)
            let turn = Turn(
                seq: step.seq,
                at: step.at,
                cause: step.cause,
                before: before,
                after: after,
                step: step,
                storeEvent: step.storeEvent(of: user) { past.subscription(of: $0)?.owner }
            )
            if turn.isVisible || !step.isOfTimeAlone, isTold(turn, after: place) {
                turns.append(turn)
            }
        }
        return turns + passed(through: end, told: nil).filter { isTold($0, after: place) }
    }

    private func isTold(_ turn: Turn, after place: UInt64) -> Bool {
        guard turn.seq > place else { return false }
        guard let border = past.border else { return true }
        return turn.seq > border.seq || turn.at > border.at
    }

    /// The changes that time alone made since the last step and until `end`.
    ///
    /// Each has the position of the tick that noted it. A tick that was late stands behind what was
    /// heard meanwhile, which has told of it: `told` is the position of the next step.
    private func passed(through end: Moment, told: UInt64?) -> [Turn] {
        guard let heard = past.heard, let account = past.account else { return [] }
        var turns: [Turn] = []
        var moment = heard
        while let change = nextMoment(of: account, after: moment), change <= end {
            moment = change
            guard account.turns(at: change, under: policy(at: change)) else { continue }
            guard let tick = ticks(change) else { continue }
            let place = min(max(tick, past.seq), told ?? .max)
            let turn = Turn(
                seq: place,
                at: change,
                cause: .clock,
                before: look(Moment(change.milliseconds - 1), turns.last?.seq),
                after: look(change, place),
                isNoted: tick > past.seq || told != nil
            )
            if turn.isVisible { turns.append(turn) }
        }
        return turns
    }

    /// The first moment after `moment` at which what is true of `account` may change by time alone,
    /// under each catalog from when it was in force.
    private func nextMoment(of account: Account, after moment: Moment) -> Moment? {
        var moment = moment
        while true {
            let change = account.alarm(after: moment, under: policy(at: moment))
            let installed = catalogs.nextInstallation(after: moment, knownTo: past.seq)
            guard let installed, installed < change ?? .distantFuture else { return change }
            moment = installed
        }
    }

    private mutating func takeStep() throws(LedgerFailure) {
        try past.takeStep()
        takeOutPurchases()
    }

    private mutating func skip(to place: UInt64) throws(LedgerFailure) {
        try past.skip(to: place)
        takeOutPurchases()
    }

    private mutating func takeOutPurchases() {
        purchases.removeAll(keepingCapacity: true)
        for key in past.account?.subscriptions ?? [] {
            purchases[key] = past.subscription(of: key)
        }
    }

    private func policy(at moment: Moment) -> Policy {
        catalogs.policy(at: moment, knownTo: past.seq)
    }

    /// What is true at `moment`, under the catalog that was in force then and at position `last`;
    /// without one, at that of the last step.
    private func look(
        _ moment: Moment,
        _ tick: UInt64? = nil,
        knownTo last: UInt64 = 0
    ) -> StatusView {
        StatusView(
            of: user,
            account: past.account,
            at: moment,
            under: catalogs.policy(at: moment, knownTo: max(last, past.seq)),
            seq: tick ?? past.seq
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

/// The catalogs that were in force, each read once it is asked for.
private final class CatalogShelf {
    private let catalogs: [InstalledCatalog]
    private let present: Policy
    private let numbering: Numbering
    private var read: [Int: Policy?] = [:]

    init(_ catalogs: [InstalledCatalog], _ present: Policy, _ numbering: Numbering) {
        self.catalogs = catalogs
        self.present = present
        self.numbering = numbering
    }

    /// The policy that held at `moment`, when all up to position `seq` was known.
    ///
    /// A clock that was ahead, and was put right, has dated a catalog later than what came after.
    func policy(at moment: Moment, knownTo seq: UInt64) -> Policy {
        for index in catalogs.indices.reversed()
        where catalogs[index].from <= moment || catalogs[index].seq <= seq {
            if let policy = policy(index) { return policy }
        }
        return present
    }

    /// When the first of those catalogs takes force that do so after `moment`, and that nobody knew
    /// at position `seq`.
    func nextInstallation(after moment: Moment, knownTo seq: UInt64) -> Moment? {
        catalogs.lazy.filter { $0.from > moment && $0.seq > seq }.map(\.from).min()
    }

    private func policy(_ index: Int) -> Policy? {
        if let known = read[index] { return known }
        let policy = Policy.Source(catalogs[index].stamp).map { Policy($0, numbering: numbering) }
        read[index] = .some(policy)
        return policy
    }
}
