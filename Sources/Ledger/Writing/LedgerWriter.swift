import Entitlements
import Journal
import Synchronization
import Threads

/// The one thread that writes: see the laws of `Ledger`.
///
/// Confined to its thread after `init`, where the tail is replayed.
final class LedgerWriter: @unchecked Sendable {
    // SAFETY: confined to its thread after init; what others call is safe by itself.
    private let memtable: Memtable
    let checkpointer: Checkpointer
    private let snapshot: Snapshot
    private var ahead: GroupPrefetch
    let journal: any Journal
    /// The most that a group may take.
    private let groupBytesMax: Int
    private let board: PolicyBoard
    private let pulse: LedgerPulse
    private var clock: StampingClock
    var state: AppliedState
    var policy: Policy
    private let notify: @Sendable (LedgerNotice) -> Void
    private let feed: LedgerFeed
    let erasures: ErasureBook
    private let searches: SearchBook
    private let faults: FaultBook
    private let pace: MilestonePace
    /// Groups that were appended.
    var appended = 0
    /// The first alarm, or what was the first: no other one lies before it.
    private var alarm: Tick.Passing?
    private var unknownProducts = UnknownProducts()
    /// An alarm is due and could not be noted: it is tried again later, not at once.
    private var isTimeRefused = false
    /// Behind a new catalog: the accounts whose alarms are still to be set anew.
    private var rearming = Rearming()
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
        // A quarter of a segment at most, so that one more entry of any size finds room.
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
        self.clock = StampingClock(clock, after: state.at, age)
        if opened.last.seq < state.seq {
            throw LedgerFailure.damaged("the journal ends before the views do")
        }
        // Two stores that began as copies of one have the same numbers: only what was decided, and
        // when, tells whose views these are.
        if let last = try journal.entry(state.seq), last.moment != state.at.milliseconds {
            throw LedgerFailure.damaged(
                "data.mdb was not made from this journal: entry \(state.seq) is another one"
            )
        }
        if opened.tornTail != nil { notify(.tornTailCut) }
        let before = self.state.seq
        pulse.note(datedProducts: state.datedProducts)
        if state.rules != Rules.version { notify(.rulesChanged(from: state.rules)) }
        try replayTail(isEnding)
        if self.state.seq > before { notify(.replayed(Int(self.state.seq - before))) }
        self.clock = StampingClock(clock, after: self.state.at, age)
    }

    /// What is held for connections; asked before `run`.
    func heldLeases() throws -> [UInt64] { try look { try $0.leases() } }

    /// Works until the queue is closed and empty, or nothing more can be written.
    ///
    /// Before anything else it ends `held`, the holds of connections of the process before.
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
                // First, so that nobody is told of a moment behind what was decided after it.
                let unobserved = passTime()
                refusal = answer(items) ?? unobserved
                if idle.isDue(after: appended, isIdle: items.isEmpty) {
                    refusal = closeGroups() ?? refusal
                }
                // Few callers, who each wait for an answer, come again together: one flush for all
                // of them instead of two in turn.
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
        if isTimeRefused { return LedgerLimits.retryMilliseconds }
        if let patience = leases.patience { return patience }
        if !rearming.isDone { return 0 }
        guard let alarm else { return nil }
        let milliseconds = alarm.due.milliseconds - clock.wall
        return min(max(milliseconds, 0), LedgerLimits.alarmPatienceMilliseconds)
    }

    /// Looks up the next alarm, so that waiting costs nothing; those that fired lately are not
    /// walked past again.
    func noteAlarm() throws { alarm = try look { try $0.nextAlarm(from: alarm) } }

    /// Lends the rows as they are now.
    func look<Found>(_ body: (Snapshot) throws -> Found) throws -> Found {
        try snapshot.renew()
        defer { snapshot.rest() }
        return try body(snapshot)
    }

    /// Notes what time has changed; then, behind a new catalog, has some more accounts looked at.
    private func passTime() -> LedgerFailure? {
        isTimeRefused = false
        let unobserved = rearming.hasRoom ? observeTime() : nil
        return rearming.isDone ? unobserved : rearm() ?? unobserved
    }

    /// Notes what has changed by time alone, a bounded number of alarms before each group.
    private func observeTime() -> LedgerFailure? {
        var count = 0
        do {
            _ = try stamp()
            if clock.takeSetBack() {
                // What was told of while the clock was ahead comes again.
                rearmAll(after: min(state.now, Moment(clock.wall)))
                return nil
            }
            while let first = alarm, first.due.milliseconds <= clock.wall,
                count < LedgerLimits.alarmsMax
            {
                count += try pass(from: first, limit: LedgerLimits.alarmsMax - count)
                try noteAlarm()
            }
            return nil
        } catch {
            isTimeRefused = true
            let failure = LedgerFailure(error)
            return failure == .notReady ? nil : failure
        }
    }

    /// Tells of some alarms that are due; answers how many were looked at, at least one.
    private func pass(from first: Tick.Passing, limit: Int) throws -> Int {
        let stamp = try self.stamp()
        let (fired, held) = try look {
            try $0.due(at: stamp.now, from: first, limit: limit, under: policy, rearming)
        }
        if !fired.isEmpty {
            let turns = fired.filter {
                $0.account?.turns(at: $0.passing.due, under: policy) ?? false
            }
            let tick = turns.isEmpty ? [] : [Command.Kind.tick(Tick(turns.map(\.passing)))]
            _ = try keep(tick, passing: fired, at: stamp, catalogVersion: policy.source.version)
            for (passing, _) in fired { rearming.note(passing) }
        }
        if let held, let told = rearming.told(of: held.user),
            let due = held.alarm(after: told, under: policy)
        {
            var changes = RowChanges()
            try look { try changes.arm(held, after: told, under: policy, from: $0) }
            show(changes)
            // Looked at next, whether or not it was set before.
            let next = Tick.Passing(user: held.user, due: due)
            alarm = min(alarm ?? next, next)
        }
        return fired.count + (held == nil ? 0 : 1)
    }

    /// Sets the alarms of some more accounts anew.
    private func rearm() -> LedgerFailure? {
        do {
            try checkpointer.makeRoom(for: LedgerLimits.rearmedAccountsMax)
            var changes = RowChanges()
            let (done, next) = try look {
                try changes.rearm(rearming, under: policy, from: $0)
            }
            show(changes)
            rearming.advance(done, to: next)
            return nil
        } catch {
            isTimeRefused = true
            return LedgerFailure(error)
        }
    }

    /// Has every account looked at again where the catalog in force came so lately that it may have
    /// moved a moment to come of one whose alarm has fired.
    ///
    /// Asked at each start too: it may have ended before the last one was looked at.
    private func beginRearming() {
        let reach = max(policy.lateRenewal, policy.graceFallback)
        guard reach > 0, let installed = try? look({ try $0.catalogs().last }),
            clock.wall < installed.from.advanced(byMilliseconds: reach).milliseconds
        else { return }
        rearmAll(after: state.now)
    }

    private func rearmAll(after moment: Moment) {
        while !rearming.takesMore, rearm() == nil {}
        rearming.begin(after: moment)
    }

    /// Ends holds of connections that have ended; what cannot be kept now is tried again.
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

    private func note(full isFull: Bool) {
        guard let news = pulse.note(.journal, full: isFull) else { return }
        notify(news ? .storageFull : .storageBack)
    }

    /// Answers every item, group by group; what comes after a failure gets the failure.
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

    /// One group: decided, appended, flushed, published, answered.
    ///
    /// - Returns: how many of `items` are answered, at least one; the others would be too much for
    ///   the group.
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

    /// The moments of the next group; `.notReady` while the clock is not to be trusted.
    private func stamp() throws(LedgerFailure) -> Stamp {
        if let now = clock.stamp() { return now }
        let told = pulse.clockJumps.exchange(UInt64(clock.jumps), ordering: .relaxed)
        if told != clock.jumps { notify(.clockJumped) }
        throw .notReady
    }

    /// Decides, appends, flushes and publishes: on the disk and visible when it returns.
    ///
    /// - Parameters:
    ///   - kinds: what is asked; commands that would make the group too long are not decided.
    ///   - authors: who asks, for each of them; nobody where there are fewer.
    ///   - fired: alarms that are passed.
    ///   - stamp: the group's moments.
    ///   - catalogVersion: that of the catalog in force.
    /// - Returns: the group, with an answer for each command that was decided.
    /// - Throws: where nothing was kept.
    private func keep(
        _ kinds: [Command.Kind],
        by authors: [Author?] = [],
        passing fired: [(passing: Tick.Passing, account: Account?)] = [],
        at stamp: Stamp,
        catalogVersion: UInt32
    ) throws(LedgerFailure) -> Group {
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
        do {
            try look { snapshot in
                for (passing, account) in fired {
                    // One that is not there is looked for by whoever needs to know why.
                    if let account { group.desk.accounts.lay(account, at: passing.user) }
                    try changes.pass(passing, of: account, under: policy, from: snapshot)
                }
                for (index, kind) in kinds.enumerated() where group.bytes < groupBytesMax {
                    if index % GroupPrefetch.commandsMax == 0 { ahead.run(kinds[index...]) }
                    let author = index < authors.count ? authors[index] : nil
                    group.decide(kind, by: author, from: snapshot)
                }
                guard !group.entries.isEmpty else { return }
                group.close(as: state.group + 1)
                // What can fail comes before the flush: what is flushed can be published (L2).
                try changes.take(
                    group.desk,
                    group.state,
                    after: state,
                    under: group.policy,
                    from: snapshot
                )
            }
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
        if !group.feed.isEmpty { feed.publish(group.feed) }
        return group
    }

    /// The answer to an order that leaves no entry.
    private func position(_ outcome: Outcome) -> Receipt {
        Receipt(seq: state.seq, at: state.at, outcome: outcome)
    }

    /// Publishes what is on the disk.
    func show(_ changes: RowChanges) {
        guard !changes.rows.isEmpty else { return }
        pulse.note(datedProducts: state.datedProducts)
        if let first = changes.firstAlarm { alarm = min(alarm ?? first, first) }
        let size = memtable.keep(changes, seq: state.seq)
        searches.note(changes)
        checkpointer.notice(size, added: changes.rows.count)
    }

    /// An erasure, alone in its group: what stands before it is rewritten by `finishErasures`.
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
        if state.catalog?.digest != stamp.digest {
            source.version += 1
            stamp = CatalogStamp(version: source.version, digest: stamp.digest, text: stamp.text)
            let now = try self.stamp()
            _ = try keep([.install(stamp)], at: now, catalogVersion: source.version)
        }
        policy = Policy(source, numbering: state.numbering)
        board.put(policy)
        beginRearming()
        return position(.installed)
    }

    /// Readers get a policy that knows every product number before they can read one (L4).
    func publish(_ numbering: Numbering) {
        guard numbering.names.count > policy.planOfNumber.count else { return }
        policy = Policy(policy.source, numbering: numbering)
        board.put(policy)
    }
}
