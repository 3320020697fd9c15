import Entitlements
import JSON
import Methods
import Telemetry
import Wire

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
            "state": .string(list.isDown(at: reader.now) ? "down" : "delivering"),
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
        // Of each of them the newest is told, which says all.
        var users: Set<UserID> = []
        let asked = list.parked.filter { id == nil || $0.id == id }
        for parked in asked
        where parked.origin != .erasure && users.contains(where: { isOf($0, parked) })
            || (try? tellAgain(parked, &users)) ?? false
        {
            told.insert(parked.id)
        }
        list.unpark { told.contains($0.id) }
        let unlisted = id == nil ? list.parkedBefore : 0
        if id == nil, list.forgetUnlisted() { retell(.everything) }
        list.hurry(at: reader.now)
        // An order is on disk before it is answered, and before ids with its number are posted.
        note()
        return (told.count + unlisted, asked.count - told.count)
    }

    /// Tells the state of every account.
    func tellEverything() {
        retell(.everything)
        note()
    }

    /// Tells the newest of the user whose letter was parked; answers false where nothing says any
    /// more whose it was.
    private func tellAgain(
        _ parked: WaitingList.Parked,
        _ users: inout Set<UserID>
    ) throws(RPCFailure) -> Bool {
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
            if let state, !state.tellsStatus(of: change) {
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
        users.insert(user)
        return true
    }

    /// Whether a letter that was parked was about a user.
    private func isOf(_ user: UserID, _ parked: WaitingList.Parked) -> Bool {
        parked.id
            == LetterID(parked.origin, parked.seq, parked.ordinal, of: user, salt: record.salt)
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
            list.unpark { isOf(user, $0) }
        }
        note()
        return !isNoteLost
    }
}
