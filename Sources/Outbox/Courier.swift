import Entitlements
import Files
import JSON
import Methods
import Telemetry
import Wire

/// Brings one receiver what changed: reads the journal, posts, and notes how far it is.
///
/// Confined to its thread; posts are answered there, too.
final class Courier {
    let settings: ReceiverSettings
    let reader: any ChangeSource
    private let file: SmallFile
    let connection: any Postbox
    let metrics: Metrics
    /// Its own series, which each round sets.
    private let gauges: OutboxGauges
    private let report: @Sendable (OutboxNotice) -> Void
    /// Has this thread do something with the courier; said by others.
    private let later: @Sendable (@escaping @Sendable (Courier) -> Void) -> Void

    var record: OutboxRecord
    var list = WaitingList()
    /// How far the journal is to be read before losses held back until this moment may be told.
    private var goal = (seq: UInt64(0), at: Moment.distantPast)
    /// Where the telling of states is; nil at its beginning.
    private var told: UserID?
    /// Whether all of them are among what waits, or delivered.
    private var isToldWhole = false
    /// Whether what is noted on disk is not true any more.
    var isChanged = false
    private var lastNoted = Moment(0)
    private var notedRetellings: UInt64 = 0
    private var lastTurn = Moment(0)
    private var readsFrom = Moment(0)
    var isNoteLost = false
    private var wasDown = false
    var lastDelivered: Moment?
    var lastFailure: (at: Moment, what: String)?

    init(
        _ settings: ReceiverSettings,
        _ reader: any ChangeSource,
        _ file: SmallFile,
        _ connection: any Postbox,
        metrics: Metrics,
        report: @escaping @Sendable (OutboxNotice) -> Void,
        later: @escaping @Sendable (@escaping @Sendable (Courier) -> Void) -> Void
    ) {
        self.settings = settings
        self.reader = reader
        self.file = file
        self.connection = connection
        self.metrics = metrics
        gauges = OutboxGauges(of: settings.name, in: metrics)
        self.report = report
        self.later = later
        record = OutboxRecord(through: reader.seq)
        switch file.contents {
        // Before anybody is answered: what is changed from now on is told, whatever happens.
        case .absent: note()
        case .bytes(let bytes):
            if let found = OutboxRecord(bytes) { restore(found) } else { beginAnew() }
        case .broken: beginAnew()
        }
    }

    /// What was noted cannot be read: then everything is told.
    private func beginAnew() {
        report(.recordUnreadable(settings.name))
        record.retelling = .everything
        record.retellings += 1
        note()
    }

    private func restore(_ found: OutboxRecord) {
        guard found.through <= reader.seq else { return beginAgain(behind: found) }
        record = found
        // The states may be others by now, and one id says one thing.
        if found.retelling != .nothing { record.retellings += 1 }
        record.waiting.sort { $0.seq < $1.seq }
        list.restore(found.parked, before: found.parkedBefore)
    }

    /// The journal is an older copy: what happens at positions that were told before is something
    /// else, under ids of a salt of its own; the states say what the journal has.
    private func beginAgain(behind found: OutboxRecord) {
        record.waiting = found.waiting.filter { $0.erased != nil }
        list.restore(found.parked.filter { $0.origin == .erasure }, before: 0)
        retell(.everything)
    }

    /// Reads once more in the journal a stretch of what waited before the last stop.
    private func recall() throws(RPCFailure) {
        guard let first = record.waiting.first else { return }
        if let user = first.erased {
            let change = reader.erasure(of: user, at: first.seq)
            enqueue(Letter(change, .erasure, as: first.id), first)
            record.waiting.removeFirst()
            return
        }
        if let number = first.again {
            try recallState(first, again: number)
            record.waiting.removeFirst()
            return
        }
        let journal = record.waiting.prefix(while: \.isChange)
        let last = journal.last { $0.seq < first.seq + OutboxLimits.recalledMax } ?? first
        let stretch = try reader.stretch(after: first.seq - 1, through: last.seq)
        if stretch.isTorn { retell(.everything) }
        let found = journal.prefix { $0.seq <= stretch.through }
        let noted = Dictionary(found.map { ($0.id, $0) }) { first, _ in first }
        for change in stretch.changes {
            let letter = Letter(change, .journal, salt: record.salt)
            if let noted = noted[letter.id] { enqueue(letter, noted) }
        }
        record.waiting.removeFirst(found.count)
    }

    /// Tells the present state of a user again whose state waited at the last stop.
    private func recallState(
        _ noted: OutboxRecord.Waiting,
        again number: UInt64
    ) throws(RPCFailure) {
        let stretch = try reader.stretch(after: noted.seq - 1, through: noted.seq)
        guard let user = user(of: noted.id, .again(number), at: noted.seq, in: stretch) else {
            if stretch.isTorn { retell(.everything) }
            return
        }
        guard let state = try reader.state(of: user),
            let letter = try letter(state, .again(number))
        else { return }
        // Newer changes of the user come behind it and say it all; before them it would say more
        // than they do.
        guard try !isStillToBeRecalled(user, after: noted.seq) else { return }
        enqueue(letter, noted)
    }

    /// Whose a letter is of which only id and position are noted; nil where the journal no longer
    /// says it.
    func user(
        of id: LetterID,
        _ origin: Letter.Origin,
        at seq: UInt64,
        in stretch: ChangedStretch
    ) -> UserID? {
        let salt = record.salt
        let change = stretch.changes.first { LetterID(of: $0, origin, salt: salt) == id }
        // A state's position may be that of an entry that changed nothing visible.
        return change?.user
            ?? stretch.users.first { LetterID(origin, seq, of: $0, salt: salt) == id }
    }

    private func enqueue(_ letter: Letter, _ noted: OutboxRecord.Waiting) {
        var letter = letter
        letter.heldUntil = noted.heldUntil ?? letter.heldUntil
        letter.begun = noted.begun
        letter.failures = noted.failures
        letter.refusals = noted.refusals
        letter.next = noted.next
        list.add(letter, at: reader.now)
    }

    /// How many milliseconds it may wait for its next round: none where there is more to read.
    var patience: Int64 {
        let hasMore =
            !record.waiting.isEmpty || record.through < reader.seq
            || record.retelling != .nothing && !isToldWhole
        return mayRead(at: reader.now) && hasMore ? 0 : OutboxLimits.lookMilliseconds
    }

    /// Whether it reads on: not where there is enough to post.
    private func mayRead(at now: Moment) -> Bool {
        now >= readsFrom && list.heldCount < OutboxLimits.heldMax && list.mayRead
    }

    private var isAtGoal: Bool { record.waiting.isEmpty && record.through >= goal.seq }

    /// One round: reads a stretch of what is new, posts what is due, notes what is done.
    func turn() {
        let now = reader.now
        if now < lastTurn {
            // The clock was set back: pauses until moments of before would last too long.
            list.readUntil = min(list.readUntil, now)
            goal.at = min(goal.at, now)
            list.hurry(at: now)
            (lastNoted, readsFrom) = (min(lastNoted, now), min(readsFrom, now))
        }
        lastTurn = now
        // In this order: all that the journal had at `now` is at that position or before it.
        if isAtGoal { goal = (reader.seq, now) }
        let parked = list.makeRoom(at: now)
        if !parked.isEmpty {
            metrics.outboxPosts.series(settings.name, "parked").increment(by: parked.count)
            report(.parkedForRoom(settings.name, parked.count))
        }
        if mayRead(at: now) {
            do throws(RPCFailure) {
                try read()
            } catch {
                // The log has the reason, from where it was met.
                readsFrom = now.advanced(byMilliseconds: OutboxLimits.readAgainMilliseconds)
            }
        }
        if isAtGoal { list.readUntil = goal.at }
        // With so many, none would ever be told.
        if list.heldCount >= OutboxLimits.heldMax { list.readUntil = now }
        // Before ids with a new number are posted, and what comes behind the parked ones; where
        // nothing can be noted, nothing waits for that.
        if !parked.isEmpty || record.retellings != notedRetellings, !isNoteLost { note() }
        for letter in list.take(OutboxLimits.underWayMax, at: now) { post(letter, at: now) }
        tellWhetherDown(at: now)
        if isChanged,
            now.milliseconds - lastNoted.milliseconds >= OutboxLimits.pause(ofNotes: list.count)
        {
            note()
        }
        gauges.set(behind: behind, waiting: waiting, list, at: now)
    }

    /// The last round: what is under way is posted again after the next start.
    func stop() {
        connection.stop()
        note()
    }

    private func read() throws(RPCFailure) {
        guard record.waiting.isEmpty else {
            try recall()
            return
        }
        if record.through < reader.seq {
            let end =
                list.hasRoom
                ? reader.seq : min(reader.seq, record.through + OutboxLimits.probedPositions)
            let stretch = try reader.stretch(after: record.through, through: end)
            if stretch.isTorn || stretch.hasSeveralCatalogs { retell(.everything) }
            if let version = stretch.formerCatalog { retell(.sinceCatalog(version)) }
            for change in stretch.changes { list.add(read(change), at: reader.now) }
            record.through = stretch.through
            isChanged = true
        }
        if record.retelling != .nothing, !isToldWhole { try tellStates() }
    }

    /// A change that was read now, or a present state: the journal may not have its loss yet.
    private func read(_ change: StatusChange, _ origin: Letter.Origin = .journal) -> Letter {
        var letter = Letter(change, origin, salt: record.salt)
        letter.heldUntil = settings.heldUntil(change, readAt: reader.now)
        return letter
    }

    /// Begins to tell states; what is told already is told again.
    func retell(_ which: OutboxRecord.Retelling) {
        // It has begun, and told nothing yet.
        if record.retelling == which, told == nil, !isToldWhole { return }
        if record.retelling == .nothing {
            report(.retelling(settings.name))
            record.retelling = which
        } else if record.retelling != which {
            record.retelling = .everything
        }
        record.retellings += 1
        told = nil
        isToldWhole = false
        isChanged = true
    }

    private func tellStates() throws(RPCFailure) {
        var former: UInt32?
        if case .sinceCatalog(let version) = record.retelling { former = version }
        let page = try reader.states(
            after: told,
            limit: OutboxLimits.statesPage,
            otherThanUnder: former
        )
        let origin = Letter.Origin.state(record.retellings)
        for state in page.states {
            if let letter = try letter(state, origin) { list.add(letter, at: reader.now) }
        }
        told = page.next
        isToldWhole = page.next == nil
        isChanged = true
    }

    /// A present state, as it is told; nil where the user has newer changes, which are told as such
    /// once they are read.
    func letter(
        _ state: StatusChange,
        _ origin: Letter.Origin
    ) throws(RPCFailure) -> Letter? {
        var letter = read(state, origin)
        guard record.through < reader.seq,
            let newer = try reader.latest(of: state.user, after: record.through)
        else { return letter }
        if state.seq > record.through { return nil }
        // Time moves no account's last position: the state may say a loss that is still to be read.
        let until = state.hasAccess ? nil : settings.heldUntil(newer, readAt: reader.now)
        letter.heldUntil = until ?? letter.heldUntil
        return letter
    }

    /// Whether the newest change of a user behind a position waited at the last stop and was not
    /// read again yet: it is told in its turn.
    func isStillToBeRecalled(
        _ user: UserID,
        after seq: UInt64
    ) throws(RPCFailure) -> Bool {
        guard !record.waiting.isEmpty, let newest = try reader.latest(of: user, after: seq) else {
            return false
        }
        let id = LetterID(of: newest, .journal, salt: record.salt)
        return record.waiting.contains { $0.id == id }
    }

    private func post(_ letter: Letter, at now: Moment) {
        let (id, user, later) = (letter.id, letter.user, later)
        connection.post(letter.body, id, at: now) { result in
            later { $0.answered(id, user, result) }
        }
    }

    private func answered(_ id: LetterID, _ user: UserID, _ result: PostResult) {
        let now = reader.now
        isChanged = true
        switch result {
        case .delivered:
            metrics.outboxPosts.series(settings.name, "delivered").increment()
            list.delivered(id, of: user, at: now)
            lastDelivered = now
        case .refused(let failure): failed(id, user, failure, isRefused: true)
        case .failed(let failure, let waiting): failed(id, user, failure, waiting: waiting)
        }
    }

    private func failed(
        _ id: LetterID,
        _ user: UserID,
        _ failure: String,
        waiting: Int64? = nil,
        isRefused: Bool = false
    ) {
        let now = reader.now
        metrics.outboxPosts.series(settings.name, "failed").increment()
        lastFailure = (now, failure)
        let parked = list.failed(
            id,
            of: user,
            because: failure,
            waiting: waiting,
            isRefused: isRefused,
            at: now,
            chance: Double.random(in: 0..<1)
        )
        if let parked { say(parked) }
    }

    /// Counts and logs one that was given up.
    private func say(_ parked: WaitingList.Parked) {
        metrics.outboxPosts.series(settings.name, "parked").increment()
        report(.parked(settings.name, parked.id.description, parked.failure))
    }

    private func tellWhetherDown(at now: Moment) {
        let isDown = list.isDown(at: now)
        guard isDown != wasDown else { return }
        wasDown = isDown
        report(
            wasDown
                ? .receiverDown(settings.name, lastFailure?.what ?? "")
                : .receiverUp(settings.name)
        )
    }

    /// Notes on disk how far it is.
    func note() {
        let letters = list.letters
        if isToldWhole, !letters.contains(where: \.isRetold) {
            record.retelling = .nothing
            isToldWhole = false
        }
        var noted = record
        // What was not recalled yet still waits.
        noted.waiting += letters.compactMap { OutboxRecord.Waiting($0) }
        noted.parked = list.parked
        noted.parkedBefore = list.parkedBefore
        lastNoted = reader.now
        if let failure = file.replace(with: noted.bytes) {
            if !isNoteLost { report(.recordUnsaved(settings.name, errno: failure)) }
            isNoteLost = true
        } else {
            isNoteLost = false
            isChanged = false
            notedRetellings = record.retellings
        }
    }

    /// Positions of the journal that are still to be read.
    var behind: Int { Int(reader.seq - min(reader.seq, record.through)) }

    /// Changes that were read, now or before a restart, and are not delivered.
    var waiting: Int { list.count + record.waiting.count }
}
