import Entitlements
import Journal
import Synchronization
import Threads

/// The one thread that writes: see the laws of `Ledger`.
///
/// `init` replays the tail of the journal. After that the writer is confined to its thread.
final class LedgerWriter: @unchecked Sendable {
    // SAFETY: confined to its thread after init; what other threads call is thread-safe in itself.
    private let memtable: Memtable
    let checkpointer: Checkpointer
    private let snapshot: Snapshot
    private var ahead: GroupPrefetch
    let journal: any Journal
    /// The greatest size of a group.
    private let groupBytesMax: Int
    private let board: PolicyBoard
    private let pulse: LedgerPulse
    var clock: StampingClock
    var state: AppliedState
    var policy: Policy
    private let catalog: CatalogReading
    /// Whether the catalog in force is that of the process before.
    private var isCatalogFormer = false
    private let notify: @Sendable (LedgerNotice) -> Void
    private let feed: LedgerFeed
    let erasures: ErasureBook
    private let searches: SearchBook
    private let faults: FaultBook
    private let pace: MilestonePace
    /// Groups that were appended.
    var appended = 0
    /// No alarm is earlier than this one, which may have fired already; nil if there is none.
    var alarm: Tick.Passing?
    private var unknownProducts = UnknownProducts()
    /// Whether writing a due alarm failed, so that the next attempt follows after a pause.
    var isTimeRefused = false
    /// The accounts whose alarms must still be set anew after a change of catalog.
    var rearming = Rearming()
    /// What was told of alarms that have not fired.
    var backlog = AlarmBacklog()
    /// The latest moment at which time was observed.
    ///
    /// A clock that is set back by less than a minute does not bring back what was reported before.
    var observed = Moment.distantPast
    /// What is held for connections that have ended.
    private var leases: EndedLeases

    init(
        views: Views,
        memtable: Memtable,
        checkpointer: Checkpointer,
        journal opened: OpenJournal,
        board: PolicyBoard,
        pulse: LedgerPulse,
        clock: LedgerClock,
        age: AgeClock,
        state: AppliedState,
        source: Policy.Source,
        catalog: @escaping CatalogReading = { _ in nil },
        isEnding: () -> Bool = { false },
        feed: LedgerFeed,
        erasures: ErasureBook,
        searches: SearchBook = SearchBook(),
        released: LeaseBook = LeaseBook(),
        faults: FaultBook = FaultBook(),
        pace: MilestonePace = MilestonePace(),
        notify: @escaping @Sendable (LedgerNotice) -> Void
    ) throws {
        self.memtable = memtable
        self.checkpointer = checkpointer
        snapshot = try Snapshot(views, memtable)
        ahead = try GroupPrefetch(snapshot)
        journal = opened.journal
        // At most a quarter of a segment, so that one more entry of any size still fits.
        groupBytesMax = min(LedgerLimits.groupBytesMax, opened.groupBytesMax / 4)
        self.board = board
        self.pulse = pulse
        self.state = state
        self.notify = notify
        self.feed = feed
        self.erasures = erasures
        self.searches = searches
        leases = EndedLeases(released)
        self.faults = faults
        self.pace = pace
        snapshot.searches = searches
        policy = Policy(source, numbering: state.numbering)
        self.catalog = catalog
        self.clock = StampingClock(clock, after: state.at, age)
        if opened.last.seq < state.seq {
            throw LedgerFailure.damaged("the journal ends before the views do")
        }
        // The positions of two copies of one store do not tell them apart. The moment of the last
        // entry shows whether these views were made from this journal.
        if let last = try journal.entry(state.seq), last.moment != state.at.milliseconds {
            throw LedgerFailure.damaged(
                "data.mdb was not made from this journal: entry \(state.seq) is another one"
            )
        }
        if opened.tornTail != nil { notify(.tornTailCut) }
        let before = self.state.seq
        pulse.note(datedProducts: state.datedProducts)
        if state.rules != Rules.version { notify(.rulesChanged(from: state.rules)) }
        takeInstalled()
        try replayTail(isEnding)
        if self.state.seq > before { notify(.replayed(Int(self.state.seq - before))) }
        self.clock = StampingClock(clock, after: self.state.at, age)
        observed = self.state.observed
        // The previous process may have stopped half way.
        beginRearming()
    }

    /// The holds that belong to connections.
    ///
    /// To be called before `run`.
    func heldLeases() throws -> [UInt64] { try look { try $0.leases() } }

    /// Serves the queue until it is closed and empty, or until nothing more can be written.
    ///
    /// It first ends `held`, the holds of the previous process's connections.
    func run(
        _ queue: WriteQueue,
        ending held: [UInt64] = [],
        onFailure: (LedgerFailure) -> Void
    ) {
        leases.take(old: held)
        var expected = 0
        var idle = ClosingPace()
        while true {
            var refusal = returnLeases()
            if refusal == nil {
                let taken = queue.take(
                    LedgerLimits.groupCommandsMax,
                    waiting: idle.patience(patience, after: appended),
                    gathering: expected,
                    for: LedgerLimits.gatherMicroseconds
                )
                guard let items = taken else { break }
                // Time passes before the commands are decided, so that changes are reported in
                // their order.
                let unobserved = passTime()
                refusal = answer(items) ?? unobserved
                if idle.isDue(after: appended, isIdle: items.isEmpty) {
                    refusal = closeGroups() ?? refusal
                }
                if items.isEmpty, pulse.isFull(.journal) { refusal = retryRoom() ?? refusal }
                // A few callers that each wait for an answer tend to send their next orders
                // together. Waiting briefly for all of them saves a flush.
                let callers = items.count + queue.depth
                expected = callers > LedgerLimits.gatheredMax ? 0 : callers
            }
            guard let failure = refusal, failure != .storageFull else { continue }
            queue.close()
            while let waiting = queue.take(LedgerLimits.groupCommandsMax, waiting: nil) {
                for item in waiting { item.completion(.failure(failure)) }
            }
            onFailure(failure)
            return
        }
        _ = closeGroups()
        if let failure = checkpointer.failure { onFailure(failure) }
    }

    /// How long to wait for commands: until time can be noted again, or until an alarm is due.
    private var patience: Int64? {
        if isTimeRefused || pulse.isFull(.journal) { return LedgerLimits.retryMilliseconds }
        if let patience = leases.patience { return patience }
        if !rearming.isDone { return 0 }
        guard let alarm else { return nil }
        let milliseconds = alarm.due.milliseconds - clock.wall
        return min(max(milliseconds, 0), LedgerLimits.alarmPatienceMilliseconds)
    }

    /// Looks up the next alarm, beginning at the last known one: the search does not pass deleted
    /// alarms again.
    func noteAlarm() throws { alarm = try look { try $0.nextAlarm(from: alarm) } }

    /// Calls `body` with the present rows.
    func look<Found>(_ body: (Snapshot) throws -> Found) throws -> Found {
        try snapshot.renew()
        defer { snapshot.rest() }
        return try body(snapshot)
    }

    /// Ends the holds of closed connections; tries again later if they cannot be written now.
    private func returnLeases() -> LedgerFailure? {
        leases.beginRound()
        do {
            while !leases.nextEnds.isEmpty {
                let ends = leases.nextEnds
                let group = try keep(ends, at: try stamp(), catalogVersion: policy.source.version)
                leases.end(group.answers.count)
            }
            return nil
        } catch {
            leases.refuse()
            let failure = LedgerFailure(error)
            return failure == .notReady || failure == .storageFull ? nil : failure
        }
    }

    /// Looks whether there is space again after a group found none: a balancer that goes by
    /// readiness sends no write that would find out.
    private func retryRoom() -> LedgerFailure? {
        let failure = closeGroups()
        if failure == nil { note(full: false) }
        return failure
    }

    private func note(full isFull: Bool) {
        guard let news = pulse.note(.journal, full: isFull) else { return }
        notify(news ? .storageFull : .storageBack)
    }

    /// Answers every item, group by group; the items after a failure are answered with that
    /// failure.
    private func answer(_ items: [WriteOrder]) -> LedgerFailure? {
        var rest: ArraySlice<WriteOrder> = items[...]
        do {
            while let first = rest.first {
                switch first.kind {
                case .install(let source, let stamp):
                    first.completion(.success(try install(source, stamp)))
                    rest.removeFirst()
                case .command:
                    let group =
                        first.isLarge
                        ? rest.prefix(1) : rest.prefix { $0.isCommand && !$0.isLarge }
                    rest.removeFirst(try decide(Array(group)))
                }
            }
            return nil
        } catch {
            let failure = LedgerFailure(error)
            for item in rest { item.completion(.failure(failure)) }
            return failure == .notReady ? nil : failure
        }
    }

    /// Decides, appends, flushes, publishes and answers one group.
    ///
    /// - Returns: how many of `items` are answered, at least one. The others did not fit in the
    ///   group.
    private func decide(_ items: [WriteOrder]) throws -> Int {
        do {
            return try decideTogether(items)
        } catch LedgerFailure.tooLarge {
            if items.count > 1 { return try decide([items[0]]) }
            items[0].completion(.failure(.tooLarge))
            return 1
        }
    }

    private func decideTogether(_ items: [WriteOrder]) throws -> Int {
        let stamp = try self.stamp()
        let began = ContinuousClock.now
        let kinds = items.compactMap { item in
            if case .command(let kind) = item.kind { kind } else { nil }
        }
        let authors = items.map(\.author)
        let isErasure = kinds.contains { if case .erase = $0 { true } else { false } }
        let group =
            isErasure
            ? try erase(kinds, by: authors, at: stamp)
            : try keep(kinds, by: authors, at: stamp, catalogVersion: policy.source.version)
        for product in unknownProducts.met(in: group.desk, under: policy, counting: pulse) {
            notify(.unknownProduct(product))
        }
        for product in unknownProducts.metUndated(
            in: group.desk,
            under: policy,
            counting: pulse
        ) {
            notify(.undatedProduct(product))
        }
        let doubled = group.desk.paymentsDoubled(at: stamp.now, under: policy)
        if doubled > 0 { pulse.duplicateSubscriptions.add(doubled, ordering: .relaxed) }
        pulse.groups.add(1, ordering: .relaxed)
        pulse.commands.add(UInt64(group.answers.count), ordering: .relaxed)
        for (item, answer) in zip(items, group.answers) { item.completion(faults.noting(answer)) }
        pulse.groupIsAnswered()
        let (seconds, attoseconds) = (ContinuousClock.now - began).components
        let nanoseconds = Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
        notify(.stored(commands: group.answers.count, nanoseconds: nanoseconds))
        return group.answers.count
    }

    /// The moments of the next group; throws `.notReady` while the clock cannot be trusted.
    func stamp() throws(LedgerFailure) -> Stamp {
        if let now = clock.stamp() { return now }
        let told = pulse.clockJumps.exchange(UInt64(clock.jumps), ordering: .relaxed)
        if told != clock.jumps { notify(.clockJumped) }
        throw .notReady
    }

    /// Decides, appends, flushes and publishes.
    ///
    /// The group is on disk and visible when this returns.
    ///
    /// - Parameters:
    ///   - kinds: the commands. Those that would make the group too long are not decided.
    ///   - authors: the author of each command; commands beyond the end of this list have none.
    ///   - fired: the alarms that fire.
    ///   - stamp: the group's moments.
    ///   - catalogVersion: that of the catalog in force.
    /// - Returns: the group, with an answer for each command that was decided.
    /// - Throws: if nothing was written.
    func keep(
        _ kinds: [Command.Kind],
        by authors: [Author?] = [],
        passing fired: [FiredAlarm] = [],
        at stamp: Stamp,
        catalogVersion: UInt32
    ) throws(LedgerFailure) -> Group {
        var stamp = stamp
        while true {
            let round = try round(kinds, by: authors, passing: fired, at: stamp, catalogVersion)
            switch round {
            case .kept(let group): return group
            case .overdue(let accounts):
                // Time comes first; then the commands are decided anew.
                try passOverdue(accounts)
                stamp = try self.stamp()
            }
        }
    }

    /// What came of deciding some commands.
    private enum Round {
        case kept(Group)
        /// Nothing was written: what time made of these accounts must be reported first.
        case overdue([Overdue])
    }

    private func round(
        _ kinds: [Command.Kind],
        by authors: [Author?],
        passing fired: [FiredAlarm],
        at stamp: Stamp,
        _ catalogVersion: UInt32
    ) throws(LedgerFailure) -> Round {
        try checkpointer.makeRoom(for: kinds.count)
        let isFollowed = feed.begin()
        defer { feed.end() }
        var group = Group(
            state: state,
            policy: policy,
            stamp: stamp,
            isFollowed: isFollowed,
            pace: pace,
            commands: kinds.count
        )
        var changes = RowChanges()
        var overdue: [Overdue] = []
        do {
            try look { snapshot in
                for alarm in fired {
                    // A missing account is looked up later by the code that needs the reason.
                    alarm.account.map { group.desk.accounts.lay($0, at: alarm.passing.user) }
                    try changes.pass(alarm, under: policy, from: snapshot)
                }
                for (index, kind) in kinds.enumerated() where group.bytes < groupBytesMax {
                    if index % GroupPrefetch.commandsMax == 0 { ahead.run(kinds[index...]) }
                    let author = index < authors.count ? authors[index] : nil
                    group.decide(kind, by: author, from: snapshot)
                }
                guard !group.entries.isEmpty else { return }
                if fired.isEmpty {
                    overdue = try self.overdue(on: group.desk, at: stamp.now, from: snapshot)
                    guard overdue.isEmpty else { return }
                }
                group.close(as: state.group + 1)
                // Everything that can fail comes before the flush, so every flushed group can be
                // published (L2).
                try changes.take(
                    group.desk,
                    group.state,
                    after: state,
                    under: group.policy,
                    from: snapshot
                )
            }
            if !overdue.isEmpty { return .overdue(overdue) }
            if !group.entries.isEmpty {
                try append(group.entries, catalogVersion)
                publish(group.state.numbering)
                note(full: false)
            }
        } catch {
            let failure = LedgerFailure(error)
            if failure == .storageFull { note(full: true) }
            throw failure
        }
        state = group.state
        show(changes)
        if fired.isEmpty { noteChanges(on: group.desk, at: stamp.now) }
        if !group.feed.isEmpty { feed.publish(group.feed) }
        return .kept(group)
    }

    /// Makes changes that are on disk visible to readers.
    func show(_ changes: RowChanges) {
        guard !changes.rows.isEmpty else { return }
        pulse.note(datedProducts: state.datedProducts)
        if let first = changes.firstAlarm { alarm = min(alarm ?? first, first) }
        let size = memtable.keep(changes, seq: state.seq)
        searches.note(changes)
        checkpointer.notice(size, added: changes.rows.count)
    }

    /// Decides an erasure, alone in its group.
    ///
    /// `finishErasures` rewrites the entries before it.
    private func erase(
        _ kinds: [Command.Kind],
        by authors: [Author?],
        at stamp: Stamp
    ) throws(LedgerFailure) -> Group {
        try erasures.announce()
        let before = state.seq
        do throws(LedgerFailure) {
            let version = policy.source.version
            let group = try keep(kinds, by: authors, at: stamp, catalogVersion: version)
            erasures.note(state.seq > before ? state.seq : nil)
            return group
        } catch {
            erasures.note(nil)
            throw error
        }
    }

    private func install(_ source: Policy.Source, _ stamp: CatalogStamp) throws -> Receipt {
        var source = source
        var stamp = stamp
        source.version = state.catalog?.version ?? 0
        let isNew = state.catalog?.digest != stamp.digest
        if isNew {
            // What is due is told under the catalog that was in force. At a start nobody waits for
            // an answer yet.
            if isCatalogFormer { try passAllTime() } else { try passDueTime() }
            source.version += 1
            stamp = CatalogStamp(version: source.version, digest: stamp.digest, text: stamp.text)
            let now = try self.stamp()
            _ = try keep([.install(stamp)], at: now, catalogVersion: source.version)
            memtable.noteCatalog()
        }
        isCatalogFormer = false
        policy = Policy(source, numbering: state.numbering)
        board.put(policy)
        if isNew { beginRearming() }
        return Receipt(seq: state.seq, at: state.at, outcome: .installed)
    }

    /// Puts the catalog in force that was installed last, until the daemon installs another: what
    /// ended under it is told under it.
    func takeInstalled() {
        guard let stamp = state.catalog, stamp.version != policy.source.version,
            let source = catalog(stamp)
        else { return }
        isCatalogFormer = true
        policy = Policy(source, numbering: state.numbering)
        board.put(policy)
    }

    /// Readers get a policy that knows every product number before they can read one (L4).
    func publish(_ numbering: Numbering) {
        guard numbering.names.count > policy.planOfNumber.count else { return }
        policy = Policy(policy.source, numbering: numbering)
        board.put(policy)
    }
}
