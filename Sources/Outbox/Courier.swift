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
    private let reader: any ChangeSource
    private let file: SmallFile
    private let connection: any Postbox
    private let metrics: Metrics
    /// Its own series, which each round sets.
    private let gauges: OutboxGauges
    private let report: @Sendable (OutboxNotice) -> Void
    /// Has this thread do something with the courier; said by others.
    private let later: @Sendable (@escaping @Sendable (Courier) -> Void) -> Void

    private var record: OutboxRecord
    private var list = WaitingList()
    /// How far the journal is to be read before losses held back until this moment may be told.
    private var goal = (seq: UInt64(0), at: Moment.distantPast)
    /// Where the telling of states is; nil at its beginning.
    private var told: UserID?
    /// Whether all of them are among what waits, or delivered.
    private var isToldWhole = false
    /// Whether what is noted on disk is not true any more.
    private var isChanged = false
    private var lastNoted = Moment(0)
    private var lastTurn = Moment(0)
    private var readsFrom = Moment(0)
    private var isNoteLost = false
    private var wasDown = false
    private var lastDelivered: Moment?
    private var lastFailure: (at: Moment, what: String)?

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
        record = found
        record.waiting.sort { $0.seq < $1.seq }
        list.restore(found.parked, before: found.parkedBefore)
        // An older copy of the data directory.
        if record.through > reader.seq {
            record.through = reader.seq
            // The journal has no such positions; the states say what it has.
            record.waiting.removeAll { $0.seq > reader.seq && $0.erased == nil }
            retell(.everything)
        }
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
    private func user(
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
        now >= readsFrom && list.count - list.heldCount < OutboxLimits.waitingMax
            && list.heldCount < OutboxLimits.heldMax && list.readyCount < OutboxLimits.readyMax
    }

    private var isAtGoal: Bool { record.waiting.isEmpty && record.through >= goal.seq }

    /// One round: reads a stretch of what is new, posts what is due, notes what is done.
    func turn() {
        let now = reader.now
        if now < lastTurn {
            // The clock was set back: pauses until moments of before would last too long.
            list.hurry(at: now)
            (lastNoted, readsFrom) = (min(lastNoted, now), min(readsFrom, now))
        }
        lastTurn = now
        // In this order: all that the journal had at `now` is at that position or before it.
        if isAtGoal { goal = (reader.seq, now) }
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
        for letter in list.take(OutboxLimits.underWayMax, at: now) { post(letter, at: now) }
        tellWhetherDown()
        if isChanged,
            now.milliseconds - lastNoted.milliseconds >= OutboxLimits.noteMilliseconds
        {
            note()
        }
        gauges.set(behind: behind, waiting: waiting, list)
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
            let stretch = try reader.stretch(after: record.through, through: reader.seq)
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
    private func retell(_ which: OutboxRecord.Retelling) {
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
    private func letter(
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
    private func isStillToBeRecalled(
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
        case .failed(let failure, let waiting):
            metrics.outboxPosts.series(settings.name, "failed").increment()
            lastFailure = (now, failure)
            let isParked = list.failed(
                id,
                of: user,
                because: failure,
                waiting: waiting,
                at: now,
                chance: Double.random(in: 0..<1)
            )
            guard isParked else { return }
            metrics.outboxPosts.series(settings.name, "parked").increment()
            report(.parked(settings.name, id.description, failure))
        }
    }

    private func tellWhetherDown() {
        guard list.isDown != wasDown else { return }
        wasDown = list.isDown
        report(
            wasDown
                ? .receiverDown(settings.name, lastFailure?.what ?? "")
                : .receiverUp(settings.name)
        )
    }

    /// Notes on disk how far it is.
    private func note() {
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
        }
    }

    /// Positions of the journal that are still to be read.
    private var behind: Int { Int(reader.seq - min(reader.seq, record.through)) }

    /// Changes that were read, now or before a restart, and are not delivered.
    private var waiting: Int { list.count + record.waiting.count }
}

// What is asked of it, and what it is told.
extension Courier {
    /// What it does, for `outbox`.
    func state() -> JSONObject {
        let letters = list.letters
        let failing = letters.filter { $0.failures > 0 }.sorted { $0.seq < $1.seq }
        return [
            "name": .string(settings.name),
            // A query may hold a secret of the receiver's.
            "url": .string(String(settings.url.prefix { $0 != "?" })),
            "state": .string(list.isDown ? "down" : "delivering"),
            "through": .integer(Int64(record.through)),
            "behind": .integer(Int64(behind)),
            "waiting": .integer(Int64(waiting)),
            "held": .integer(
                Int64(letters.count { $0.isHeld(havingRead: list.readUntil) })
            ),
            "parked": .integer(Int64(list.parkedCount)),
            "retelling": .bool(record.retelling != .nothing),
            "deliveredAt": .shown(lastDelivered),
            "failedAt": .shown(lastFailure?.at),
            "failure": lastFailure.map { .string($0.what) } ?? .null,
            "failing": .array(failing.prefix(OutboxLimits.shownMax).map(\.shown)),
            "parkedChanges": .array(list.parked.suffix(OutboxLimits.shownMax).map(\.shown)),
        ]
    }

    /// Tells again what is parked, or one of it, and tries at once what failed; of a user only the
    /// newest change, or the present state, which say all.
    ///
    /// What cannot be told again, or not be read, stays parked.
    func retry(_ id: LetterID?) -> (retried: Int, stillParked: Int) {
        record.retries += 1
        var told: Set<LetterID> = []
        let asked = list.parked.filter { id == nil || $0.id == id }
        for parked in asked where (try? tellAgain(parked)) ?? false { told.insert(parked.id) }
        list.unpark { told.contains($0.id) }
        if id == nil, list.forgetUnlisted() { retell(.everything) }
        list.hurry(at: reader.now)
        // An order is on disk before it is answered, and before ids with its number are posted.
        note()
        return (told.count, asked.count - told.count)
    }

    /// Tells the state of every account.
    func tellEverything() {
        retell(.everything)
        note()
    }

    /// Tells the newest of the user whose letter was parked; answers false where nothing says any
    /// more whose it was.
    private func tellAgain(_ parked: WaitingList.Parked) throws(RPCFailure) -> Bool {
        guard parked.origin != .erasure else { return false }
        let place = parked.seq - 1
        let stretch = try reader.stretch(after: place, through: parked.seq)
        guard let user = user(of: parked.id, parked.origin, at: parked.seq, in: stretch) else {
            // The states of all say what the journal no longer has.
            if stretch.isTorn { retell(.everything) }
            return stretch.isTorn
        }
        if parked.origin == .journal, let change = try reader.latest(of: user, after: place) {
            // Under another catalog the present state says more.
            let state = try reader.state(of: user)
            if let state, state.params["status"] != change.params["status"] {
                if !list.says(state.seq, of: user) { try tellAgain(state: state) }
            } else {
                tellAgain(change)
            }
        } else if try isStillToBeRecalled(user, after: place) {
            return true
        } else if let state = try reader.state(of: user) {
            try tellAgain(state: state)
        } else if let change = try reader.latest(of: user, after: place) {
            // The account is gone, and this says where.
            tellAgain(change)
        } else {
            return false
        }
        return true
    }

    private func tellAgain(_ change: StatusChange) {
        // What was not read yet is told anyway, and so is what waits.
        guard change.seq <= record.through, !list.says(change.seq, of: change.user) else { return }
        let letter = Letter(change, .journal, salt: record.salt)
        guard !record.waiting.contains(where: { $0.id == letter.id }) else { return }
        // It is not held back: it was before, if it had to be.
        list.add(letter, at: reader.now)
    }

    private func tellAgain(state: StatusChange) throws(RPCFailure) {
        guard let letter = try letter(state, .again(record.retries)) else { return }
        list.add(letter, at: reader.now)
    }

    /// Gives up a change that waits or is parked.
    func skip(_ id: LetterID) -> Bool {
        isChanged = true
        guard list.drop(id, at: reader.now) else { return false }
        metrics.outboxPosts.series(settings.name, "skipped").increment()
        return true
    }

    /// Posts a message that says nothing.
    func test(_ answer: @escaping @Sendable (PostResult) -> Void) {
        let now = reader.now
        let id = LetterID("msg_test_\(UInt64.random(in: .min ... .max))")
        connection.post(Letter.testBody(at: now), id, at: now, answer)
    }

    /// Forgets a person who was erased, under all their ids, and tells the receiver to do so;
    /// answers whether that is on disk.
    @discardableResult
    func erased(_ users: [UserID], at seq: UInt64) -> Bool {
        let salt = record.salt
        for user in users {
            let change = reader.erasure(of: user, at: seq)
            var letter = Letter(change, .erasure, salt: salt)
            // Many wait for each other while their receiver is away; no name waits longer for that.
            letter.begun = reader.now
            list.add(letter, at: reader.now)
            // That says all that is parked of the person, an erasure told before among it.
            list.unpark { $0.id == LetterID($0.origin, $0.seq, $0.ordinal, of: user, salt: salt) }
        }
        note()
        return !isNoteLost
    }
}
