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
    private let reader: ChangeReader
    private let file: SmallFile
    private let connection: ReceiverConnection
    private let metrics: Metrics
    /// Its own series, which each round sets.
    private let gauges: (behind: Gauge, waiting: Gauge, parked: Gauge, down: Gauge)
    private let report: @Sendable (OutboxNotice) -> Void
    /// Has this thread do something with the courier; said by others.
    private let later: @Sendable (@escaping @Sendable (Courier) -> Void) -> Void

    private var record: OutboxRecord
    private var list = WaitingList()
    /// Where the telling of states is; nil at its beginning.
    private var told: UserID?
    /// Whether all of them are among what waits, or delivered.
    private var isToldWhole = false
    /// Whether what is noted on disk is not true any more.
    private var isChanged = false
    private var lastNoted = Moment(0)
    private var readsFrom = Moment(0)
    private var isNoteLost = false
    private var wasDown = false
    private var lastDelivered: Moment?
    private var lastFailure: (at: Moment, what: String)?

    init(
        _ settings: ReceiverSettings,
        _ reader: ChangeReader,
        _ file: SmallFile,
        userAgent: String,
        metrics: Metrics,
        report: @escaping @Sendable (OutboxNotice) -> Void,
        later: @escaping @Sendable (@escaping @Sendable (Courier) -> Void) -> Void
    ) {
        self.settings = settings
        self.reader = reader
        self.file = file
        self.metrics = metrics
        gauges = (
            metrics.outboxBehind.series(settings.name),
            metrics.outboxWaiting.series(settings.name),
            metrics.outboxParked.series(settings.name),
            metrics.outboxDown.series(settings.name)
        )
        self.report = report
        self.later = later
        connection = ReceiverConnection(settings, userAgent: userAgent)
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
        let journal = record.waiting.prefix { $0.erased == nil }
        let last = journal.last { $0.seq < first.seq + OutboxLimits.recalledMax } ?? first
        let stretch = try reader.stretch(after: first.seq - 1, through: last.seq)
        if stretch.isTorn { retell(.everything) }
        let found = journal.prefix { $0.seq <= stretch.through }
        let noted = Dictionary(found.map { ($0.id, $0) }) { first, _ in first }
        for change in stretch.changes {
            let id = LetterID(of: change, .journal, salt: record.salt)
            if let noted = noted[id] { enqueue(Letter(change, .journal, as: id), noted) }
        }
        record.waiting.removeFirst(found.count)
    }

    private func enqueue(_ letter: Letter, _ noted: OutboxRecord.Waiting) {
        var letter = letter
        letter.heldUntil = noted.heldUntil
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
        now >= readsFrom && list.count < OutboxLimits.waitingMax
            && list.readyCount < OutboxLimits.readyMax
    }

    /// One round: reads a stretch of what is new, posts what is due, notes what is done.
    func turn() {
        let now = reader.now
        if mayRead(at: now) {
            do throws(RPCFailure) {
                try read()
            } catch {
                // The log has the reason, from where it was met.
                readsFrom = now.advanced(byMilliseconds: OutboxLimits.readAgainMilliseconds)
            }
        }
        for letter in list.take(OutboxLimits.underWayMax, at: now) { post(letter, at: now) }
        tellWhetherDown()
        if isChanged,
            now.milliseconds - lastNoted.milliseconds >= OutboxLimits.noteMilliseconds
        {
            note()
        }
        measure()
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
            if stretch.isTorn { retell(.everything) }
            if let version = stretch.formerCatalog { retell(.sinceCatalog(version)) }
            for change in stretch.changes { enqueue(change) }
            record.through = stretch.through
            isChanged = true
        }
        if record.retelling != .nothing, !isToldWhole { try tellStates() }
    }

    private func enqueue(_ change: StatusChange) {
        let id = LetterID(of: change, .journal, salt: record.salt)
        var letter = Letter(change, .journal, as: id)
        if change.isUncertainLoss, settings.settleSeconds > 0 {
            letter.heldUntil = change.at
                .advanced(byMilliseconds: Int64(settings.settleSeconds) * 1_000)
        }
        list.add(letter, at: reader.now)
    }

    /// Begins to tell states; what is told already is told again.
    private func retell(_ which: OutboxRecord.Retelling) {
        if record.retelling == .nothing {
            report(.retelling(settings.name))
            record.retelling = which
        } else if record.retelling != which {
            record.retelling = .everything
        }
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
        // Who has newer changes is told those.
        for state in page.states where state.seq <= record.through {
            let id = LetterID(of: state, .state, salt: record.salt)
            list.add(Letter(state, .state, as: id), at: reader.now)
        }
        told = page.next
        isToldWhole = page.next == nil
        isChanged = true
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
        if isToldWhole, !letters.contains(where: { $0.origin == .state }) {
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

    private func measure() {
        gauges.behind.set(behind)
        gauges.waiting.set(waiting)
        gauges.parked.set(list.parkedCount)
        gauges.down.set(list.isDown ? 1 : 0)
    }
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
            "held": .integer(Int64(letters.count { ($0.heldUntil ?? .distantPast) > reader.now })),
            "parked": .integer(Int64(list.parkedCount)),
            "retelling": .bool(record.retelling != .nothing),
            "deliveredAt": Self.time(lastDelivered),
            "failedAt": Self.time(lastFailure?.at),
            "failure": lastFailure.map { .string($0.what) } ?? .null,
            "failing": .array(failing.prefix(OutboxLimits.shownMax).map(Self.shown)),
            "parkedChanges": .array(list.parked.suffix(OutboxLimits.shownMax).map(Self.shown)),
        ]
    }

    /// Tells again what is parked, or one change of it, and tries at once what failed; of a user
    /// only the newest change, which says all.
    func retry(_ id: LetterID?) -> Int {
        let now = reader.now
        let (parked, hasMore) = list.takeParked(id)
        var count = 0
        for letter in parked {
            do throws(RPCFailure) {
                if try tellNewest(of: letter) { count += 1 }
            } catch {
                // It could not be read: it stays where it was.
                list.park(letter)
            }
        }
        if hasMore { retell(.everything) }
        list.hurry(at: now)
        isChanged = true
        return count
    }

    /// Tells the state of every account.
    func tellEverything() { retell(.everything) }

    private func tellNewest(of parked: WaitingList.Parked) throws(RPCFailure) -> Bool {
        let stretch = try reader.stretch(after: parked.seq - 1, through: parked.seq)
        if stretch.isTorn { retell(.everything) }
        let change = stretch.changes.first {
            LetterID(of: $0, .journal, salt: record.salt) == parked.id
        }
        guard let change,
            let latest = try reader.latest(of: change.user, after: parked.seq - 1)
        else { return false }
        // What is newer than what was read is told anyway.
        if latest.seq <= record.through { enqueue(latest) }
        return true
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
        let message: JSONValue = [
            "type": "entitlement.test",
            "timestamp": .string(TimeText.text(now.milliseconds)),
            "data": .object([:]),
        ]
        let id = LetterID("msg_test_\(UInt64.random(in: .min ... .max))")
        connection.post(message.bytes, id, at: now, answer)
    }

    /// Forgets a person who was erased, and tells the receiver to do so.
    func erased(_ user: UserID, at seq: UInt64) {
        let change = reader.erasure(of: user, at: seq)
        let id = LetterID(of: change, .erasure, salt: record.salt)
        list.add(Letter(change, .erasure, as: id), at: reader.now)
        note()
    }

    private static func shown(_ letter: Letter) -> JSONValue {
        [
            "id": .string(letter.id.description), "userId": .string(letter.user.description),
            "seq": .integer(Int64(letter.seq)), "failures": .integer(Int64(letter.failures)),
            "failure": letter.failure.map { .string($0) } ?? .null,
            "nextAttemptAt": time(letter.next),
        ]
    }

    private static func shown(_ letter: WaitingList.Parked) -> JSONValue {
        [
            "id": .string(letter.id.description), "seq": .integer(Int64(letter.seq)),
            "parkedAt": time(letter.at), "failure": .string(letter.failure),
        ]
    }

    private static func time(_ moment: Moment?) -> JSONValue {
        moment.map { .string(TimeText.text($0.milliseconds)) } ?? .null
    }
}
